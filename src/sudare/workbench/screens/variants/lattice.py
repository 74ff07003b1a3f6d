"""The lattice of solutions of a step: what each costs and suppresses, and which is chosen."""

from typing import Any

from fastapi import APIRouter, Response
from starlette.responses import JSONResponse

from sudare.core import InputError, Message, SettingError
from sudare.workbench.screens.parameters import CurrentVisit, Fields
from sudare.workbench.user_input import whole_number
from sudare.workbench.variants import (
    LISTING,
    SEED,
    Choosing,
    RecipeEdits,
    TrialState,
    drawn_lattice,
    list_solutions,
)
from sudare.workbench.visit import Visit

_LISTED = 40  # solutions in the table, the best first
_WIDTH = 800  # pixels, where the page does not tell

routes = APIRouter(prefix="/project/{project_id}/lattice")


@routes.get("")
def lattice(visit: CurrentVisit, variant: str = "", step: str = "0") -> Response:
    """Show the solutions among which a step of a variant chooses."""
    number = _step(visit, variant, step)
    trial = _trial(visit, variant, number)
    solutions = () if trial.result is None else trial.result["solutions"]
    masker: Any = visit.project.recipe(variant).maskers[number]
    return visit.page(
        "lattice.html.j2",
        variant=variant,
        step=number,
        trial=trial,
        solutions=solutions[:_LISTED],
        in_all=len(solutions),
        kept=sum(solution.is_kept for solution in solutions),
        chosen=masker.levels,
        columns=[(name, visit.project.label(name)) for name in solutions[0].levels]
        if solutions
        else [],
        code=visit.code(
            _python(variant, number),
            "sudare compare -p {project}",
        ),
    )


@routes.get("/chart")
def chart(visit: CurrentVisit, variant: str = "", step: str = "0", width: int = _WIDTH) -> Response:
    """Return the lattice as the chart library draws it."""
    number = _step(visit, variant, step)
    result = _trial(visit, variant, number).result
    if result is None:
        raise InputError("the solutions have not been listed yet.")
    masker: Any = visit.project.recipe(variant).maskers[number]
    return JSONResponse(drawn_lattice(result["solutions"], masker.levels, width))


@routes.post("")
def start(visit: CurrentVisit, fields: Fields) -> Response:
    """Have the solutions of a step listed."""
    variant = fields.get("variant", "")
    number = _step(visit, variant, fields.get("step", ""))
    visit.site.trials.start(
        visit.opened,
        LISTING,
        visit.project,
        list_solutions,
        variant,
        number,
        title=Message("solutions of a step of '{name}'", name=variant),
        names=(),
        about=_steps(visit, variant, number),
    )
    return visit.go("lattice", variant=variant, step=str(number))


@routes.post("/choose")
def choose(visit: CurrentVisit, fields: Fields) -> Response:
    """Let the step use the levels of a solution; without a number, those of least loss again."""
    variant = fields.get("variant", "")
    number = _step(visit, variant, fields.get("step", ""))
    edits = RecipeEdits.of(visit.project)
    settings: dict[str, Any] = edits.steps(variant)[number]
    settings.pop("levels", None)
    if fields.get("solution"):
        settings["levels"] = dict(_solution(visit, variant, number, fields["solution"]))
    changes = edits.step_set(variant, number, settings)
    summary = Message("chose the levels of a step of '{name}'", name=variant)
    return visit.edit(fields, changes, summary, "protect", variant=variant)


def _python(variant: str, number: int) -> str:
    """Return how the solutions are listed in Python."""
    lines = [
        f"recipe = project.recipe({variant!r})",
        "data = recipe.prepare(project.data())",
        "maskers = recipe.maskers_for(data)",
        *([f"data = sudare.apply(data, maskers[:{number}], seed={SEED}).data"] if number else []),
        f"maskers[{number}].solutions(data)",
    ]
    return "\n".join(lines)


def _trial(visit: Visit, variant: str, number: int) -> TrialState:
    return visit.trial(LISTING, (), _steps(visit, variant, number))


def _steps(visit: Visit, variant: str, number: int) -> dict[str, Any]:
    """Return what the solutions depend on: the recipe up to the step, whatever that has chosen."""
    recipe = RecipeEdits.of(visit.project).recipe(variant)
    steps = list(recipe["steps"][: number + 1])
    steps[-1] = {name: value for name, value in steps[-1].items() if name != "levels"}
    return {**recipe, "steps": steps}


def _solution(visit: Visit, variant: str, number: int, text: str) -> dict[str, int]:
    result, position = _trial(visit, variant, number).result, whole_number(text)
    if result is None or position is None or position >= len(result["solutions"]):
        raise SettingError("the solutions have not been listed yet.")
    solution = result["solutions"][position]
    if not solution.is_kept:
        raise SettingError("this solution suppresses more records than the step allows.")
    return solution.levels


def _step(visit: Visit, variant: str, text: str) -> int:
    """Return the number of a step that chooses levels."""
    maskers, number = visit.project.recipe(variant).maskers, whole_number(text)
    if number is None or number >= len(maskers):
        raise SettingError("there is no such step.")
    if not isinstance(maskers[number], Choosing):
        raise SettingError("this step does not choose among levels.")
    return number
