"""A released file tells no two records apart that are one to all that is counted."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import sudare
from sudare.core import Role
from sudare.mask import Suppression
from sudare.release.publishing.leaving import outgoing

SPELLED = ["40", "40.0", "+40", "４０", "0", "-0.0", "DK", "refused", "999"]
LABELLED = ["N", "S", "DK", "refused"]
ROLES: dict[str, Role] = {"hours": "key", "region": "key", "illness": "sensitive"}
MISSING = {"*": ("DK", "refused"), "hours": ("999",)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file in which each value is written in every way."""
    lines = [f"{h},{r},{'pq'[i % 2]}" for i in range(30) for h in SPELLED for r in LABELLED]
    odd = ["40.00,N,p", "refused,refused,q", "-0,S,p"]
    (tmp_path / "t.csv").write_text("\n".join(["hours,region,illness", *lines, *odd]) + "\n")
    return tmp_path / "t.csv"


@pytest.mark.parametrize("in_blocks", [False, True])
def test_equal_values_are_spelled_alike(path: Path, *, in_blocks: bool) -> None:
    reading: Any = {"roles": ROLES, "missing": MISSING, "types": {"hours": "number"}}
    data: Any = (sudare.open if in_blocks else sudare.read)(path, **reading)
    leaving = outgoing(data, sudare.Recipe("r", [Suppression(k=30)]), seed=2**200)
    leaving.write(path.with_name("m.csv"))
    lines = path.with_name("m.csv").read_text(encoding="utf-8").splitlines()[1:]
    shown = Counter(line.rpartition(",")[0] for line in lines)
    assert set(shown) == {f"{h},{r}" for h in ("40.0", "0.0", "") for r in ("N", "S", "")}
    assert min(shown.values()) >= 30
