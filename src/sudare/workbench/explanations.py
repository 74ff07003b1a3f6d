"""Why a number is what it is: its meaning, formula, source, the records counted, what lowers it."""

from dataclasses import dataclass

from sudare.catalog import find
from sudare.core import say


@dataclass(frozen=True)
class Explanation:
    """What stands behind "Why?" beside a number.

    Attributes
    ----------
    meaning
        What the number says.
    formula
        How it is computed.
    source
        The literature; empty where there is none to name.
    counted
        Which records are counted.
    lowered_by
        What would lower it.
    """

    meaning: str
    formula: str
    source: str
    counted: str
    lowered_by: str


def explanation(topic: str) -> Explanation:
    """Return what is said about a number, by its topic."""
    meaning, formula, counted, lowered_by, method = _texts()[topic]
    source = find(method).references if method else ""
    return Explanation(meaning, formula, source, counted, lowered_by)


def _texts() -> dict[str, tuple[str, str, str, str, str]]:
    recode = say("Merge categories, use wider intervals, or take a column out of the keys.")
    every = say("All records of the table; a blank key counts as a value of its own.")
    return {
        "uniques": (
            say("People whose combination of keys nobody else in the table has."),
            say("number of groups of equal keys that have one record"),
            every,
            recode,
            "Uniques",
        ),
        "group-size": (
            say("How many people share their combination of keys with how many others."),
            say("records with equal keys form a group; its size is the number of its records"),
            every,
            recode,
            "KAnonymity",
        ),
        "blame": (
            say("How many people would still stand alone if nobody knew this column."),
            say("uniques counted over all keys except this one"),
            every,
            say("Recode first the column whose absence leaves the fewest."),
            "",
        ),
        "prosecutor": (
            say(
                "An attacker who knows that a person is in the table, and the keys of that person."
            ),
            say("1 / size of the person's group; the highest is 1 / size of the smallest group"),
            every,
            recode,
            "KAnonymity",
        ),
        "journalist": (
            say(
                "An attacker who does not know who is in the table, and looks for anybody who can "
                "be named in the population."
            ),
            say("risk of each record estimated from the sampling weights of its group"),
            say("All records, each standing for as many people as its weight says."),
            recode,
            "IndividualRisk",
        ),
        "reidentification": (
            say(
                "The share of people whom an attacker names correctly who knows the keys of a "
                "person in the table and what was done to it, and names the most likely record."
            ),
            say("mean over the people of the chance that the record named is theirs"),
            every,
            say("Recode or suppress keys, or randomize them more strongly."),
            "Reidentification",
        ),
        "distance-loss": (
            say("How much of the differences between records was lost, over all columns."),
            say("1 − sum of squared distances after masking / before, averaged over the columns"),
            say("All records, and all columns that may be masked."),
            say("Milder settings, or fewer masked columns."),
            "DistanceLoss",
        ),
        "gate": (
            say(
                "What in the masked table could undo the protection, or tells more than it should."
            ),
            say("each column after masking is compared with the original, record by record"),
            every,
            say("Mask or leave out the columns named, or accept what is harmless, with a reason."),
            "",
        ),
        "guarantee": (
            say("A promise about every record, never without the conditions that it needs."),
            say("the number is measured on the released table, not taken from the settings"),
            every,
            say("Methods that promise k, l, t, Pk or ε, and settling the conditions marked ✗."),
            "",
        ),
        "total-variation": (
            say("How far the shares of the values moved: 0 where they are as before, 1 at most."),
            say("half the sum of absolute differences of the shares before and after"),
            every,
            say("Milder settings, or methods that keep the shares in expectation."),
            "TotalVariation",
        ),
        "coefficient-overlap": (
            say("Whether an analyst would draw the same conclusions from the masked table."),
            say("mean share of the common part in both intervals of 95 %"),
            say("Records with a value of the explained column; weights count."),
            say("Methods that keep associations, or milder settings of the columns used."),
            "CoefficientOverlap",
        ),
        "marketer": (
            say("An attacker who wants to name as many people as possible, right or wrong."),
            say("number of different combinations of keys / number of records"),
            every,
            recode,
            "",
        ),
        "population-uniques": (
            say("How many people of the whole population stand alone with their keys."),
            say("estimated from the uniques of the sample and the share that was sampled"),
            say("The records of the sample, and the weights as the size of the population."),
            recode,
            "PopulationUniques",
        ),
    }
