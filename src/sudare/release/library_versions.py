"""The versions that decide the bytes of a release: of sudare, Python and the libraries used."""

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version

from sudare.core import say

# What computes, and what writes files.
_LIBRARIES = (
    "sudare",
    "numpy",
    "scipy",
    "llvmlite",
    "scikit-learn",
    "pyarrow",
    "polars",
    "xlsxwriter",
    "pyreadstat",
)

_DRAWS = "2"  # what the draws of a release depend on: the seed, the table and the recipe


def library_versions() -> dict[str, str]:
    """Return the versions of Python, of the libraries installed, and of how releases draw."""
    installed = {"draws": _DRAWS, "python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            installed[name] = version(name)
        except PackageNotFoundError:
            continue
    return installed


def other_versions(made_with: Mapping[str, str]) -> str | None:
    """Return in a sentence which versions differ from those that something was made with.

    Examples
    --------
    >>> other_versions(library_versions()) is None
    True
    """
    if "draws" not in made_with:
        return say(
            "the recipe was made by an older version, whose draws depended on the seed alone: the "
            "same seed gives other records now. To make its release again, use that version."
        )
    here = library_versions()
    changed = [name for name, stated in made_with.items() if here.get(name) != stated]
    if not changed:
        return None
    return say(
        "the recipe was made with other versions of {names}; the same seed may give other bytes.",
        names=", ".join(f"{name} ({made_with[name]})" for name in changed),
    )
