"""Files by what they hold."""

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from sudare.contest.errors import EntryError, NotFoundError
from sudare.contest.storage.file_store import FileStore


@given(st.lists(st.binary(max_size=50)))
def test_content_comes_back_under_its_hash(
    tmp_path_factory: pytest.TempPathFactory, blocks: list[bytes]
) -> None:
    store = FileStore(tmp_path_factory.mktemp("store"))
    key = store.put(blocks)
    content = b"".join(blocks)
    assert key == hashlib.sha256(content).hexdigest()
    assert store.path(key).read_bytes() == content
    assert list(store.incoming.iterdir()) == []


def test_what_is_too_large_leaves_nothing(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    read = []

    def endless() -> object:
        while True:
            read.append(1)
            yield b"x" * 100

    with pytest.raises(EntryError):
        store.put(endless(), most=1000)  # type: ignore[arg-type]
    assert len(read) == 11
    assert [path.name for path in tmp_path.iterdir()] == ["incoming"]
    assert list(store.incoming.iterdir()) == []


def test_a_file_is_moved_from_inside_and_copied_from_outside(tmp_path: Path) -> None:
    store = FileStore(tmp_path / "store")
    outside, inside = tmp_path / "a.csv", store.draft()
    outside.write_bytes(b"a")
    inside.write_bytes(b"a")
    assert store.receive(outside) == store.receive(inside)
    assert outside.exists()
    assert not inside.exists()


def test_nobody_else_can_read_the_store(tmp_path: Path) -> None:
    store = FileStore(tmp_path / "store")
    key = store.put([b"secret"])
    assert store.path(key).stat().st_mode & 0o077 == 0
    assert store.incoming.stat().st_mode & 0o077 == 0


def test_only_old_drafts_are_swept(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    old, new = store.draft(), store.draft()
    os.utime(old, (0, 0))
    assert store.sweep() == 1
    assert new.exists()
    assert not old.exists()


def test_a_draft_that_arrives_while_others_are_swept_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FileStore(tmp_path)
    old, gone = store.draft(), tmp_path / "incoming" / "gone.part"
    os.utime(old, (0, 0))
    monkeypatch.setattr(Path, "iterdir", lambda _: iter([gone, old]))
    assert store.sweep() == 1


def test_a_key_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        FileStore(tmp_path).path("0" * 64)
