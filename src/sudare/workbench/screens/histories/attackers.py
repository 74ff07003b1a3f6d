"""Attackers against a variant of a purchase history, and the analyses that it still allows."""

from fastapi import APIRouter, Response

from sudare.core import Message, language
from sudare.workbench.histories import ATTACKING, attack_variant
from sudare.workbench.screens.parameters import CurrentVisit, Fields
from sudare.workbench.variants import TrialState, shown_variant, variant_names

routes = APIRouter(prefix="/project/{project_id}/attackers")


@routes.get("")
def attackers(visit: CurrentVisit, variant: str = "") -> Response:
    """Show who attacked a variant, what was tried, and what it cost analysts."""
    names = variant_names(visit.project)
    chosen = shown_variant(visit.project, variant)
    return visit.page(
        "attackers.html.j2",
        variants=names,
        chosen=chosen,
        trial=visit.trial(ATTACKING, (chosen,)) if chosen else TrialState(),
        language=language(),
        code=visit.code(
            f"masked = project.recipe({chosen!r}).apply(history, seed=1).data\n"
            "sudare.transactions.attack_all(history, masked)",
            "sudare history attack {project} masked.csv",
        ),
    )


@routes.post("")
def start(visit: CurrentVisit, fields: Fields) -> Response:
    """Have a variant attacked."""
    name = fields.get("variant", "")
    visit.project.recipe(name)
    title = Message("attacks on the variant '{name}'", name=name)
    visit.site.trials.start(
        visit.opened, ATTACKING, visit.project, attack_variant, name, title=title, names=(name,)
    )
    return visit.go("attackers", variant=name)
