"""The commands of ``sudare``: what each is called, which module runs it, and its help.

The texts are here and not in the modules, so that ``sudare --help`` imports none of them.
"""

from typing import NamedTuple


class Command(NamedTuple):
    """A command: the module in ``cli.commands`` that runs it, and its help, first its summary."""

    module: str
    help: str


COMMANDS = {
    "init": Command(
        "init",
        """Write a project for a table: how it is read, and what each column probably is. Proposals
have their reasons beside them; nothing is released before somebody has reviewed them. Examples:

sudare init survey.csv

sudare init survey.csv -o survey.sudare.toml --encoding cp932 --identifier name

sudare init --update -p survey.sudare.toml

sudare init --schema > project.schema.json
""",
    ),
    "list": Command(
        "methods",
        "List the methods. Example: sudare list --family mask",
    ),
    "describe": Command(
        "describe",
        """Describe a table without showing a value. Examples:

sudare describe survey.csv -k age -k sex

sudare describe survey.csv --not-applicable 対象外 --report survey.html
""",
    ),
    "mask": Command(
        "mask",
        """Mask a table. Examples:

sudare mask survey.csv -o masked.csv --recipe careful.toml

sudare mask survey.csv -o masked.parquet -k region --step "pram: retain = 0.9"

sudare mask -p survey.sudare.toml -o masked.csv

sudare mask big.parquet -o masked.parquet --recipe careful.toml --memory 4GB
""",
    ),
    "measure": Command(
        "measure",
        """Measure risk and loss of a masked table. Exits with 1 when a limit is not met. Examples:

sudare measure survey.csv masked.csv -k sex -k age

sudare measure survey.csv masked.csv -k sex -k age --limit "k-anonymity >= 5"
""",
    ),
    "compare": Command(
        "compare",
        """Compare recipes on one table. Examples:

sudare compare survey.csv -k sex -k age --recipe mild.toml --recipe strong.toml --report map.html

sudare compare -p survey.sudare.toml --report map.html
""",
    ),
    "search": Command(
        "search",
        """Find the recipe that loses least within limits. Exits with 1 if there is none. Example:

sudare search survey.csv -k sex -k age --limit "k-anonymity >= 5" --lose direct-comparison
""",
    ),
    "report": Command(
        "report",
        """Make a release: masked table, report, recipe and ledger. Exits with 1, and writes
nothing, when a limit is not met. Examples:

sudare report survey.csv --recipe best.toml --folder release --limit "k-anonymity >= 5"

sudare report survey.csv --recipe best.toml --folder release --internal confidential.html

sudare report survey.csv --recipe best.toml --folder release --compare mild.toml

sudare report survey.csv --recipe best.toml --folder release --word --profile anonymized-data

sudare report -p survey.sudare.toml --recipe coarse --folder release
""",
    ),
    "serve": Command(
        "serve",
        """Open the workbench in the browser: from a table to its release, on this machine alone.
Examples:

sudare serve

sudare serve survey.csv

sudare serve survey.sudare.toml --port 8020 --no-browser
""",
    ),
    "demo": Command(
        "demo",
        "Make a release of a made-up table, from traps to report. Example: sudare demo --force",
    ),
    "bench": Command(
        "bench",
        """Time the methods on this machine, on a made-up population or your own table. Examples:

sudare bench

sudare bench survey.csv -k sex -k age --method mondrian --method suda
""",
    ),
    "study": Command(
        "study", "Run a paper's experiment. Example: sudare study recoding survey.csv"
    ),
    "history": Command(
        "history",
        "Mask, check, score, attack purchase histories. Example: sudare history check T.csv A.csv",
    ),
    "contest": Command(
        "contest",
        "Run a contest of masking and attacking. Example: sudare contest new spring --data T.csv",
    ),
}
