from .application import create_app as create_app
from .serving import serve as serve
from .workbench_site import WorkbenchSite as WorkbenchSite
