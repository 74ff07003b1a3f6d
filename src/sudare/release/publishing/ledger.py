"""The ledger of a release: what was done, with which settings and versions, and no secret."""

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sudare.core import Assessment, InputError, Result, Step
from sudare.engine.formats import ReleasedForm, check_there, digest_of, writing
from sudare.release.library_versions import library_versions
from sudare.release.recipe import Recipe

_ENDLESS = "Infinity"  # which JSON has no number for


@dataclass(frozen=True)
class Ledger:
    """What is public about a release, and what its custodian needs to replay it with the seed.

    It holds neither the seed nor a value map, nor anything about single records.
    """

    content: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        original: Mapping[str, Any],
        recipe: Recipe,
        steps: Sequence[Step],
        measured: Sequence[tuple[Assessment, Result]],
        limits: Sequence[tuple[str, bool]] = (),
    ) -> "Ledger":
        """Return the ledger of a masked file; ``original`` is what is public about it."""
        return cls(
            {
                "made_with": library_versions(),
                "original": dict(original),
                "recipe": recipe.to_toml(),
                "steps": [
                    {
                        "method": step.method,
                        "columns": list(step.columns),
                        "settings": plain(step.settings),
                        "public": plain(step.public),
                    }
                    for step in steps
                ],
                "measures": [
                    {**result.as_dict(), "settings": plain(measure.settings())}
                    for measure, result in measured
                ],
                "limits": [{"limit": text, "kept": kept} for text, kept in limits],
            }
        )

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Ledger":
        """Read a ledger."""
        source = Path(path)
        check_there(source)
        try:
            content = json.loads(source.read_text(encoding="utf-8"))
        except (ValueError, RecursionError):
            content = None
        if not isinstance(content, dict) or "recipe" not in content:
            raise InputError("'{path}' is not a ledger.", path=str(source))
        return cls(content)

    def recipe(self) -> Recipe:
        """Return the recipe, to be replayed on the original with the seed."""
        import tomllib

        return Recipe.from_mapping(tomllib.loads(self.content["recipe"]))

    def steps(self) -> tuple[Step, ...]:
        """Return the public account of every step, as estimators take it."""
        return tuple(
            Step(
                step["method"],
                tuple(step["columns"]),
                _revived(step["settings"]),
                _revived(step["public"]),
            )
            for step in self.content["steps"]
        )

    def sealed(self, form: ReleasedForm) -> "Ledger":
        """Return the ledger with the digest of the file that was released, and its form."""
        return Ledger({**self.content, "released": form.as_dict()})

    def seals(self, released: Path) -> bool:
        """Return whether a file is the one that this ledger was written for."""
        return bool(self.content.get("released", {}).get("sha256") == digest_of(released))

    def to_json(self) -> str:
        """Return the ledger as the text of its file."""
        return json.dumps(plain(self.content), ensure_ascii=False, indent=2, allow_nan=False) + "\n"

    def write(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the ledger to a JSON file, whole or not at all."""
        with writing(path, overwrite=overwrite) as draft:
            draft.write_text(self.to_json(), encoding="utf-8")
        return Path(path)


def _revived(value: Any) -> Any:
    """Return what was written, with its endless numbers."""
    if isinstance(value, Mapping):
        if set(value) == {_ENDLESS}:
            return value[_ENDLESS] * math.inf
        return {name: _revived(part) for name, part in value.items()}
    return [_revived(part) for part in value] if isinstance(value, list) else value


def plain(value: Any) -> Any:
    """Return what JSON knows; arrays as lists, anything else in words."""
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else {_ENDLESS: 1 if value > 0 else -1}
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
