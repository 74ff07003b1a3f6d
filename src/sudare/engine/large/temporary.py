"""Temporary folders that go when nobody needs them any more."""

import shutil
import tempfile
import weakref
from pathlib import Path


class Folder:
    """A folder that is there as long as this object is.

    Examples
    --------
    >>> folder = Folder()
    >>> path = folder.path
    >>> del folder
    >>> path.exists()
    False
    """

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="sudare-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
