"""The code of every screen runs, and does what the screen says."""

import os
import re
import shlex
from html import unescape
from pathlib import Path

import pytest

from sudare.cli import main
from tests.workbench.conftest import FILLED_SCREENS
from tests.workbench.serving import Bench


def codes(page: str) -> tuple[str, str]:
    """The Python and the command of a page."""
    box = page.partition('<details class="code">')[2]
    python, command = re.findall(r"<code>(.*?)</code>", box, re.DOTALL)[:2]
    return unescape(python), unescape(command)


@pytest.mark.parametrize("screen", [s for s in FILLED_SCREENS if not s.startswith("release")])
def test_the_code_of_a_screen_runs(
    bench: Bench, filled: str, screen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = bench.browser().get(f"{filled}/{screen}").text
    python, command = codes(shown)
    project = bench.site.opened(filled.rpartition("/")[2]).path
    monkeypatch.chdir(project.parent)
    exec(compile(python, screen, "exec"), {})  # noqa: S102 - what the page tells people to run
    words = shlex.split(command)
    if words[1] == "mask":  # for a look, not for a release
        words += ["--internal", "--force", "--recipe", "merged"]
    with pytest.raises(SystemExit) as ended:
        main(words[1:])
    assert ended.value.code == 0, command


def test_the_code_of_the_map_gives_the_numbers_of_the_page(
    bench: Bench, filled: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = bench.browser().get(f"{filled}/map").text
    _, command = codes(shown)
    project = bench.site.opened(filled.rpartition("/")[2]).path
    monkeypatch.chdir(Path(os.fspath(project.parent)))
    with pytest.raises(SystemExit):
        main([*shlex.split(command)[1:], "--json"])
    told = capsys.readouterr().out
    for cells in re.findall(r'<tr data-variant="random".*?</tr>', shown, re.DOTALL):
        for number in re.findall(r'<td class="number">([\d.]+)</td>', cells):
            assert any(f"{float(n):.4g}" == number for n in re.findall(r": ([\d.e-]+)", told))
