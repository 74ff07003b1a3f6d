"""Examples that run when they are pasted: each brings its imports, and ends what it indents.

The examples of docstrings are tested in their module, where its names are known. A reader pastes
them into an interpreter that knows none, so that the build puts the imports before them.
"""

import ast
import builtins
import doctest
import re
from contextlib import suppress
from typing import Any

import griffe

FIRST = re.compile(r"^( *)>>> ", re.MULTILINE)
ROLE = re.compile(r":(?:class|func|meth|data|mod|attr|exc):`~?([^`]+)`")
BLOCK = re.compile(r"^```pycon\n.*?^```$", re.MULTILINE | re.DOTALL)
CONTINUED = re.compile(r'<span class="go">&gt; ?(.*?)</span>')
ERROR = re.compile(r'<span class="gt">Traceback.*?(?=<span class="gp">|</code>|\n\n)', re.DOTALL)
TAG = re.compile(r"</?span[^>]*>|<a [^>]*></a>")
BOUND = {ast.FunctionDef: "name", ast.ClassDef: "name", ast.arg: "arg"}
INDENTING = (ast.For, ast.While, ast.If, ast.With, ast.Try, ast.FunctionDef, ast.ClassDef)


class Imports(griffe.Extension):
    """Puts the imports before the examples of the docstrings that the site shows."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of an object, before it is shown; names in it are code."""
        if obj.docstring:
            obj.docstring.value = ROLE.sub(r"`\1`", obj.docstring.value)
        if obj.docstring and FIRST.search(obj.docstring.value):
            text = with_ends(obj.docstring.value)
            lines = imports(undefined_names(code_of(text)), obj.module)
            obj.docstring.value = FIRST.sub(
                lambda first: "".join(f"{first[0]}{line}\n" for line in lines) + first[0], text, 1
            )


def on_page_markdown(markdown: str, **_: Any) -> str:
    """End what the examples of a page indent."""
    return BLOCK.sub(lambda block: with_ends(block[0]), markdown)


def on_page_content(html: str, **_: Any) -> str:
    r"""Mark lines that go on with a command as code, and errors as output, which is not copied.

    Examples
    --------
    >>> on_page_content('<span class="go">&gt; k = 5</span>')
    '<span class="gp">&gt; </span>k = 5'
    >>> error = '<span class="gt">Traceback</span>:\n<span class="gr">E</span>: no\n'
    >>> on_page_content(error + '<span class="gp">x</span>')
    '<span class="go">Traceback:\nE: no\n</span><span class="gp">x</span>'
    """
    html = CONTINUED.sub(r'<span class="gp">&gt; </span>\1', html)
    return ERROR.sub(lambda error: f'<span class="go">{TAG.sub("", error[0])}</span>', html)


def code_of(text: str) -> str:
    """Return the examples of a text, without prompts and output."""
    return "".join(example.source for example in doctest.DocTestParser().get_examples(text))


def undefined_names(code: str) -> set[str]:
    """Return the names that code uses and neither binds nor imports.

    Examples
    --------
    >>> sorted(undefined_names("import numpy as np; x = [np.log(y) for y in data]; len(x) + k"))
    ['data', 'k']
    """
    used: set[str] = set()
    bound = set(dir(builtins))
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).split(".")[0])
        elif type(node) in BOUND:
            bound.add(getattr(node, BOUND[type(node)]))
    return used - bound


def imports(names: set[str], module: griffe.Module) -> list[str]:
    """Return the lines that import what a module calls by these names, each from its outer door."""
    lines: list[str] = []
    doors: dict[str, list[str]] = {}
    for name in sorted(names):
        room, _, there = door_of(path_of(name, module), module).rpartition(".")
        said = there if there == name else f"{there} as {name}"
        if room:
            doors.setdefault(room, []).append(said)
        else:
            lines.append(f"import {said}")
    return lines + [f"from {room} import {', '.join(said)}" for room, said in sorted(doors.items())]


def path_of(name: str, module: griffe.Module) -> str:
    """Return where a name of a module comes from, by the imports of the module."""
    member = module.members[name]
    return member.target_path if isinstance(member, griffe.Alias) else member.path


def door_of(path: str, module: griffe.Module) -> str:
    """Return the outermost path of what has a path: the room that offers it."""
    inner, name = path.split("."), path.rpartition(".")[2]
    for depth in range(1, len(inner) - 1):
        outer = ".".join([*inner[:depth], name])
        if origin(outer, module) == origin(path, module):
            return outer
    return path


def origin(path: str, module: griffe.Module) -> str:
    """Return where something is defined, as far as the doors of the package tell."""
    with suppress(KeyError):  # of another package
        member = module.modules_collection[path]
        return origin(member.target_path, module) if member.is_alias else path
    return path


def with_ends(text: str) -> str:
    """Return examples with an empty line after each indented statement that prints nothing.

    Without it, the interpreter that they are pasted into takes the next line for a part of it.

    Examples
    --------
    >>> with_ends(">>> for n in (1, 2):\\n...     total += n\\n>>> total\\n3\\n")
    '>>> for n in (1, 2):\\n...     total += n\\n...\\n>>> total\\n3\\n'
    """
    lines = text.splitlines(keepends=True)
    for example in reversed(doctest.DocTestParser().get_examples(text)):
        end = example.lineno + example.source.count("\n")
        indents = isinstance(ast.parse(example.source).body[-1], INDENTING)
        if indents and not example.want and lines[end - 1].strip() != "...":
            lines.insert(end, " " * example.indent + "...\n")
    return "".join(lines)
