"""What was measured, kept in a folder, so that a comparison that was interrupted can be resumed."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any

from sudare.core import Assessment, LargeTable, Result, Step, TooLargeError, fingerprint
from sudare.engine.formats import ResultCache
from sudare.release.recipe import Recipe


@dataclass(frozen=True, repr=False)
class KeptResults:
    """The results of runs on one table, by recipe, seed and measure.

    Attributes
    ----------
    about
        A digest of the table.
    """

    about: str
    cache: ResultCache

    @classmethod
    def of(cls, data: Any, folder: str | os.PathLike[str]) -> "KeptResults":
        """Return what a folder keeps of a table or a purchase history."""
        if isinstance(data, LargeTable):
            raise TooLargeError(
                "results for a table that is not in memory cannot be saved; leave out the "
                "folder, or compare on a sample: table.sample(rows)."
            )
        cache = ResultCache(Path(folder) / "comparison.jsonl", "comparison")
        return cls(str(data.fingerprint()), cache)

    def digest(self, recipe: Recipe) -> str:
        """Return what tells the runs of a recipe on this table from all others."""
        return fingerprint([self.about, recipe.to_toml()])

    def run(self, digest: str, seed: int) -> "KeptRun":
        """Return what is kept of one run of a recipe."""
        return KeptRun(self.cache, fingerprint([digest, seed]))


@dataclass(frozen=True, repr=False)
class KeptRun:
    """The results of one run."""

    cache: ResultCache
    key: str

    def steps(self) -> tuple[Step, ...] | None:
        """Return what the run did, if it came to its end."""
        key = f"{self.key} steps"
        if key not in self.cache:
            return None
        return tuple(
            Step(step["method"], tuple(step["columns"]), step["settings"])
            for step in self.cache[key]
        )

    def results(self, measures: Mapping[str, Assessment]) -> dict[str, Result]:
        """Return the results of those measures that are kept, by the same names."""
        keys = {name: f"{self.key} {measure.label()}" for name, measure in measures.items()}
        return {name: _recalled(self.cache[key]) for name, key in keys.items() if key in self.cache}

    def add(self, measure: Assessment, result: Result) -> None:
        """Keep the result of a measure."""
        self.cache.add(f"{self.key} {measure.label()}", result.as_dict())

    def end(self, steps: tuple[Step, ...]) -> None:
        """Keep what was done, once everything is measured."""
        account = [
            {"method": s.method, "columns": s.columns, "settings": _plain(s.settings)}
            for s in steps
        ]
        self.cache.add(f"{self.key} steps", account)


def _plain(settings: Mapping[str, object]) -> dict[str, object]:
    """Return settings as a note keeps them: what is not plain, in words."""
    plain = (str, int, float, tuple, list, dict, NoneType)
    return {name: v if isinstance(v, plain) else str(v) for name, v in settings.items()}


def _recalled(kept: Mapping[str, Any]) -> Result:
    interval = kept.get("interval")
    return Result(
        kept["measure"],
        kept["value"],
        kept["best"],
        float("inf") if kept["worst"] is None else kept["worst"],
        kept.get("parts", {}),
        tuple(interval) if interval else None,
        kept.get("baseline"),
        informed=kept.get("informed"),
        notes=tuple(kept.get("notes", ())),
    )
