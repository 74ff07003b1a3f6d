"""The files that ``sudare mask`` writes, and what it tells of them."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import Any

from sudare.cli.output import (
    complain_of_limits,
    note,
    print_findings,
    print_guarantees,
    print_json,
    print_steps,
    progress,
    telling_of_files,
)
from sudare.core import Draws, Masked, Microdata, Step, say
from sudare.engine import check_format, write
from sudare.engine.formats import ReleasedForm, check_all_free, refuse_inputs
from sudare.release import Outgoing, Recipe, as_released
from sudare.release.inspection import ReleasedTable


@dataclass(frozen=True)
class MaskedFiles:
    """Where masked tables go, and how that is reported."""

    outputs: list[Path]
    recipe: Path | None
    encoding: str
    _: KW_ONLY
    on_spark: bool
    force: bool
    as_json: bool

    def check(self) -> None:
        """Refuse files that cannot be written, before any work is done."""
        check_all_free(*self.outputs, self.recipe, overwrite=self.force)
        if not self.on_spark:
            check_format(self.outputs[0])

    def release(self, leaving: Outgoing[Any], verdicts: Sequence[dict[str, Any]]) -> int:
        """Write what passes the gate within the limits; return 1 when it does not."""
        refuse_inputs(*filter(None, (*self.outputs, self.recipe)))  # also what masking read
        stopped = bool(leaving.findings.stops) or not all(limit["kept"] for limit in verdicts)
        if not stopped:
            forms = [
                self._write_version(leaving, version, path)
                for version, path in enumerate(self.outputs)
            ]
            recipe, form = leaving.recipe, forms[0]
            self._write_recipe(
                recipe if form is None else as_released(recipe, form, leaving.findings)
            )
        with nullcontext() if stopped else telling_of_files():
            self._tell(leaving, verdicts, stopped=stopped)
        return 1 if stopped else 0

    def keep(self, data: Any, versions: Sequence[Masked[Any]], recipe: Recipe) -> int:
        """Write masked tables for the custodian alone: records in order, and nothing looked at."""
        refuse_inputs(*filter(None, (*self.outputs, self.recipe)))
        for masked, path in zip(versions, self.outputs, strict=True):
            kept = masked.data.without(masked.data.with_role("identifier"))
            with progress(say("writing")) as advance:
                if self.on_spark:
                    _parts(kept, path, None, private=True)
                    continue
                form = ReleasedTable(kept)
                if isinstance(kept, Microdata):  # so that suppressed is not read as not applicable
                    form = ReleasedTable.of(kept, data.still_in(kept), None)
                write(
                    form.table,
                    path,
                    marked=form.marked,
                    overwrite=self.force,
                    encoding=self.encoding,
                    private=True,
                    on_records=lambda done, of: advance(done, of, say("records")),
                )
        self._write_recipe(recipe)
        with telling_of_files():
            self._tell_kept(versions[0])
        return 0

    def _write_version(
        self, leaving: Outgoing[Any], version: int, path: Path
    ) -> ReleasedForm | None:
        with progress(say("writing")) as advance:
            if self.on_spark:
                _parts(leaving.form(version), path, leaving.order(version))
                return None
            return leaving.write(
                path,
                version=version,
                overwrite=self.force,
                encoding=self.encoding,
                on_records=lambda done, of: advance(done, of, say("records")),
            )

    def _write_recipe(self, recipe: Recipe) -> None:
        if self.recipe is not None:
            replace(recipe, name=self.recipe.stem).write(self.recipe, overwrite=self.force)

    def _tell(
        self, leaving: Outgoing[Any], verdicts: Sequence[dict[str, Any]], *, stopped: bool
    ) -> None:
        masked, guarantees = leaving.masked, leaving.guarantees()
        if self.as_json:
            content = {
                **({} if stopped else self._written(masked.data.records)),
                "steps": _steps(masked.steps),
                "findings": leaving.findings.as_list(),
                "guarantees": [guarantee.as_dict() for guarantee in guarantees],
                "limits": verdicts,
            }
            print_json(content)
            return
        if not stopped:
            print_steps(masked.steps)
            print_guarantees(guarantees)
        print_findings(leaving.findings)
        complain_of_limits([verdict for verdict in verdicts if not verdict["kept"]])
        if stopped:
            note(say("nothing was written."))
        else:
            self._tell_written(masked)
            if len(self.outputs) > 1:
                note(
                    say(
                        "limits and risks are those of each version by itself: whoever has all of "
                        "them learns more."
                    )
                )

    def _tell_kept(self, masked: Masked[Any]) -> None:
        if self.as_json:
            content = {**self._written(masked.data.records), "steps": _steps(masked.steps)}
            print_json({**content, "internal": True})
            return
        print_steps(masked.steps)
        self._tell_written(masked)
        hidden = [
            name
            for step in masked.steps
            for name, told in step.public.items()
            if told.get("suppressed")
        ]
        if hidden:
            note(
                say(
                    "in a file, suppressed values look like other blanks; to measure it, name "
                    "the columns: sudare measure {options} …",
                    options=" ".join(f"--suppressed {name}" for name in dict.fromkeys(hidden)),
                )
            )
        note(
            say(
                "for internal use only: the records are in the original order and nothing was "
                "checked. Do not release this file."
            )
        )

    def _tell_written(self, masked: Masked[Any]) -> None:
        dropped = len(masked.data.with_role("identifier"))
        if dropped:
            note(say("{count} identifier {count:column was|columns were} left out.", count=dropped))
        rows = masked.data.records
        for path in self.outputs:
            note(say("{count} {count:row|rows} written to {path}.", count=rows, path=path))

    def _written(self, rows: int) -> dict[str, Any]:
        paths = [str(path) for path in self.outputs]
        return {"rows": rows, **({"output": paths[0]} if len(paths) == 1 else {"outputs": paths})}


def _steps(steps: Sequence[Step]) -> list[dict[str, Any]]:
    return [
        {"method": step.method, "columns": list(step.columns), "settings": dict(step.settings)}
        for step in steps
    ]


def _parts(released: Any, path: Path, order: Draws | None, *, private: bool = False) -> None:
    from sudare.engine.spark import write_parts

    write_parts(released, path, order=order, private=private)
