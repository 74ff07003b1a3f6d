"""An audit that could look up nothing does not say that all is well; SECURITY.md says all."""

from pathlib import Path

from tests.vulnerabilities import summary


def test_packages_that_were_not_looked_up_are_counted_as_such() -> None:
    text, is_vulnerable = summary([{"name": "a", "skip_reason": "not found"}] * 2)
    assert text == "0 of 2 packages were looked up, 0 known vulnerabilities"
    assert not is_vulnerable


def test_known_vulnerabilities_are_named_and_fail() -> None:
    text, is_vulnerable = summary([{"name": "a", "version": "1", "vulns": [{"id": "PYSEC-1"}]}])
    assert text.endswith("a 1: PYSEC-1")
    assert is_vulnerable


def test_every_file_that_reads_pickles_is_named() -> None:
    root = Path(__file__).parents[1]
    named = (root / "SECURITY.md").read_text(encoding="utf-8")
    sources = (root / "src" / "sudare").rglob("*.py")
    reading = [path for path in sources if "pickle.load" in path.read_text(encoding="utf-8")]
    assert len(reading) == 5
    for path in reading:
        assert f"`{path.relative_to(root / 'src' / 'sudare').as_posix()}`" in named
