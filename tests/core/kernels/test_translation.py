"""Kernels do what the same functions do in Python, and say what they cannot do."""

import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sudare.core import (
    Array,
    CodeMatrix,
    CodeVector,
    FlagVector,
    Floats,
    FloatVector,
    IntegerMatrix,
    Integers,
    IntegerVector,
    SingleVector,
    WordVector,
    as_matrix,
    inlined,
    kernel,
)
from sudare.core.kernels.compiled import Kernel
from sudare.core.kernels.values import KernelError

WEIGHTS = (0.5, 2.0, -3.0)
_MIXING = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
small = st.integers(-50, 50)


def python_of(compiled: object) -> object:
    assert isinstance(compiled, Kernel)
    return compiled.function


@kernel
def whole_numbers(a: int, b: int, out: IntegerVector) -> tuple[int, int]:
    out[0], out[1], out[2] = a + b, a - b, a * b
    out[3], out[4] = a // b, a % b
    out[5], out[6], out[7] = a & b, a | b, a ^ ~b
    out[8], out[9] = a << 3, a >> 2
    out[10], out[11] = min(a, b, 3), max(a, b, -3)
    out[12], out[13] = abs(a), -b
    return a if a > b else b, (a < b) + (a == b) * 2


@given(small, small.filter(bool))
def test_whole_numbers_are_computed_as_in_python(a: int, b: int) -> None:
    out, expected = np.zeros(14, np.int64), np.zeros(14, np.int64)
    returned = whole_numbers(a, b, out)
    assert returned == python_of(whole_numbers)(a, b, expected)  # type: ignore[operator]
    assert out.tolist() == expected.tolist()


@kernel
def fractions(x: float, y: float, n: int, out: FloatVector) -> float:
    out[0], out[1], out[2], out[3] = x + y, x - n, x * y, x / y
    out[4], out[5] = n / 3, abs(x) ** 2
    out[6], out[7] = math.sqrt(abs(x)), math.log(abs(y) + 1)
    out[8], out[9] = math.floor(x), math.ceil(y)
    out[10], out[11] = math.copysign(x, y), math.exp(-abs(x))
    out[12], out[13] = int(x), float(n)
    out[14], out[15] = math.log1p(abs(y)), np.inf
    return -x if x <= y < n or not n else x


@given(
    st.floats(-1e3, 1e3),
    st.floats(-1e3, 1e3).filter(bool),
    small,
)
def test_fractions_are_computed_as_in_python(x: float, y: float, n: int) -> None:
    out, expected = np.zeros(16), np.zeros(16)
    returned = fractions(x, y, n, out)
    assert returned == python_of(fractions)(x, y, n, expected)  # type: ignore[operator]
    np.testing.assert_array_equal(out, expected)


class Table(NamedTuple):
    codes: CodeMatrix
    weights: FloatVector


class Both(NamedTuple):
    table: Table
    least: int


@inlined
def row_sum(row: CodeVector, least: int) -> int:
    total = 0
    for code in row:
        if code < least:
            continue
        total += code
    return total


@kernel
def loops(given_: Both, flags: FlagVector, out: FloatVector, sums: IntegerVector) -> int:
    codes, weights = given_.table
    rows, columns = codes.shape
    out[:] = 0
    for row in range(rows - 1, -1, -1):
        sums[row] = row_sum(codes[row], given_.least)
        for column in range(0, columns, 2):
            out[row] += codes[row, column] * weights[column]
        out[row] += WEIGHTS[row % 3]
        flags[row] = sums[row] > 5
    flags[1:3] = False
    count, row = 0, 0
    while True:
        if row == rows:
            break
        for step, sign in ((1, 2), (3, -1)):
            if flags[row] and step == 3:
                break
            count += step * sign
        row += 1
    return count + row_sum(codes[0, 1:], 0)


@given(st.integers(1, 5), st.integers(1, 4), st.integers(0, 10**6), small)
def test_loops_rows_slices_and_groups_are_those_of_python(
    rows: int, columns: int, seed: int, least: int
) -> None:
    rng = np.random.default_rng(seed)
    both = Both(
        Table(rng.integers(-9, 9, (rows, columns)).astype(np.int32), rng.normal(size=columns)),
        least,
    )

    def run(function: object) -> tuple[int, list[object]]:
        flags, out, sums = np.ones(rows, np.bool_), np.empty(rows), np.zeros(rows, np.int64)
        count = function(both, flags, out, sums)  # type: ignore[operator]
        return int(count), [flags.tolist(), out.tolist(), sums.tolist()]

    assert run(loops) == run(python_of(loops))


