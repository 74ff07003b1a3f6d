"""An extra that is missing is named with the command that brings it."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PUBLISH = (
    "data = data.assigning(roles={'household': 'identifier'});"
    "sudare.publish(data, sudare.Recipe('a', [sudare.mask.Mondrian(k=5)])).write"
)
LINE = "from sudare.cli import main; main({words!r}.split())"
# By extra: the libraries that are hidden, and what a person does who needs them.
USES = {
    "pandas": (["pandas"], "data.to_frame('pandas')"),
    "excel": (["fastexcel", "xlsxwriter"], "sudare.write(data, 'table.xlsx')"),
    "statfiles": (["pyreadstat"], "sudare.write(data, 'table.sav')"),
    "models": (
        ["sklearn"],
        "sudare.loss.ClassificationLoss(target='condition', learner='logistic')(data, data)",
    ),
    "search": (
        ["optuna"],
        LINE.format(words="search survey.csv -k sex -k region --limit uniques<=0.5"),
    ),
    "pdf": (["typst"], f"{PUBLISH}('release', pdf=True)"),
    "word": (["docx"], f"{PUBLISH}('release', word=True)"),
    "spark": (["pyspark"], LINE.format(words="measure survey.csv -k sex --engine spark")),
    "histories": (
        ["rusket"],
        "h = sudare.datasets.purchases_like(20, seed=1);"
        "sudare.transactions.UseCaseLoss()"
        "(h, sudare.apply(h, sudare.transactions.CoarseDates(), seed=1).data)",
    ),
    "workbench": (["fastapi", "uvicorn"], LINE.format(words="serve survey.csv --no-browser")),
    "contest": (["sqlalchemy"], LINE.format(words="contest new spring --data T.csv")),
}


@pytest.mark.parametrize("extra", USES)
def test_a_missing_extra_is_named_with_the_command_that_brings_it(
    extra: str, tmp_path: Path
) -> None:
    hidden, use = USES[extra]
    script = f"""
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {hidden!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Hidden())
import sudare
data = sudare.datasets.toy()
sudare.write(data, "survey.csv")
{use}
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    said = " ".join(done.stderr.split())
    assert re.search(rf"pip install 'sudare\[{extra}\]'", said), said[-600:]


def test_every_extra_that_people_install_is_tried() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {"all", "dev", "docs", "web", "japanese"}  # made of others, or a font
    assert set(USES) == set(project["optional-dependencies"]) - groups
