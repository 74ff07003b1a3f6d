from collections.abc import Mapping
from typing import Annotated, Any, Literal

import pytest

from sudare.core.errors import SettingError
from sudare.core.messages import speaking
from sudare.core.settings import AtLeast, Between, Declared, settings_of


class Example(Declared):
    """A method that does nothing."""

    share: Annotated[float | Mapping[str, float], Between(0, 1, above=True), "a share"] = 0.5
    size: Annotated[int, AtLeast(1), "a size"] = 3
    way: Literal["up", "down"] = "up"
    names: tuple[str, ...] | None = None
    strict: bool = False


class Needy(Declared):
    """A method that has a setting without default."""

    k: Annotated[int, AtLeast(2), "group size"]


def test_settings_carry_kind_limit_default_and_help() -> None:
    share, size, *_ = settings_of(Example)
    assert (share.name, share.default, share.help) == ("share", 0.5, "a share")
    assert share.limit is not None
    assert share.limit.words() == "above 0 and at most 1"
    assert size.kind_words() == "a whole number"


def test_values_are_taken_in_their_own_type() -> None:
    made = Example(share=1, names=["a", "b"])  # type: ignore[arg-type]
    assert made.share == 1.0
    assert isinstance(made.share, float)
    assert made.names == ("a", "b")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"share": 1.5}, "Example: share must be above 0 and at most 1, got 1.5."),
        ({"share": {"a": 0.0}}, "Example: share must be above 0 and at most 1, got 0.0."),
        ({"share": float("nan")}, "Example: share must be above 0 and at most 1, got nan."),
        (
            {"share": "x"},
            "Example: share must be a number or a table with a number for each column",
        ),
        ({"size": 2.5}, "Example: size must be a whole number"),
        ({"size": True}, "Example: size must be a whole number"),
        ({"way": "left"}, "Example: way must be 'up' or 'down', got 'left'."),
        ({"names": "ab"}, "Example: names must be a list of text or nothing"),
        ({"strict": 1}, "Example: strict must be true or false"),
        ({"sise": 1}, "Example has no setting 'sise'; did you mean 'size'?"),
        ({"k": 1}, "Example has no setting 'k'; it has: share, size, way, names, strict."),
    ],
)
def test_what_is_outside_the_limits_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError) as caught:
        Example(**settings)
    assert str(caught.value).startswith(message)


def test_a_setting_without_default_is_asked_for() -> None:
    with pytest.raises(SettingError, match=r"Needy needs the setting k\."):
        Needy()  # type: ignore[call-arg]
    assert Needy(k=5).k == 5


def test_only_settings_that_differ_are_told() -> None:
    assert Example(size=4).settings() == {"size": 4}
    assert Example(size=4).label() == "Example(size=4)"
    assert Example().label() == "Example"


def test_settings_cannot_be_changed_afterwards() -> None:
    with pytest.raises(AttributeError):
        Example().size = 4  # type: ignore[misc]


def test_errors_speak_japanese_when_asked() -> None:
    with speaking("ja"), pytest.raises(SettingError, match="1以上"):
        Example(size=0)


class Nested(Declared):
    """A method with settings inside settings."""

    bound: float | str | Mapping[str, float | str] | None = None
    rows: Mapping[str, tuple[tuple[float, ...], ...]] | None = None
    base: Annotated[float, AtLeast(0, above=True)] = 1.0


def test_settings_inside_settings_are_taken_in_their_own_type() -> None:
    made = Nested(bound={"age": 80, "grade": "high"}, rows={"sex": [[1, 0], [0, 1]]})  # type: ignore[dict-item]
    assert made.bound == {"age": 80.0, "grade": "high"}
    assert made.rows == {"sex": ((1.0, 0.0), (0.0, 1.0))}
    with pytest.raises(
        SettingError, match="a table with a number or text for each column or nothing"
    ):
        Nested(bound={"age": [1]})  # type: ignore[dict-item]


def test_a_limit_can_leave_its_end_out() -> None:
    with pytest.raises(SettingError, match=r"base must be above 0, got 0\.0"):
        Nested(base=0)
