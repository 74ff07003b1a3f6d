"""Results of long computations, kept line by line in a file so that the work can be resumed."""

import json
from pathlib import Path
from threading import Lock
from typing import Any

from sudare.core import InputError
from sudare.engine.formats.atomic import refuse_inputs


class ResultCache:
    """Results by key, kept in a file of JSON lines; without a path they are kept in memory.

    A line that was cut off while it was written is forgotten.

    Parameters
    ----------
    path
        The file; it is made when it does not exist.
    about
        What the work is about, such as a digest of its data and settings. A file that is about
        something else is refused.

    Examples
    --------
    >>> cache = ResultCache(None, "trial")
    >>> cache.add("a", {"value": 1})
    >>> "a" in cache, cache["a"]
    (True, {'value': 1})
    """

    def __init__(self, path: Path | None, about: str) -> None:
        self._path, self._lock = path, Lock()
        self._results: dict[str, Any] = {}
        if path is None:
            return
        refuse_inputs(path)
        if path.exists():
            self._read(path, about)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)  # results may be as confidential as the data
            self._append({"about": about})

    def __contains__(self, key: str) -> bool:
        return key in self._results

    def __getitem__(self, key: str) -> Any:
        return self._results[key]

    def add(self, key: str, content: Any) -> None:
        """Keep a result; the content is anything that JSON knows."""
        with self._lock:
            self._results[key] = content
            self._append({"key": key, "found": content})

    def _append(self, line: dict[str, Any]) -> None:
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def _read(self, path: Path, about: str) -> None:
        lines = path.read_bytes().splitlines(keepends=True)
        whole = [line for line in lines if line.endswith(b"\n")]
        try:
            opening, *entries = [json.loads(line) for line in whole]
            self._results = {entry["key"]: entry["found"] for entry in entries}
            ours = opening["about"] == about
        except (ValueError, TypeError, LookupError):  # not a file of results
            ours = False
        if not ours:
            raise InputError(
                "'{path}' belongs to work on other data or settings; choose another folder.",
                path=str(path),
            )
        if whole != lines:  # cut off in the middle of writing
            path.write_bytes(b"".join(whole))
