"""Machine code is kept between processes: correct after an upgrade, for its owner only."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

RUN = """
import sys, time
import numpy as np
from work import total
from sudare.core.kernels import object_code

compiled = []
plain = object_code._compiled
object_code._compiled = lambda *given: compiled.append(1) or plain(*given)
print(total(np.arange(4)), len(compiled))
"""
KERNEL = """
from sudare.core import IntegerVector, kernel
from callee import weighted

@kernel
def total(values: IntegerVector) -> int:
    result = 0
    for value in values:
        result += weighted(value)
    return result
"""
CALLEE = """
from sudare.core import inlined

FACTOR = {factor}

@inlined
def weighted(value: int) -> int:
    return FACTOR * value
"""


def write_package(folder: Path, factor: int) -> None:
    (folder / "work.py").write_text(KERNEL)
    (folder / "callee.py").write_text(CALLEE.format(factor=factor))
    for file in folder.glob("*.py"):
        os.utime(file, (0, 0))  # wheels carry fixed dates


def started(package: Path, **environment: str) -> subprocess.Popen[str]:
    variables = {**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.Popen(
        [sys.executable, "-c", RUN],
        env=variables | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(package: Path, **environment: str) -> tuple[int, int]:
    """Return what the kernel returns, and how many kernels were compiled for it."""
    out, errors = started(package, **environment).communicate()
    assert not errors, errors
    total, compiled = out.split()
    return int(total), int(compiled)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    folder.mkdir()
    write_package(folder, 1)
    return folder


def test_an_upgrade_that_changes_only_a_callee_is_noticed(package: Path, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    assert run(package, SUDARE_CACHE=cache) == (6, 1)
    assert run(package, SUDARE_CACHE=cache) == (6, 0)
    write_package(package, 7)  # same size, same date
    assert run(package, SUDARE_CACHE=cache) == (42, 1)


def test_damaged_code_is_compiled_again(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    run(package, SUDARE_CACHE=str(cache))
    (file,) = cache.iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    assert run(package, SUDARE_CACHE=str(cache)) == (6, 1)
    file.write_bytes(b"")
    assert run(package, SUDARE_CACHE=str(cache)) == (6, 1)
    assert run(package, SUDARE_CACHE=str(cache)) == (6, 0)


def test_the_folder_is_closed_to_others_and_open_folders_are_not_used(
    package: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    run(package, SUDARE_CACHE=str(cache))
    assert cache.stat().st_mode & 0o777 == 0o700
    cache.chmod(0o777)
    assert run(package, SUDARE_CACHE=str(cache)) == (6, 1)
    link = tmp_path / "link"
    cache.chmod(0o700)
    link.symlink_to(cache)
    assert run(package, SUDARE_CACHE=str(link)) == (6, 1)


def test_processes_that_start_at_once_do_not_disturb_each_other(
    package: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    processes = [started(package, SUDARE_CACHE=str(cache)) for _ in range(4)]
    outputs = [process.communicate() for process in processes]
    assert [out.split()[0] for out, _ in outputs] == ["6"] * 4
    assert len(list(cache.iterdir())) == 1  # no files left over
    assert run(package, SUDARE_CACHE=str(cache)) == (6, 0)


def test_without_a_home_or_a_folder_to_write_kernels_work(package: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    assert run(package, SUDARE_CACHE=str(file / "cache")) == (6, 1)
    nowhere = {"SUDARE_CACHE": "", "XDG_CACHE_HOME": "", "HOME": str(file / "home")}
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    assert run(package, **nowhere, TMPDIR=str(temporary)) == (6, 1)
    assert run(package, **nowhere, TMPDIR=str(temporary)) == (6, 0)
    package.chmod(0o500)
    assert run(package, **nowhere, TMPDIR=str(temporary)) == (6, 0)
    package.chmod(0o700)
