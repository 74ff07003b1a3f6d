"""From methods to a release: recipes, the risk–utility map, the report."""

from sudare.release.compare import compare
from sudare.release.comparison import Comparison
from sudare.release.limits import Limit
from sudare.release.recipe import Recipe
from sudare.release.report import Chart, Report, Table, Text
from sudare.release.search import search

__all__ = [
    "Chart",
    "Comparison",
    "Limit",
    "Recipe",
    "Report",
    "Table",
    "Text",
    "compare",
    "search",
]
