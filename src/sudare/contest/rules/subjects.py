"""What a contest can be about: one of our kinds, an installed package of rules, or a file."""

from importlib.metadata import entry_points
from pathlib import Path

from sudare.core import InputError, unknown_name

OUR_SUBJECTS = ("history", "table", "synthetic-cohort")
ENTRY_POINTS = "sudare.contest"


def is_path(subject: str) -> bool:
    """Return whether rules name a file or a folder, not a package that is installed.

    Examples
    --------
    >>> is_path("rules.py"), is_path("table")
    (True, False)
    """
    return subject.endswith(".py") or "/" in subject


def module_file(path: Path) -> Path:
    """Return the file with which a package of rules begins."""
    return path / "__init__.py" if path.is_dir() else path


def check_subject(subject: str) -> None:
    """Refuse a subject for which there is no package."""
    if is_path(subject):
        if not module_file(Path(subject)).is_file():
            raise InputError("there are no rules in '{path}'.", path=subject)
    elif subject not in OUR_SUBJECTS:
        installed = [entry.name for entry in entry_points(group=ENTRY_POINTS)]
        if subject not in installed:
            raise unknown_name("subject", subject, [*OUR_SUBJECTS, *installed])
