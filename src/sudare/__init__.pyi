from . import (
    catalog as catalog,
    datasets as datasets,
    describe as describe,
    loss as loss,
    mask as mask,
    reconstruct as reconstruct,
    release as release,
    risk as risk,
    study as study,
    transactions as transactions,
)
from .core import errors as errors
from .core.methods.applying import Masked as Masked, apply as apply, versions as versions
from .core.table.large import LargeTable as LargeTable
from .core.table.microdata import Microdata as Microdata
from .engine.files import read as read, write as write
from .engine.frames.frame_libraries import to_frame as to_frame
from .engine.opening import open as open, read_or_open as read_or_open
from .release.comparing.compare_recipes import compare as compare
from .release.project.project import Project as Project
from .release.publishing.publish_release import publish as publish
from .release.recipe import Recipe as Recipe
from .release.searching import search as search

__version__: str
