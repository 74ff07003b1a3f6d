"""Risk before: who stands alone, which keys do it, three attackers, and what must be kept."""

from typing import Any

from fastapi import APIRouter, Response
from starlette.responses import HTMLResponse

from sudare.core import Message, Microdata, SettingError
from sudare.release import Limit
from sudare.risk import IndividualRisk, KAnonymity, PopulationUniques
from sudare.workbench.screens.parameters import CurrentVisit, FieldLists, Fields
from sudare.workbench.tables import uniques_without
from sudare.workbench.user_input import whole_number
from sudare.workbench.visit import Visit, unless_refused

_DEFAULT_K = 3
_LARGEST_K = 50


routes = APIRouter(prefix="/project/{project_id}")


@routes.get("/risk")
def risk(visit: CurrentVisit) -> Response:
    """Show who stands alone, and by which keys."""
    keys = visit.keys()
    context = _risk(visit, keys) if keys and visit.counts is not None else {}
    return visit.page(
        "risk.html.j2",
        keys=keys,
        choices=_choices(visit, keys),
        limits=visit.project.sections.limits.keep,
        **{"groups": None, "k": _stated_k(visit), **context},
        code=visit.code(
            "data = project.data()\nsudare.risk.Uniques()(data)\nsudare.risk.KAnonymity()(data)",
            "sudare describe",
        ),
    )


@routes.get("/risk/threshold")
def threshold(visit: CurrentVisit, k: int = _DEFAULT_K) -> Response:
    """Say how many share their keys with fewer than k."""
    k = min(max(k, 2), _LARGEST_K)
    return HTMLResponse(visit.site.part("risk_threshold.html.j2", groups=visit.key_groups(), k=k))


@routes.get("/risk/blame")
def blame(visit: CurrentVisit) -> Response:
    """Say how many would stand alone without each key."""
    return HTMLResponse(visit.site.part("risk_blame.html.j2", blame=_blame(visit)))


@routes.get("/risk/population")
def population(visit: CurrentVisit) -> Response:
    """Say what the weights tell about the population."""
    return HTMLResponse(visit.site.part("risk_population.html.j2", **_population(visit)))


@routes.post("/risk/keys")
def choose_keys(visit: CurrentVisit, fields: FieldLists) -> Response:
    """Choose what the attacker knows."""
    chosen, current = set(fields.get("key", [])), set(visit.keys())
    offered = {choice["name"] for choice in _choices(visit, visit.keys())}
    roles = {name: {"role": "key"} for name in sorted(chosen & offered - current)}
    roles |= {name: {"role": "other"} for name in sorted(current - chosen)}
    summary = Message("{count} {count:key|keys} chosen", count=len(chosen & offered))
    first = {name: values[0] for name, values in fields.items()}
    return visit.edit(first, {"columns": roles}, summary, "risk")


@routes.post("/risk/limit")
def set_limit(visit: CurrentVisit, fields: Fields) -> Response:
    """Make k-anonymity a limit of the release."""
    k = whole_number(fields.get("k", ""), largest=_LARGEST_K)
    if k is None or k < 2:
        raise SettingError("k must be between {low} and {high}.", low=2, high=_LARGEST_K)
    kept = [limit for limit in visit.project.sections.limits.keep if not _is_k(limit)]
    changes = {"limits": {"keep": [*kept, f"k-anonymity >= {k}"]}}
    return visit.edit(fields, changes, Message("the release must be {k}-anonymous", k=k), "risk")


def _is_k(limit: str) -> bool:
    stated = Limit.parse(limit)
    return isinstance(stated.measure, KAnonymity) and not stated.measure.settings()


def _stated_k(visit: Visit) -> int:
    """Return the k that the project asks for, else a usual one."""
    stated = [limit for limit in visit.project.sections.limits.keep if _is_k(limit)]
    return int(Limit.parse(stated[0]).number) if stated else _DEFAULT_K


def _risk(visit: Visit, keys: tuple[str, ...]) -> dict[str, Any]:
    groups = visit.key_groups()
    largest = max(records for _, records, _ in groups.classes())
    return {
        "groups": groups,
        "classes": [
            {"label": label, "records": count, "length": count / largest, "alone": alone}
            for label, count, alone in groups.classes()
        ],
        "has_weights": bool(visit.weight()),
    }


def _blame(visit: Visit) -> list[dict[str, Any]]:
    """Return the keys, the one without which fewest stand alone first."""
    keys, alone = visit.keys(), visit.key_groups().uniques
    without = visit.known_counts().remembered(
        ("blame", keys), lambda: uniques_without(visit.entries(keys), keys)
    )
    lines = [
        {"name": visit.project.label(name), "left": left, "saved": alone - left}
        for name, left in without.items()
    ]
    return sorted(lines, key=lambda line: line["left"])


def _population(visit: Visit) -> dict[str, Any]:
    """Return what the weights say about the population; or why they say nothing."""
    keys, weight = visit.keys(), visit.entries(visit.keys()).with_role("weight")
    return visit.known_counts().remembered(
        ("population", keys, weight), lambda: _estimated(visit.entries(keys), keys)
    )


def _estimated(entries: Microdata, keys: tuple[str, ...]) -> dict[str, Any]:
    individual, refused = unless_refused(lambda: IndividualRisk(columns=keys)(entries))
    uniques, refused_too = unless_refused(lambda: PopulationUniques(columns=keys)(entries))
    return {
        "individual": individual,
        "uniques": uniques,
        "refused": refused or refused_too,
        "records": entries.records,
    }


def _choices(visit: Visit, keys: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the columns that may be keys."""
    return [
        {"name": name, "title": visit.project.label(name), "chosen": name in keys}
        for name, section in visit.project.sections.columns.items()
        if section.role in {"key", "other", "sensitive"}
    ]
