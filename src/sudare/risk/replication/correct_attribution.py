"""Attribute disclosure by keys that have one secret in the synthetic table: DiSCO, DiSDiO, CAP."""

from typing import Annotated

import numpy as np

from sudare.core import AtLeast, Integers, Result, TablePair, say
from sudare.describe import Confidence, Sensitive, wilson_interval
from sudare.describe.pairing import shared_keys
from sudare.risk.inference import ControlledRisk
from sudare.risk.replication.key_tables import SecretTable, secret_codes

_DOMINANT, _ENOUGH = 0.9, 50  # share of the records with a level, and how many it must disclose
_PAIR_DOMINANT, _PAIR_ENOUGH = 0.8, 5  # the same given the value of one key


def attributions(table: SecretTable) -> dict[str, float]:
    """Return the shares of originals whose secret the release attributes to them.

    DiO: the keys have one secret in the original. iS: the keys occur in the release. DiS: they have
    one secret there. DiSCO: and it is the person's. DiSDiO: and it is certain in the original as
    well. TCAP is DiSCO over DiS; DCAP is the mean share of released records with the person's keys
    that have the person's secret, where there are any; CAP0 is the same of all released records.

    Examples
    --------
    >>> keys = np.array([0, 0, 1]), np.array([0, 0, 1])
    >>> secrets = np.array([0, 0, 1]), np.array([0, 0, 0])
    >>> shares = attributions(SecretTable.of(keys, secrets))
    >>> round(shares["DiSCO"], 3), round(shares["TCAP"], 3), shares["DiO"]
    (0.667, 0.667, 1.0)
    """
    total, released = table.original.sum(), table.released.sum()
    certain = table.certain
    disclosed = np.zeros(int(table.keys.max()) + 1, np.bool_)
    disclosed[table.keys[certain]] = True
    occurs = table.key_released > 0
    occurring = table.original[occurs].sum()
    share = np.divide(table.released, table.key_released, where=occurs, out=np.zeros(len(occurs)))
    secret = np.unique(table.secrets, return_inverse=True)[1]
    blind = np.bincount(secret, weights=table.released)[secret] / max(released, 1)
    alone = table.original == table.key_original
    by_keys = table.original[disclosed[table.keys]].sum()
    correct = table.original[certain].sum()
    return {
        "DiO": float(table.original[alone].sum() / total),
        "iS": float(occurring / total),
        "DiS": float(by_keys / total),
        "DiSCO": float(correct / total),
        "DiSDiO": float(table.original[certain & alone].sum() / total),
        "TCAP": float(correct / by_keys) if by_keys else 0.0,
        "DCAP": float((table.original * share).sum() / occurring) if occurring else 0.0,
        "CAP0": float((table.original * blind).sum() / total),
    }


