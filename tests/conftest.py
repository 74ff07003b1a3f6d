"""What all tests share."""

import gc
import os
import signal
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import sudare
import sudare.core.draws

# The same examples in every run; --hypothesis-profile=explore looks for new ones.
settings.register_profile("sudare", deadline=None, max_examples=60, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=300)
settings.load_profile("sudare")

# Where the tests run behind others, processes would inherit that an interrupt is ignored.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

DATA = Path(os.environ.get("SUDARE_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture
def quick_stretching(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeds that are stretched in no time, for tests of many releases in this process."""
    monkeypatch.setattr(sudare.core.draws, "_SCRYPT", {**sudare.core.draws._SCRYPT, "n": 2})


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


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage among modules and tests, which all stay, now or in forked processes."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests that share a fixture of their module or folder in one process."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None and (owners := _shared_by(item)):
            item.add_marker(pytest.mark.xdist_group(min(owners, key=len)))


def _shared_by(item: pytest.Item) -> set[str]:
    """Return the module or folder whose fixtures, made once for all its tests, a test uses."""
    module = item.nodeid.partition("::")[0]
    known = getattr(item, "_fixtureinfo", None)
    fixtures = [each for made in known.name2fixturedefs.values() for each in made] if known else []
    return {
        each.baseid
        for each in fixtures
        if each.scope == "package" or (each.scope == "module" and each.baseid == module)
    }


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """End with one line that says what was skipped and why."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    if reasons:
        summary = "; ".join(f"{number} × {reason}" for reason, number in sorted(reasons.items()))
        terminalreporter.write_line(f"skipped: {summary}", yellow=True)
