"""The JSON Schema says what the program says."""

import json
import tomllib
from typing import Any

import jsonschema_rs
import pytest

import sudare
from sudare.core import speaking
from sudare.core.errors import InputError
from sudare.release.project import project_schema

FULL = """
version = 1
reviewed = true
[data]
source = "survey.csv"
encoding = "cp932"
separator = ";"
skip_rows = 2
sheet = 1
missing = ["NA"]
not_applicable = [""]
fingerprint = "abc"
[columns.age]
role = "key"
scale = "ordinal"
type = "number"
order = [1, 2.5, "three"]
missing = ["-"]
not_applicable = [""]
hierarchy = {widths = [5, 10]}
label = {en = "Age", ja = "年齢"}
[columns.region]
hierarchy = "regions.csv"
[limits]
keep = ["k-anonymity >= 5"]
[measures]
risk = ["uniques"]
loss = ["total-variation"]
[report]
title = "t"
office = "o"
contact = "c"
date = "2026-04-01"
purpose = "p"
decision = "d"
[release]
format = "parquet"
encoding = "utf-8"
[[release.confirmations]]
kind = "order"
columns = ["age"]
most_records = 20
by = "A"
date = "2026-04-01"
reason = "r"
[[recipes]]
name = "a"
description = "b"
[recipes.roles]
age = "key"
[recipes.scales]
age = "ratio"
[recipes.hierarchies]
region = "regions.csv"
[[recipes.steps]]
method = "full-domain"
k = 5
hierarchies = {age = {widths = [5]}}
[[recipes.steps]]
method = "pram"
retain = 0.9
"""

WRONG = [
    ("version = 1", 'version = "1"'),
    ("reviewed = true", "reviewed = 1"),
    ("reviewed = true", "review = true"),
    ('source = "survey.csv"', ""),
    ("skip_rows = 2", "skip_rows = -2"),
    ('role = "key"', 'role = "kye"'),
    ('type = "number"', 'type = "numbers"'),
    ("order = [1,", "order = [[1],"),
    ("[limits]", "[limit]"),
    ('keep = ["k-anonymity >= 5"]', 'keep = "k-anonymity >= 5"'),
    ('format = "parquet"', 'format = "parket"'),
    ('kind = "order"', ""),
    ('method = "pram"', 'method = "prams"'),
    ("retain = 0.9", "retain = 9"),
    ("retain = 0.9", "retian = 0.9"),
]


def valid(text: str) -> bool:
    return jsonschema_rs.is_valid(project_schema(), plain(tomllib.loads(text)))


def plain(content: Any) -> Any:
    return json.loads(json.dumps(content, default=str))


def accepted(text: str) -> bool:
    try:
        sudare.Project.from_text(text, "x.sudare.toml")
    except InputError:
        return False
    return True


def test_schema_and_program_accept_a_full_project() -> None:
    assert valid(FULL)
    assert accepted(FULL)


@pytest.mark.parametrize(("right", "wrong"), WRONG)
def test_schema_and_program_refuse_the_same(right: str, wrong: str) -> None:
    text = FULL.replace(right, wrong, 1)
    assert text != FULL
    assert not valid(text)
    assert not accepted(text)


def test_a_new_project_is_valid(project: sudare.Project) -> None:
    assert valid(project.text)


def test_descriptions_are_in_the_language_of_the_session() -> None:
    assert "path of the table" in json.dumps(project_schema())
    with speaking("ja"):
        assert "表のパス" in json.dumps(project_schema(), ensure_ascii=False)
