"""The kit of a team: what it was handed out, and the server's own check and score of its files.

::

    kit/
      contest.toml            the rules
      README.md               the rule book
      first_steps.ipynb       a notebook to begin with
      data/NAME.csv           what everybody gets, and what is the team's own
      data/TEAM/NAME.csv      what can be had of the other teams, once the attack is open
      samples/KIND.csv        valid files
"""

import json
import lzma
import os
import re
import shutil
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from sudare.contest.rulebooks import (
    MASK,
    EvaluationResult,
    EvaluationTask,
    RuleBook,
    evaluate,
    package_for,
    problem_from_json,
)
from sudare.contest.rules import ContestRules
from sudare.core import InputError, OutputError, say
from sudare.engine.formats import Folder, writing

RULES_FILE = "contest.toml"
_MOST_FILES = 10_000  # in a package, and bytes of each
_LARGEST = 256 << 20
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError),
    *(OSError, ValueError, NotImplementedError, RuntimeError),
)
_MEMBER = re.compile(r"mask\.csv|attacks/[^/\\]{1,40}/[a-z]{1,10}\.csv")


@dataclass(frozen=True)
class Kit:
    """What a team has on its own machine, in a folder."""

    folder: Path

    @property
    def rules(self) -> ContestRules:
        """The rules of the contest."""
        return ContestRules.read(self.folder / RULES_FILE)

    def data(self, target: str | None = None) -> dict[str, Path]:
        """Return what was handed out: to the team, or what is known of a target."""
        own = sorted((self.folder / "data").glob("*.csv"))
        others = sorted((self.folder / "data" / target).glob("*.csv")) if target else []
        return {path.stem: path for path in (*own, *others)}

    def evaluate(
        self, path: Path, *, kind: str = MASK, target: str | None = None
    ) -> EvaluationResult:
        """Check a file as the server does; a masked file is scored too, with the same numbers.

        How an attack is judged is known to the referee alone.
        """
        package, data = package_for(self.rules), self.data(target)
        if kind != MASK:
            return package.check_attack(kind, path, data)
        with Folder() as folder:
            outputs = folder / "published", folder / "pseudonyms"
            task = EvaluationTask(data, lambda: package.load(data), path, *outputs)
            return evaluate(package, kind, task)


def problems_of(result: EvaluationResult) -> list[str]:
    """Return what is wrong with a file, by line and column; nothing where it is valid."""
    return [str(problem_from_json(problem)) for problem in result.get("problems", ())]


def write_kit(
    folder: str | os.PathLike[str], rules: str, files: Mapping[str, Path], package: Path | None
) -> Kit:
    """Write a kit into a new folder.

    Parameters
    ----------
    folder
        Must not exist.
    rules
        The rules as the text of their file.
    files
        What was handed out, by name: ``NAME``, or ``TEAM/NAME`` of another team.
    package
        The organizer's own package of rules, if there is one.
    """
    path = Path(folder)
    if path.exists():
        raise OutputError("'{path}' exists; a kit needs a new folder.", path=str(path))
    (path / "data").mkdir(parents=True)
    (path / "samples").mkdir()
    (path / RULES_FILE).write_text(rules, encoding="utf-8")
    if package is not None:
        copy = shutil.copytree if package.is_dir() else shutil.copyfile
        copy(package, path / package.name)
    for name, source in files.items():
        target = path / "data" / f"{name}.csv"
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(source, target)
    kit = Kit(path)
    applied = package_for(kit.rules)
    book = applied.describe()
    for kind in book.files:
        applied.write_sample(kind, kit.data(), path / "samples" / f"{kind.name}.csv")
    (path / "README.md").write_text(rule_book_page(kit.rules.title, book), encoding="utf-8")
    (path / "first_steps.ipynb").write_text(json.dumps(_notebook(book)), encoding="utf-8")
    return kit


