"""Errors of a contest: each is a sentence for the one who meets it.

::

    SudareError
    └── ContestError
        ├── NotAllowedError     not for this role, or not in this phase
        ├── NotFoundError       there is no such team, entry or file
        ├── LoginError          wrong name or password
        ├── ThrottledError      too often; ``seconds`` says how long to wait
        ├── TakenError          a team of that name exists
        ├── ChangedError        no longer as it was when somebody looked
        └── EntryError          a file that cannot be taken, before it is even read
"""

from sudare.core import SudareError


class ContestError(SudareError):
    """Something that a contest refuses."""


class NotAllowedError(ContestError):
    """Not for this role, or not in this phase."""


class NotFoundError(ContestError):
    """There is no such team, entry or file."""


class LoginError(ContestError):
    """Wrong name or password."""


class ThrottledError(ContestError):
    """Too often in a short time."""

    @property
    def seconds(self) -> int:
        """How long to wait."""
        return int(str(self.facts["seconds"]))


class TakenError(ContestError):
    """A team of that name exists already."""


class ChangedError(ContestError):
    """Something has changed since the caller looked at it and decided what to do."""


class EntryError(ContestError):
    """A file that cannot be taken, before it is even read."""
