"""What masks, attacks and scores a purchase history: the bases of the methods in this room."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from sudare.core import AnyMasker, Assessment, Draws, InputError, Result, Seed, Step, draws_from
from sudare.transactions.cells import MaskedHistory
from sudare.transactions.history import History


class HistoryMasker(AnyMasker, ABC):
    """A masking method for purchase histories, with its settings."""

    def mask(self, history: History | MaskedHistory, *, seed: Seed = None) -> MaskedHistory:
        """Return the masked history; the one given stays as it is."""
        return self.treat(history, draws_from(seed))[0]

    def treat(self, data: History | MaskedHistory, draws: Draws) -> tuple[MaskedHistory, Step]:
        """Return the masked history and the public account of it."""
        check_history(type(self).__name__, data)
        masked = MaskedHistory.of(data) if isinstance(data, History) else data
        settings = {each.name: getattr(self, each.name) for each in fields(self)}
        step = Step(type(self).__name__, self.touches(), settings, self.public())
        return self._mask(masked, draws), step

    @abstractmethod
    def touches(self) -> tuple[str, ...]:
        """Return the columns that the method masks."""

    def public(self) -> Mapping[str, Mapping[str, Any]]:
        """Return what an analyst needs to allow for the method, by column."""
        return {}

    @abstractmethod
    def _mask(self, masked: MaskedHistory, draws: Draws) -> MaskedHistory: ...


class HistoryMeasure(Assessment, ABC):
    """A risk or loss of a masked history; call it with the history and the masked file."""

    def __call__(
        self,
        before: History,
        after: MaskedHistory | History | None = None,
        *,
        steps: Sequence[Step] = (),
    ) -> Result:
        """Measure a masked file against the original; without one, the original as released."""
        check_history(type(self).__name__, before)
        after = before if after is None else after
        masked = MaskedHistory.of(after) if isinstance(after, History) else after
        return self._measure(before, masked)

    @abstractmethod
    def _measure(self, history: History, masked: MaskedHistory) -> Result: ...


def check_history(method: str, data: object) -> None:
    """Refuse what is not a purchase history, such as a table."""
    if not isinstance(data, History | MaskedHistory):
        raise InputError("{method} is for purchase histories, not for tables.", method=method)
