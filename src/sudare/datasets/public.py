"""Loaders for public files that the user has."""

import os

from sudare.core import Microdata, Role
from sudare.engine import read


def adult(path: str | os.PathLike[str]) -> Microdata:
    """Return UCI Adult from a CSV file with a header, with the roles its users give it.

    ``?`` is missing; ``fnlwgt`` is the sampling weight.
    """
    keys = (
        *("age", "workclass", "education", "marital-status", "occupation"),
        *("relationship", "race", "sex", "native-country"),
    )
    roles: dict[str, Role] = {**dict.fromkeys(keys, "key"), "income": "sensitive"}
    return read(path, roles=roles, weights="fnlwgt", missing=["?"])


def online_retail(path: str | os.PathLike[str]) -> Microdata:
    """Return UCI Online Retail from a file with its original column names.

    The customer is the identifier. Numbers and dates that a file stores as text are read as such.
    """
    return read(
        path, roles={"CustomerID": "identifier"}, scales={"CustomerID": "nominal"}, find_types=True
    )
