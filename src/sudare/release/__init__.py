"""From methods to a release: recipes, the risk–utility map, the report."""

from sudare.release.compare import compare
from sudare.release.comparison import Comparison
from sudare.release.recipe import Recipe
from sudare.release.report import Chart, Report, Table, Text

__all__ = ["Chart", "Comparison", "Recipe", "Report", "Table", "Text", "compare"]
