"""What all tests share."""

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import sudare

# The same examples in every run; --hypothesis-profile=explore looks for new ones.
settings.register_profile("sudare", deadline=None, max_examples=60, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=300)
settings.load_profile("sudare")

DATA = Path(os.environ.get("SUDARE_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture(scope="session")
def toy() -> sudare.Microdata:
    """A small population with every role, scale and kind of absence."""
    return sudare.datasets.toy()


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of public data sets; tests that need it are skipped where it is absent."""
    if not DATA.is_dir():
        pytest.skip(f"needs the public data sets; set SUDARE_DATA (looked in {DATA.name})")
    return DATA


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """End with one line that says what was skipped and why."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    if reasons:
        summary = "; ".join(f"{number} × {reason}" for reason, number in sorted(reasons.items()))
        terminalreporter.write_line(f"skipped: {summary}", yellow=True)
