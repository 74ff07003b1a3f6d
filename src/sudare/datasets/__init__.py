"""Data to try things on: generators of data like the papers', and loaders for public files."""

from sudare.datasets.adult_like import adult_like
from sudare.datasets.census import census_like
from sudare.datasets.expenditure import expenditure_like
from sudare.datasets.public import adult, online_retail
from sudare.datasets.purchases import purchases_like
from sudare.datasets.toy import toy

__all__ = [
    "adult",
    "adult_like",
    "census_like",
    "expenditure_like",
    "online_retail",
    "purchases_like",
    "toy",
]
