"""V-MDAV: microaggregation whose groups grow where records lie close together."""

from typing import Annotated

from sudare.core import AtLeast, Floats, Integers
from sudare.mask.microaggregation.grouping import variable_mdav
from sudare.mask.microaggregation.mdav import Microaggregation


class VariableMicroaggregation(Microaggregation):
    """Microaggregation with groups that grow while the next record is near.

    After k records a group takes in the nearest one outside while that is nearer to the group than
    ``gain`` times its distance to the others outside, up to 2k - 1 records. Everything else is as
    in :class:`Microaggregation`, whose limit ``exact_up_to`` matters only where a table is not in
    memory and is grouped part by part.

    References
    ----------
    Solanas and Martínez-Ballesté (2006). V-MDAV: a multivariate microaggregation with variable
    group size. COMPSTAT 2006.

    Examples
    --------
    >>> import sudare
    >>> from sudare.mask.microaggregation.variable_microaggregation import VariableMicroaggregation
    >>> data = sudare.datasets.toy()
    >>> plan = VariableMicroaggregation(k=3, gain=0.5, columns=("age",)).fit(data)
    >>> sudare.risk.KAnonymity(columns=("age",))(data, plan.transform(data)).value >= 3
    True
    """

    gain: Annotated[
        float,
        AtLeast(0),
        "how readily groups grow: 0 never, about 0.2 for scattered, 1.1 for clustered records",
    ] = 0.2
    refine: Annotated[bool, "whether records change groups afterwards to lower the loss"] = False

    def _partition(self, points: Floats) -> Integers:
        return variable_mdav(points, self.k, self.gain)