class CorrectAttribution(ControlledRisk):
    """The share of people whose secret is certain and correct in the synthetic table (DiSCO).

    The attacker knows the keys of a person and looks them up in the release; if all released
    records with these keys have one value of the sensitive column, that is the guess. DiSCO is the
    share of originals for whom there is such a guess and it is right; DiSDiO the share for whom it
    is certain in the original as well. TCAP is the share of right guesses among the certain ones,
    DCAP the mean chance of a right guess by a released record with the same keys, and CAP0 that of
    any released record. The value is DiSCO of the sensitive column with the largest, the parts are
    all of these by column.

    A level that nearly everybody has is guessed without the release. Notes warn where one level of
    a column, or one given the value of a single key, accounts for many of the disclosures; the
    levels themselves are not named. With a ``control`` column, which marks originals that the
    release was not made from, the baseline is DiSCO of the control records.

    Keys are compared exactly, sensitive numbers in classes of equal count. Missing and not
    applicable are values. Without a sensitive column each key is guessed from the others; sampling
    weights are not used.

    References
    ----------
    Raab, Nowok and Dibben (2024). Practical privacy metrics for synthetic data. arXiv:2406.16826.

    Taub, Elliot, Pampaka and Smith (2018). Differential correct attribution probability for
    synthetic data. Privacy in Statistical Databases.

    Little, Elliot and Allmendinger (2022). Comparing the utility and disclosure risk of synthetic
    data with samples of microdata. Privacy in Statistical Databases.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> attack = CorrectAttribution(columns=("sex", "region"), sensitive=("condition",))
    >>> result = attack(data, data)
    >>> result.parts["condition, DiSCO"] == result.parts["condition, DiO"]
    True
    """

    formula = (
        "number of originals whose sensitive value is certain and right in the release / "
        "number of originals"
    )
    roles = ("key",)

    sensitive: Sensitive = None
    classes: Annotated[int, AtLeast(2), "classes into which sensitive numbers are cut"] = 10
    confidence: Confidence = 0.95

    def _measure(self, pair: TablePair) -> Result:
        before, after = pair.before, pair.after
        secrets, inside = self.secrets(pair, self.sensitive), self.members(pair)
        parts, baselines = dict[str, float](), dict[str, float]()
        notes = list(self.notes(pair, inside, (*pair.columns, *secrets)))
        for name in secrets:
            known = [column for column in pair.columns if column != name]
            keys = np.zeros(before.rows, np.int64), np.zeros(after.rows, np.int64)
            if known:
                keys = shared_keys(before, after, known)[:2]
            secret = secret_codes(before[name], after[name], self.classes)
            table = SecretTable.of((keys[0][inside], keys[1]), (secret[0][inside], secret[1]))
            shares = attributions(table)
            parts |= {f"{name}, {fact}": share for fact, share in shares.items()}
            if self.control is not None:
                held = SecretTable.of((keys[0][~inside], keys[1]), (secret[0][~inside], secret[1]))
                baselines[name] = attributions(held)["DiSCO"]
            notes += dominant_level_notes(name, table)
            for key in known:
                alone = shared_keys(before, after, [key])[0][inside]
                notes += dominant_pair_notes(name, key, table, (alone, secret[0][inside]))
        worst = max(secrets, key=lambda name: parts[f"{name}, DiSCO"])
        value = parts[f"{worst}, DiSCO"]
        return self.result(
            value,
            parts=parts,
            interval=wilson_interval(value, int(inside.sum()), self.confidence),
            baseline=baselines.get(worst),
            notes=tuple(notes),
        )


def dominant_level_notes(name: str, table: SecretTable) -> tuple[str, ...]:
    """Return a warning where most disclosures are of a level that nearly everybody has."""
    levels = np.unique(table.secrets, return_inverse=True)[1]
    people = np.bincount(levels, weights=table.original) / table.original.sum()
    disclosed = np.bincount(levels, weights=table.original * table.certain)
    level = int(disclosed.argmax())
    if people[level] < _DOMINANT or disclosed[level] < _ENOUGH:
        return ()
    return (
        say(
            "column '{column}': {count} disclosures are of one level that {percent} % of the "
            "people have, which is guessed without the release.",
            column=name,
            count=int(disclosed[level]),
            percent=round(100 * float(people[level])),
        ),
    )


def dominant_pair_notes(
    name: str, key: str, table: SecretTable, values: tuple[Integers, Integers]
) -> tuple[str, ...]:
    """Return a warning where disclosures follow from the value of one key alone.

    Parameters
    ----------
    name, key
        The sensitive column and the key.
    table
        Counts of all keys by secrets.
    values
        The key and the secret of each original record, shapes (n,).
    """
    pairs = np.unique(np.stack(values), axis=1, return_inverse=True)[1].ravel()
    people = np.bincount(pairs)
    share = people[pairs] / np.bincount(values[0])[values[0]]
    follows = (share >= _PAIR_DOMINANT) & (np.unique(values[1]).size > 1)
    disclosed = table.certain[table.cell] & follows
    count, right = int(disclosed.sum()), int(table.certain[table.cell].sum())
    if count < max(_PAIR_ENOUGH, _PAIR_DOMINANT * right):
        return ()
    return (
        say(
            "column '{column}': {count} of {total} disclosures follow from '{key}' alone, for "
            "values of it that at least {percent} % share one level with.",
            column=name,
            count=count,
            total=right,
            key=key,
            percent=round(100 * _PAIR_DOMINANT),
        ),
    )
