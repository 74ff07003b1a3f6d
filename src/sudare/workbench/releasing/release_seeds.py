"""The seeds of releases: what the gate looks at and what is written are the same draws.

They are kept in the memory of the server alone, as secret as the data.
"""

import secrets
import threading
from dataclasses import dataclass, field
from pathlib import Path

_BITS = 128


@dataclass(frozen=True)
class ReleaseSeed:
    """A seed.

    Attributes
    ----------
    number
        Secret.
    is_stated
        Whether a person chose it, so that the command line gives the same files with it; it is
        then stretched with the private file of the project.
    """

    number: int = field(repr=False)
    is_stated: bool


class ReleaseSeeds:
    """The seed of every open project: fresh, until a person states one."""

    def __init__(self) -> None:
        self._seeds: dict[Path, ReleaseSeed] = {}
        self._lock = threading.Lock()

    def of(self, path: Path) -> ReleaseSeed:
        """Return the seed of a project."""
        with self._lock:
            return self._seeds.setdefault(path, _fresh())

    def state(self, path: Path, number: int | None) -> ReleaseSeed:
        """Take the seed that a person states; None for a fresh one, in place of a stated one."""
        with self._lock:
            known = self._seeds.get(path)
            if number is not None:
                self._seeds[path] = ReleaseSeed(number, is_stated=True)
            elif known is None or known.is_stated:
                self._seeds[path] = _fresh()
            return self._seeds[path]


def _fresh() -> ReleaseSeed:
    return ReleaseSeed(secrets.randbits(_BITS), is_stated=False)
