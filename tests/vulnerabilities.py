"""What pip-audit found, in a line: ``python -m tests.vulnerabilities audit.json``.

pip-audit calls a list of packages clean also when it could look up none of them. Here a package
that was not looked up is counted as that, and only known vulnerabilities make the command fail.
"""

import json
import sys
from pathlib import Path
from typing import Any


def summary(packages: list[dict[str, Any]]) -> tuple[str, bool]:
    """Return what to say, and whether there are known vulnerabilities."""
    skipped = sum("skip_reason" in package for package in packages)
    known = [
        f"{package['name']} {package['version']}: {finding['id']}"
        for package in packages
        for finding in package.get("vulns", ())
    ]
    looked_up = f"{len(packages) - skipped} of {len(packages)} packages were looked up"
    return "\n".join([f"{looked_up}, {len(known)} known vulnerabilities", *known]), bool(known)


def main() -> None:
    """Print the summary; fail where there are vulnerabilities."""
    text, is_vulnerable = summary(json.loads(Path(sys.argv[1]).read_text())["dependencies"])
    print(text)  # noqa: T201
    sys.exit(is_vulnerable)


if __name__ == "__main__":
    main()
