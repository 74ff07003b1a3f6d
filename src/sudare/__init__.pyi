from . import catalog as catalog
from . import datasets as datasets
from . import describe as describe
from . import loss as loss
from . import mask as mask
from . import reconstruct as reconstruct
from . import release as release
from . import risk as risk
from . import study as study
from . import transactions as transactions
from .core import errors as errors
from .core.methods.masker import Masked as Masked
from .core.methods.masker import apply as apply
from .core.methods.masker import versions as versions
from .core.table.large import LargeTable as LargeTable
from .core.table.microdata import Microdata as Microdata
from .engine.files import read as read
from .engine.files import write as write
from .engine.frames.frame_libraries import to_frame as to_frame
from .engine.opening import open as open
from .engine.opening import read_or_open as read_or_open
from .release.comparing.compare_recipes import compare as compare
from .release.project.project import Project as Project
from .release.publishing.publish_release import publish as publish
from .release.recipe import Recipe as Recipe
from .release.searching import search as search

__version__: str
