"""Attacks that score records: the area under the ROC curve, and its left end."""

import numpy as np

from sudare.core import Floats
from sudare.describe import wilson_interval
from sudare.risk.inference.control import Excess


def true_positive_rate(members: Floats, controls: Floats, false_positives: float) -> float:
    """Return the share of members recognized at a share of control records taken for members.

    Records of equal score are taken in part, as by an attacker who tosses a coin.

    Parameters
    ----------
    members, controls
        Scores, large for members, shapes (n,) and (m,), none empty.
    false_positives
        The share of control records that may be taken for members.

    References
    ----------
    Carlini, Chien, Nasr, Song, Terzis and Tramèr (2022). Membership inference attacks from first
    principles. IEEE Symposium on Security and Privacy.

    Examples
    --------
    >>> scores = np.array([3.0, 2.0, 1.0, 0.0])
    >>> true_positive_rate(scores + 0.5, scores, 0.25)
    0.5
    """
    levels = np.unique(np.concatenate([members, controls]))[::-1]
    known, taken = (
        np.append(0.0, 1 - np.searchsorted(np.sort(side), levels, "left") / len(side))
        for side in (members, controls)
    )
    last = int(np.searchsorted(taken, false_positives, "right")) - 1
    if last + 1 >= len(taken):
        return float(known[-1])
    share = (false_positives - taken[last]) / (taken[last + 1] - taken[last])
    return float(known[last] + share * (known[last + 1] - known[last]))


def above_controls(members: Floats, controls: Floats) -> Floats:
    """Return with what chance each member scores above a control record at random; ties a half.

    The mean is the area under the ROC curve.

    Examples
    --------
    >>> above_controls(np.array([1.0, 2.0]), np.array([0.0, 2.0])).tolist()
    [0.5, 0.75]
    """
    ordered = np.sort(controls)
    below = np.searchsorted(ordered, members, "left")
    return (below + np.searchsorted(ordered, members, "right")) / (2 * len(ordered))


def advantage(members: Floats, controls: Floats, confidence: float) -> Excess:
    """Return twice the area under the ROC curve less 1, at least 0, with bounds.

    The variance of the area is never above A(1 − A) / min(n, m), whatever the distributions
    (Birnbaum and Klose 1957), so that Wilson's interval with the smaller number covers it.
    """
    area = float(above_controls(members, controls).mean())
    low, high = wilson_interval(area, min(len(members), len(controls)), confidence)
    return _ordered(*(max(2 * x - 1, 0.0) for x in (area, low, high)))


def beyond_false_positives(
    members: Floats, controls: Floats, false_positives: float, confidence: float
) -> Excess:
    """Return the true positives beyond the false ones, f: (t − f) / (1 − f), at least 0.

    The bounds allow for both samples. The lower one takes the lowest threshold of which the control
    records show that no more than f of all people are above it, by the exact binomial bound of
    Clopper and Pearson (1934), and there Wilson's interval of the members; without such a threshold
    nothing is shown, and it is 0. The upper one is its mirror image.
    """
    half = (1 + confidence) / 2
    strict, lenient = _certain_thresholds(controls, false_positives, (1 - half) / 2)
    low, _ = wilson_interval(float((members > strict).mean()), len(members), half)
    _, high = wilson_interval(float((members >= lenient).mean()), len(members), half)
    rate = true_positive_rate(members, controls, false_positives)
    beyond = ((x - false_positives) / (1 - false_positives) for x in (rate, low, high))
    return _ordered(*(float(np.clip(x, 0, 1)) for x in beyond))


def _certain_thresholds(controls: Floats, share: float, error: float) -> tuple[float, float]:
    """Return above what at most a share of all people is, and at or above what at least it is."""
    from scipy.special import betaincinv

    count = len(controls)
    above = np.arange(count)
    most = betaincinv(above + 1, count - above, 1 - error)
    least = betaincinv(above + 1, count - above, error)  # of one more
    falling = np.sort(controls)[::-1]
    few, many = np.flatnonzero(most <= share), np.flatnonzero(least >= share)
    strict = falling[few[-1]] if len(few) else np.inf
    return float(strict), float(falling[many[0]]) if len(many) else -np.inf


def _ordered(risk: float, low: float, high: float) -> Excess:
    """Return an estimate within its bounds, whatever the last digit of these."""
    return Excess(risk, min(low, risk), max(high, risk))
