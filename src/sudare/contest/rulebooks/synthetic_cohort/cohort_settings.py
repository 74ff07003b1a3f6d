"""What an organizer of a contest of synthetic cohorts can set."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sudare.contest.rules import check_type
from sudare.core import Role, SettingError
from sudare.release import parse_measure

FEWEST = 50  # members, and others, in a stratum that is judged by itself
POINTS = ("utility", "protection", "attack")
_FACETS = (
    "k-marginal: k = 2, classes = 5",
    "association-loss",
    "forest-test: trees = 30",
    "survival-overlap: time = 'time', event = 'state', state = 'ill', "
    "columns = ['age', 'smoker', 'diabetes', 'pressure']",
)
_ROLES: Mapping[str, Role] = {  # of the cohort that we make up
    **dict.fromkeys(
        (
            *("age", "sex", "region", "education", "smoker"),
            *("bmi", "pressure", "diabetes", "drugs"),
        ),
        "key",
    ),
    **dict.fromkeys(("creatinine", "glucose", "rare", "time", "state"), "sensitive"),
}


def _weights() -> dict[str, dict[str, float]]:
    return {
        "preliminary": {"utility": 0.6, "protection": 0.3, "attack": 0.1},
        "final": {"utility": 0.4, "protection": 0.4, "attack": 0.2},
    }


@dataclass(frozen=True, kw_only=True)
class CohortSettings:
    """The settings of a contest of synthetic cohorts.

    Attributes
    ----------
    members, background
        Records of each team's cohort, and of the background that all get.
    roles
        Of the columns of the organizer's data: key, sensitive or other; attribute guesses are
        about sensitive columns.
    facets
        Measures of the catalog that are 0 at best and 1 at worst. The utility of a synthetic table
        is the least of 1 minus each.
    strata
        Key columns; attacks are also judged on the people of each of their labels.
    tolerance
        The share by which a guess of a number may be off.
    weights
        By round, what utility, protection and attack weigh in the points.
    """

    members: int = 1000
    background: int = 2000
    roles: Mapping[str, Role] = field(default_factory=lambda: dict(_ROLES))
    facets: tuple[str, ...] = _FACETS
    strata: tuple[str, ...] = ("sex", "smoker")
    tolerance: float = 0.05
    weights: Mapping[str, Mapping[str, float]] = field(default_factory=_weights)

    def __post_init__(self) -> None:
        if self.members < 2 * FEWEST or self.background < 1:
            raise SettingError(
                "contest: settings.members must be at least {least}.", least=2 * FEWEST
            )
        for text in self.facets:
            parse_measure(text)
        if not self.facets:
            raise SettingError("contest: settings.facets needs at least one measure.")
        unknown = [name for name in self.strata if self.roles.get(name) != "key"]
        if unknown:
            raise SettingError(
                "contest: settings.strata must be key columns; '{name}' is not.", name=unknown[0]
            )
        for weights in self.weights.values():
            if set(weights) - set(POINTS) or min(weights.values(), default=0) < 0:
                raise SettingError(
                    "contest: settings.weights has, by round, numbers from 0 for {names}.",
                    names=", ".join(POINTS),
                )

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "CohortSettings":
        """Return the settings that a TOML file states."""
        check_type(dict(given), cls, "settings")
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in given.items()
        }
        return cls(**values)

    def columns(self, role: Role) -> tuple[str, ...]:
        """Return the columns of a role."""
        return tuple(name for name, own in self.roles.items() if own == role)
