"""Compare: two variants side by side, by column, by pair, and by a regression of the user's."""

import shlex
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.responses import JSONResponse

from sudare.core import Figure, InputError, Message, SettingError, language
from sudare.workbench.screens.parameters import CurrentVisit, FieldLists
from sudare.workbench.variants import (
    LEGEND,
    PAIRING,
    SEED,
    TrialState,
    compare_pair,
    fitting,
    variant_names,
)
from sudare.workbench.visit import Visit

_SHOWN_PAIRS = 15
_UNUSED = {"identifier", "weight", "household"}  # roles of columns that no regression takes

routes = APIRouter(prefix="/project/{project_id}/compare")


@routes.get("")
def compare(request: Request, visit: CurrentVisit) -> Response:
    """Show what two variants do to the table."""
    variants = variant_names(visit.project)
    names, target, inputs = _asked(visit, dict(_lists(request)))
    trial = visit.trial(PAIRING, names, [target, inputs]) if names else TrialState()
    return visit.page(
        "compare.html.j2",
        variants=variants,
        names=names,
        target=target,
        inputs=inputs,
        columns=_columns(visit),
        trial=trial,
        **_rows(trial, names),
        query=request.url.query,
        code=visit.code(*_code(names, target, inputs)),
    )


@routes.post("")
def start(visit: CurrentVisit, fields: FieldLists) -> Response:
    """Have two variants compared."""
    names, target, inputs = _asked(visit, fields)
    if len(set(names)) < 2:
        raise SettingError("choose two different variants.")
    if target and not [name for name in inputs if name != target]:
        raise SettingError("choose at least one column to explain '{target}' by.", target=target)
    visit.site.trials.start(
        visit.opened,
        PAIRING,
        visit.project,
        compare_pair,
        names,
        target,
        inputs,
        title=Message("comparison of two variants"),
        names=names,
        about=[target, inputs],
    )
    query = {"first": names[0], "second": names[1], "target": target}
    return visit.go("compare", **query, inputs="\n".join(inputs))


@routes.get("/chart/{number}")
def chart(request: Request, visit: CurrentVisit, number: int, width: int = 400) -> Response:
    """Return the distributions of a column as the chart library draws them."""
    names, target, inputs = _asked(visit, dict(_lists(request)))
    result = visit.trial(PAIRING, names, [target, inputs]).result
    charts = [] if result is None else list(result["charts"][language()].values())
    if not visit.session.shows_values or not 0 <= number < len(charts):
        raise InputError("there is no such picture; it has labels of the data.")
    fitted = {"width": fitting(width), "autosize": {"type": "fit-x", "contains": "padding"}}
    figure = Figure(charts[number]).properties(**fitted, background=None).restyle(legend=LEGEND)
    return JSONResponse(figure.spec)


def _code(names: tuple[str, ...], target: str, inputs: tuple[str, ...]) -> tuple[str, str]:
    """Return how to compare two variants in Python and on the command line, with equal numbers."""
    if not names:
        return "", "sudare compare"
    lines = [
        "from sudare.release.comparing import masking_effect",
        "from sudare.release.inspection import paired",
        "",
        "data = project.data()",
        f"for name in {list(names)!r}:",
        f"    masked = project.apply(name, seed={SEED})",
        "    print(masking_effect(paired(data, masked.data, masked.steps)))",
    ]
    if target:
        chosen = [name for name in inputs if name != target]
        fitted = f"sudare.loss.coefficients(data, masked.data, {target!r}, {chosen!r})"
        lines.append(f"    print({fitted})")
    recipes = " ".join(f"--recipe {shlex.quote(name)}" for name in names)
    return "\n".join(lines), f"sudare compare -p {{project}} {recipes} --seed {SEED}"


def _lists(request: Request) -> dict[str, list[str]]:
    query = request.query_params
    return {name: query.getlist(name) for name in query}


def _asked(
    visit: Visit, fields: dict[str, list[str]]
) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """Return the variants and the regression that a form or an address asks for."""
    variants, columns = variant_names(visit.project), dict(_columns(visit))
    first, second = (next(iter(fields.get(name, [])), "") for name in ("first", "second"))
    names = [name if name in variants else "" for name in (first, second)]
    for number, name in enumerate(names):
        unused = [variant for variant in variants if variant not in names]
        names[number] = name or next(iter(unused), "")
    target = next(iter(fields.get("target", [])), "")
    joined = [part for text in fields.get("inputs", []) for part in text.splitlines()]
    inputs = tuple(name for name in (*fields.get("input", []), *joined) if name in columns)
    chosen = tuple(names) if all(names) else ()
    return chosen, target if target in columns else "", inputs if target else ()


def _columns(visit: Visit) -> list[tuple[str, str]]:
    sections = visit.project.sections.columns
    return [(n, visit.project.label(n)) for n, told in sections.items() if told.role not in _UNUSED]


def _rows(trial: TrialState, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the tables of the page: a row for each column, pair and coefficient."""
    if trial.result is None:
        return {"effects": [], "by_column": [], "pairs": [], "terms": [], "charts": []}
    effects = [trial.result["effects"][name] for name in names]
    by_name = [{column.name: column for column in effect.columns} for effect in effects]
    listed = dict.fromkeys(name for columns in by_name for name in columns)
    pairs = dict.fromkeys(pair for effect in effects for pair in effect.pairs)
    worst = sorted(pairs, key=lambda pair: -max(e.pairs.get(pair, 0.0) for e in effects))
    return {
        "effects": effects,
        "by_column": [(name, [columns.get(name) for columns in by_name]) for name in listed],
        "pairs": [(pair, [e.pairs.get(pair) for e in effects]) for pair in worst[:_SHOWN_PAIRS]],
        "terms": _terms(trial.result["regression"], names),
        "refused": [
            told["refused"] for told in trial.result["regression"].values() if "refused" in told
        ],
        "charts": list(trial.result["charts"][language()]),
    }


def _terms(regression: dict[str, Any], names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the coefficients of both variants beside those of the original."""
    fitted = [
        {
            (coefficient.column, coefficient.label): coefficient
            for coefficient in regression.get(name, {}).get("coefficients", ())
        }
        for name in names
    ]
    listed = dict.fromkeys(term for terms in fitted for term in terms)
    return [
        {
            "column": column,
            "label": label,
            "before": next(
                terms[column, label].before for terms in fitted if (column, label) in terms
            ),
            "after": [terms.get((column, label)) for terms in fitted],
        }
        for column, label in listed
    ]
