"""The README of a package: without the repository beside it, pictures come from the site."""

from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

SITE = "https://sudare.readthedocs.io/"


class ReadmeWithPictures(MetadataHookInterface):
    """Give pictures of the README the addresses that they have on the site."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README to what a package says about itself."""
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        text = readme.replace("](docs/images/", f"]({SITE}images/")
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
