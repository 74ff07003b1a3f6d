"""Versions of the format: older files are brought up to date, newer ones refused."""

from collections.abc import Callable, Mapping
from typing import Any

from sudare.core import InputError
from sudare.release.project.sections.project_sections import VERSION

# What turns the content of a file of one version into that of the next, by version.
MIGRATIONS: Mapping[int, Callable[[Any], None]] = {}


def migrate(
    content: Any,
    *,
    current: int = VERSION,
    migrations: Mapping[int, Callable[[Any], None]] = MIGRATIONS,
) -> bool:
    """Bring the content of a project file up to date, in place; return whether it was older.

    Examples
    --------
    >>> content = {"version": 1, "header": 3}
    >>> def rename(content):
    ...     content["skip_rows"] = content.pop("header")
    >>> migrate(content, current=2, migrations={1: rename}), content
    (True, {'version': 2, 'skip_rows': 3})
    """
    version = content.get("version")
    if type(version) is not int or version < 1:
        raise InputError(
            "a project needs its version at the top: version = {current}.", current=current
        )
    if version > current:
        raise InputError(
            "the project has version {version}, and this sudare knows versions up to {current}; "
            "update sudare.",
            version=version,
            current=current,
        )
    for step in range(version, current):
        migrations[step](content)
    content["version"] = current
    return version < current
