"""Full-domain generalization: each key at one level of its hierarchy, with least loss."""

from typing import Annotated

from sudare.core import AtLeast, Between, Microdata
from sudare.mask.anonymity.conditions import Anonymity
from sudare.mask.anonymity.generalization import GeneralizationPlan, Keys
from sudare.mask.anonymity.lattice import LossName, Search, loss_of


class FullDomain(Anonymity):
    """Generalize whole columns until every class has k records, with the least loss.

    Each key is put on one level of its hierarchy, the same for all records, and records of classes
    that are still too small lose all their keys, up to a share of ``suppression_limit``. Among all
    combinations of levels the one with the smallest loss is found, and proved to be the best; if
    ``seconds`` run out before, the plan tells how much better another could be (``gap``).

    The losses:

    - "loss": by key, the mean share x of the hierarchy's leaves that a published value may
      mean, scaled so that a leaf costs 0 and ``*`` costs 1; over the keys, the geometric mean of
      1 + x, less 1.
    - "entropy": by key, the share of the entropy that is lost, by the shares of the values in the
      data; over the keys, the mean.
    - "height": the mean level of a value, as a share of the number of levels.
    - "discernibility": the sum over records of the size of their class.
    - "class_size": the average number of records of a class.

    A suppressed record costs as much as one with all keys at the last level, or in a class of
    all records. Suppressed records are a class like any other: where they are fewer than k, the
    smallest class goes with them.

    Keys without a hierarchy get an automatic one (:func:`sudare.describe.automatic`). Missing and
    not-applicable keys are values of their own; a column that has some and reaches the last level
    becomes missing altogether, so that its gaps are not distinguished. This holds under
    ``missing="suppressed"`` and "category" alike; "wildcard" is refused, as classes do not overlap.

    References
    ----------
    Samarati (2001). Protecting respondents' identities in microdata release. IEEE Transactions on
    Knowledge and Data Engineering 13(6).
    Iyengar (2002). Transforming data to satisfy privacy constraints. KDD 2002 (the loss).
    Machanavajjhala et al. (2007). l-diversity: privacy beyond k-anonymity. ACM TKDD 1(1).
    Li, Li and Venkatasubramanian (2007). t-closeness. ICDE 2007.

    Notes
    -----
    As in the reference system ARX, x is kept to ten digits, rounded down.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> keys = ("sex", "age", "region")
    >>> ages = {"widths": [10, 20, 40]}
    >>> plan = FullDomain(k=3, columns=keys, hierarchies={"age": ages}).fit(data)
    >>> plan.levels, plan.suppressed, round(plan.loss, 3)
    ({'sex': 0, 'age': 2, 'region': 1}, 9, 0.115)
    """

    suppression_limit: Annotated[
        float, Between(0, 1), "share of the records that may lose all their keys"
    ] = 0.05
    loss: Annotated[LossName, "what is minimized"] = "loss"
    seconds: Annotated[
        float | None, AtLeast(0), "seconds after which the search stops with the best so far"
    ] = 60.0

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> GeneralizationPlan:
        conditions, values = self.class_conditions(data, columns)
        keys = Keys(
            [data[name] for name in columns], [self.hierarchy(data[name]) for name in columns]
        )
        lattice = keys.lattice(values, data.copies)
        loss = loss_of(self.loss, lattice, self.k)
        most = int(self.suppression_limit * data.records + 1e-9)
        optimum = Search(lattice, conditions, loss, most, self.seconds).run()
        heights = dict(zip(lattice.keys, lattice.heights.tolist(), strict=True))
        public = {
            name: {"level": level, "levels": heights[position]}
            for position, (name, level) in enumerate(keys.levels(lattice, optimum.node).items())
        }
        return keys.plan(self.step(columns, public), lattice, optimum.node, optimum.bound)
