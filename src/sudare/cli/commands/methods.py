"""``sudare list``: every method and its settings."""

from typing import Annotated

import typer

from sudare.catalog import METHODS, CatalogEntry, Family
from sudare.cli.options import AsJson
from sudare.cli.output import print_json, print_rows
from sudare.core import say


def run(
    *,
    family: Annotated[Family | None, typer.Option(help="mask, risk, loss or reconstruct")] = None,
    as_json: AsJson = False,
) -> None:
    """List the methods, with their settings in JSON."""
    chosen = [entry for entry in METHODS if family in {None, entry.family}]
    if as_json:
        print_json([_described(entry) for entry in chosen])
        return
    print_rows(
        [
            {
                say("method"): entry.slug,
                say("family"): entry.family,
                say("for"): entry.subject,
                say("what it does"): entry.summary,
            }
            for entry in chosen
        ]
    )


def _described(entry: CatalogEntry) -> dict[str, object]:
    settings = [
        {
            "name": setting.name,
            "kind": setting.kind_words(),
            "limit": setting.limit.words() if setting.limit else None,
            "default": setting.default,
            "help": say(setting.help),
        }
        for setting in entry.settings
    ]
    return {
        "name": entry.slug,
        "class": entry.name,
        "family": entry.family,
        "for": entry.subject,
        "title": say(entry.title),
        "summary": entry.summary,
        "settings": settings,
    }
