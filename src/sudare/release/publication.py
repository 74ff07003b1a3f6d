"""A release: the masked table, its report, its recipe and its ledger, whole or not at all."""

import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sudare.core.draws import Seed
from sudare.core.errors import OutputError
from sudare.core.large import LargeTable
from sudare.core.masker import OnProgress, Step
from sudare.core.measure import Assessment, Result
from sudare.core.microdata import Microdata
from sudare.engine.files import write
from sudare.release.dossier import release_report
from sudare.release.ledger import Ledger
from sudare.release.limits import Limit
from sudare.release.recipe import Recipe
from sudare.release.words import parse_measure

Format = Literal["csv", "parquet", "xlsx", "sav", "dta"]


@dataclass(frozen=True)
class Publication:
    """What is to be released, and what its custodian knows of it.

    Attributes
    ----------
    before
        The original. Confidential.
    released
        The masked table without identifiers.
    recipe, steps
        What was done.
    measured
        Every measure with its result.
    limits
        What had to be kept.
    """

    before: Microdata | LargeTable = field(repr=False)
    released: Microdata | LargeTable
    recipe: Recipe
    steps: tuple[Step, ...]
    measured: tuple[tuple[Assessment, Result], ...]
    limits: tuple[Limit, ...] = ()

    def verdicts(self) -> list[tuple[Limit, bool]]:
        """Return every limit and whether it is kept."""
        results = dict(self.measured)
        return [(limit, limit.met_by(results[limit.measure])) for limit in self.limits]

    @property
    def keeps_limits(self) -> bool:
        """Whether every limit is kept."""
        return all(kept for _, kept in self.verdicts())

    def ledger(self) -> Ledger:
        """Return the ledger of the release."""
        verdicts = [(str(limit), kept) for limit, kept in self.verdicts()]
        return Ledger.of(self.before, self.recipe, self.steps, self.measured, verdicts)

    def write(
        self,
        folder: str | os.PathLike[str],
        *,
        kind: Format = "csv",
        pdf: bool = False,
        overwrite: bool = False,
    ) -> Path:
        """Write the release to a folder: masked table, public report, recipe, ledger.

        The folder appears whole or not at all; an old one stays until then. A release that misses
        a limit is not written.
        """
        target = Path(folder)
        missed = [str(limit) for limit, kept in self.verdicts() if not kept]
        if missed:
            raise OutputError(
                "the release misses the limit {limit}; nothing was written.", limit=missed[0]
            )
        if target.exists() and not overwrite:
            raise OutputError(
                "'{path}' exists; choose another name, or allow overwriting (overwrite=True, "
                "--force).",
                path=str(target),
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=target.parent, prefix=".release-"))
        try:
            table = write(self.released, draft / f"masked.{kind}")
            self.ledger().sealed(table).write(draft / "ledger.json")
            self.recipe.write(draft / "recipe.toml")
            for ending in ("html", "pdf") if pdf else ("html",):
                release_report(self).write(draft / f"report.{ending}")
            draft.chmod(0o755)
            _replace(target, draft)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        return target


def _replace(target: Path, draft: Path) -> None:
    """Put a folder in the place of another, which goes only once the new one stands."""
    if not target.exists():
        draft.rename(target)
        return
    old = Path(tempfile.mkdtemp(dir=target.parent, prefix=".release-"))
    target.rename(old / "old")
    draft.rename(target)
    shutil.rmtree(old, ignore_errors=True)


def publish(
    data: Microdata | LargeTable,
    recipe: Recipe,
    *,
    measures: Sequence[str | Assessment] = ("k-anonymity", "uniques", "direct-comparison"),
    limits: Sequence[str | Limit] = (),
    seed: Seed = None,
    on_progress: OnProgress | None = None,
) -> Publication:
    """Mask a table by a recipe and measure it, ready to be released.

    Parameters
    ----------
    data
        The original.
    recipe
        How to mask it.
    measures
        What the report tells.
    limits
        What must be kept; a release that misses one cannot be written.
    seed
        Same seed, same release. It is kept nowhere; keep it as secret as the data.
    on_progress
        Called before each step and measure with (done, in all, name).

    Examples
    --------
    >>> import sudare
    >>> recipe = sudare.Recipe("coarse", [sudare.mask.GlobalRecode(min_share=0.2)])
    >>> found = publish(sudare.datasets.toy(), recipe, limits=["uniques < 1"], seed=1)
    >>> found.keeps_limits
    True
    """
    stated = tuple(Limit.parse(one) if isinstance(one, str) else one for one in limits)
    asked = [parse_measure(one) if isinstance(one, str) else one for one in measures]
    asked += [limit.measure for limit in stated if limit.measure not in asked]
    masked = recipe.apply(data, seed=seed, on_progress=on_progress)
    before = recipe.prepare(data)
    measured = tuple((m, m(before, masked.data, steps=masked.steps)) for m in asked)
    released = masked.data.without(masked.data.with_role("identifier"))
    return Publication(before, released, recipe, masked.steps, measured, stated)