@kernel
def mixed(words: WordVector, singles: SingleVector, pool: IntegerVector) -> float:
    spread = np.empty((2, 3), np.float32)
    for i in range(len(words)):
        words[i] = (words[i] * _MIXING) ^ (words[i] >> _SHIFT)
        singles[i] *= singles[i]
    matrix = as_matrix(pool, 2, 3)
    total = 0.0
    for row in range(2):
        for column in range(3):
            spread[row, column] = matrix[row, column]
            total += spread[row, column] / 4
    return total


def test_words_singles_and_working_space() -> None:
    words = np.array([1, 2**63, 2**64 - 1], np.uint64)
    singles = np.array([0.1, 1.5, -3], np.float32)
    expected = (words * _MIXING) ^ (words >> _SHIFT)
    squares = singles * singles
    assert mixed(words, singles, np.arange(8)) == 15 / 4
    np.testing.assert_array_equal(words, expected)
    np.testing.assert_array_equal(singles, squares)


@kernel
def copied(source: IntegerMatrix, target: IntegerMatrix) -> None:
    for row in range(len(source)):
        target[row] = source[row]


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((2, 2), np.int32),
        np.zeros(4, np.int64),
        np.zeros((2, 4), np.int64)[:, ::2],
        np.zeros((4, 2), np.int64).T,
        [[0, 0], [0, 0]],
    ],
)
def test_other_arrays_than_declared_are_refused(array: Array) -> None:
    with pytest.raises(KernelError, match="copied takes"):
        copied(array, np.zeros((2, 2), np.int64))


def test_an_array_that_may_not_be_changed_is_only_read() -> None:
    fixed = np.ones((2, 2), np.int64)
    fixed.flags.writeable = False
    target = np.zeros((2, 2), np.int64)
    copied(fixed, target)
    assert target.tolist() == fixed.tolist()
    with pytest.raises(KernelError, match="writable"):
        copied(target, fixed)


@inlined
def calls_itself(n: int) -> int:
    return calls_itself(n - 1) + calls_itself(n - 2)


@kernel
def recursive(n: int) -> int:
    return calls_itself(n)


@kernel
def sorts(values: FloatVector) -> float:
    return float(np.sort(values)[0])


@kernel
def forgets_fractions(values: FloatVector) -> int:
    total = 0
    for value in values:
        total = value
    return total


@kernel
def from_the_end(values: FloatVector) -> float:
    return float(values[-1])


@kernel
def two_arrays(values: FloatVector, others: FloatVector) -> float:
    chosen = values
    chosen = others
    return float(chosen[0])


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (recursive, "calls itself"),
        (sorts, "sort"),
        (forgets_fractions, "first and"),
        (from_the_end, "index '-1'"),
        (two_arrays, "two arrays of the name"),
    ],
)
def test_what_cannot_be_translated_is_said_with_its_line(function: object, message: str) -> None:
    assert isinstance(function, Kernel)
    with pytest.raises(KernelError, match=message) as caught:
        _ = function.translation
    assert any("line" in note for note in caught.value.__notes__)


def test_every_kernel_of_the_package_translates_and_names_nothing_from_outside() -> None:
    kernels = all_kernels()
    assert len(kernels) > 30
    allowed = ("llvm.", "log(", "log1p(", "exp(")
    for each in kernels:
        text = each.translation.text
        assert "inttoptr" not in text
        for line in text.splitlines():
            if line.startswith("declare"):
                assert line.partition("@")[2].startswith(allowed), line


def all_kernels() -> list[Kernel]:
    import importlib
    import pkgutil

    import sudare

    names = [
        module.name
        for module in pkgutil.walk_packages(sudare.__path__, "sudare.")
        if module.name.rpartition(".")[2].startswith("_kernels")
    ]
    return [
        value
        for name in names
        for value in vars(importlib.import_module(name)).values()
        if isinstance(value, Kernel) and value.function.__module__ == name
    ]


def test_threads_share_one_compilation() -> None:
    from concurrent.futures import ThreadPoolExecutor

    def total(start: int) -> int:
        values: Integers = np.arange(start, start + 1000)
        return int(summed(values))

    with ThreadPoolExecutor(8) as pool:
        totals = list(pool.map(total, range(32)))
    assert totals == [sum(range(start, start + 1000)) for start in range(32)]


@kernel
def summed(values: IntegerVector) -> int:
    total = 0
    for value in values:
        total += value
    return total


def test_a_kernel_is_called_with_the_numbers_of_numpy() -> None:
    values: Floats = np.zeros(16)
    assert fractions(np.float64(1.5), 2.0, int(np.int64(3)), np.zeros(16)) == -1.5
    with pytest.raises(KernelError):
        fractions("1", 2.0, 3, values)  # type: ignore[arg-type]