def rule_book_page(title: str, book: RuleBook) -> str:
    """Return the rule book as a page of Markdown."""
    lines = [f"# {title}", "", book.summary, ""]
    for heading, entries in book.sections:
        lines += [f"## {heading}", "", *(f"- {name}: {value}" for name, value in entries), ""]
    for kind in book.files:
        lines += [f"## {kind.title} (`{kind.name}`)", "", kind.format, ""]
        if kind.examples:
            lines += ["```text", *kind.examples, "```", ""]
    lines += [
        f"## {say('Commands')}",
        "",
        "```text",
        "sudare contest check . masked.csv",
        "sudare contest score . masked.csv",
        "sudare contest check . guess.csv --kind KIND --target TEAM",
        "sudare contest pack . submission --output package.zip",
        "```",
        "",
    ]
    return "\n".join(lines)


def _notebook(book: RuleBook) -> dict[str, Any]:
    code = [
        "from pathlib import Path\n"
        "from sudare.contest.kit import Kit, problems_of\n\n"
        'kit = Kit(Path("."))\n'
        "kit.data()",
        'result = kit.evaluate(Path("samples/mask.csv"))\nproblems_of(result) or result["result"]',
    ]
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "metadata": {}, "source": book.summary}
    ]
    for source in code:
        cell = {"cell_type": "code", "metadata": {}, "source": source}
        cells.append({**cell, "execution_count": None, "outputs": []})
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}


def write_package(kit: Kit, source: Path, output: Path, *, overwrite: bool = False) -> list[str]:
    """Check the files of a folder and put them into a package; return their names.

    The folder has ``mask.csv``, and ``attacks/TEAM/KIND.csv`` for each attack.
    """
    files = {
        path.relative_to(source).as_posix(): path
        for path in sorted(source.rglob("*.csv"))
        if not path.is_symlink()
    }
    _check_names(files)
    for name, path in files.items():
        kind, target = kind_and_target(name)
        problems = problems_of(kit.evaluate(path, kind=kind, target=target))
        if problems:
            raise InputError("'{path}': {problem}", path=str(path), problem=problems[0])
    with (
        writing(output, overwrite=overwrite) as draft,
        zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as package,
    ):
        for name, path in files.items():
            package.write(path, name)
    return list(files)


def read_package(package: Path, folder: Path) -> dict[str, Path]:
    """Write the files of a package into a folder; return them by their names.

    Only names that :func:`write_package` gives are taken, so that nothing is written elsewhere, and
    no more bytes of a file than the package says.
    """
    files: dict[str, Path] = {}
    with package.open("rb") as file:
        for at, (name, content) in enumerate(_members(package, file)):
            files[name] = folder / f"{at}.csv"
            files[name].write_bytes(content)
    return files


def _members(package: Path, file: IO[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a package with their names."""
    try:
        with zipfile.ZipFile(file) as content:
            members = {info.filename: info for info in content.infolist()}
            _check_names(members)
            if len(members) < len(content.infolist()) or any(
                info.file_size > _LARGEST or info.flag_bits & 1 for info in members.values()
            ):
                raise _not_a_package(package)
            for name in members:
                yield name, content.read(name)
    except _DAMAGED:
        raise _not_a_package(package) from None


def _not_a_package(path: Path) -> InputError:
    return InputError("'{path}' is not a package of contest files.", path=str(path))


def kind_and_target(name: str) -> tuple[str, str | None]:
    """Return the kind of a file of a package, and whom it attacks.

    Examples
    --------
    >>> kind_and_target("attacks/Iwashi/membership.csv")
    ('membership', 'Iwashi')
    """
    path = PurePosixPath(name)
    return (MASK, None) if name == "mask.csv" else (path.stem, path.parent.name)


def _check_names(names: Iterable[str]) -> None:
    listed = list(names)
    wrong = [name for name in listed if not _MEMBER.fullmatch(name) or "/../" in name]
    if not listed or wrong or len(listed) > _MOST_FILES:
        raise InputError(
            "a package holds mask.csv, and attacks/TEAM/KIND.csv for each attack, and no other "
            "files."
        )
