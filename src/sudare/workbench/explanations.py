"""Why a number is what it is: from the measures of the catalog, and from the glossary."""

from dataclasses import dataclass

from sudare.catalog import CatalogEntry, Subject, find
from sudare.core import Term, glossary, language, say


@dataclass(frozen=True)
class Explanation:
    """What stands behind "Why?" beside a number.

    Without literature to name, ``source`` is empty; so is ``improved_by`` where nothing helps.
    """

    title: str
    meaning: str
    formula: str
    source: str
    counted: str
    improved_by: str


def explanation(topic: str, subject: Subject = "table") -> Explanation:
    """Return what is said about a number: a term of the glossary, or a measure of the catalog.

    Examples
    --------
    >>> explanation("k-anonymity").formula
    'number of records in the smallest group of records with equal keys'
    >>> explanation("unique").formula
    'number of groups of equal keys that have one record'
    """
    term = glossary().get(topic)
    return _of_measure(find(topic, subject)) if term is None else _of_term(term)


def _of_measure(entry: CatalogEntry) -> Explanation:
    return Explanation(
        title=say(entry.title),
        meaning=entry.summary,
        formula=entry.formula,
        source=entry.references,
        counted=entry.counted,
        improved_by=entry.improved_by,
    )


def _of_term(term: Term) -> Explanation:
    """Return what the glossary says of a number, and its measure where the glossary is silent."""
    spoken = language()
    measure = find(term.measure) if term.measure else None
    every = say("All records of the table; a blank key counts as a value of its own.")
    return Explanation(
        title=term.name,
        meaning=term.meaning[spoken],
        formula=term.formula.get(spoken) or (measure.formula if measure else ""),
        source=measure.references if measure else "",
        counted=term.counted.get(spoken)
        or (every if term.formula or measure is None else measure.counted),
        improved_by=term.improved_by.get(spoken) or (measure.improved_by if measure else ""),
    )
