"""The pages about the design list what is there: every file of the tree, and every note."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
NOTES = sorted(path.name for path in (ROOT / "docs" / "design").glob("[0-9]*.md"))


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tree_page", ROOT / "docs" / "tree_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tree_has_every_file_and_what_the_file_says_of_itself(hook: ModuleType) -> None:
    lines = hook.tree_page(hook.SOURCE).splitlines()
    shown = {re.sub(r" +", " ", line.strip()) for line in lines}
    for path in hook.SOURCE.rglob("*.py"):
        words = hook.first_line(path)
        assert words, path
        if path == hook.SOURCE / "__init__.py":
            continue
        name = f"{path.parent.name}/" if path.name == "__init__.py" else path.name
        is_room = path.name == "__init__.py" and path.parent.parent == hook.SOURCE
        listed = words if is_room else f"{name} {words}"
        assert listed in shown, path


def test_every_room_has_a_floor(hook: ModuleType) -> None:
    rooms = {path.parent.name for path in hook.SOURCE.glob("*/__init__.py")}
    assert rooms <= set(hook.ORDER)


def test_design_notes_are_numbered_without_a_gap() -> None:
    assert [int(name[:4]) for name in NOTES] == list(range(1, len(NOTES) + 1))


@pytest.mark.parametrize("page", ["mkdocs.yml", "docs/design/index.md"])
def test_every_design_note_is_listed(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    listed = re.findall(r"\d{4}-[a-z0-9-]+\.md", text)
    assert [name for name in listed if name in NOTES] == NOTES
    for name in NOTES:
        first = (ROOT / "docs" / "design" / name).read_text(encoding="utf-8").split("\n", 1)[0]
        assert first.startswith(f"# {int(name[:4])}. "), name
