"""An audit that could look up nothing does not say that all is well."""

from tests.vulnerabilities import summary


def test_packages_that_were_not_looked_up_are_counted_as_such() -> None:
    text, is_vulnerable = summary([{"name": "a", "skip_reason": "not found"}] * 2)
    assert text == "0 of 2 packages were looked up, 0 known vulnerabilities"
    assert not is_vulnerable


def test_known_vulnerabilities_are_named_and_fail() -> None:
    text, is_vulnerable = summary([{"name": "a", "version": "1", "vulns": [{"id": "PYSEC-1"}]}])
    assert text.endswith("a 1: PYSEC-1")
    assert is_vulnerable
