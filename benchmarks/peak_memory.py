"""The most memory that each method of the catalog takes, as a multiple of its table's size.

Each method runs in a process of its own: first on a small table, so that libraries and machine code
do not count, then on a table of 100,000 records × 10 columns (6 MB; histories: 1,000 customers),
or the largest of the smaller ones that it masters in a minute. What it takes beyond what the
process had is divided by the size of the arrays of the table.
``python -m benchmarks.peak_memory --page FILE`` puts the table into a page, between its two marks.
"""

import ctypes
import gc
import re
import subprocess
import sys
from pathlib import Path

from benchmarks.first_call import work_of

SIZES = (100_000, 20_000, 4_000)  # records; a hundredth of them for customers of histories
RECORD = {"table": 60, "history": 32}  # bytes of a record of the made-up data
_PATIENCE = 60  # seconds
_MARK = "<!-- peak memory -->\n"


def peak(number: int, rows: int) -> tuple[int, int]:
    """Return the most bytes that a method takes in this process, and those of its table."""
    import sudare
    from sudare import catalog

    work_of(number)()
    work = work_of(number, rows, rows // 100)
    status = Path("/proc/self/status")
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # else what was freed could be taken again for nothing
    Path("/proc/self/clear_refs").write_text("5")  # the peak is from now on
    before = _kilobytes("VmRSS", status.read_text())
    work()
    most = _kilobytes("VmHWM", status.read_text())
    subject = catalog.METHODS[number].subject
    if subject == "history":
        rows = sudare.datasets.purchases_like(rows // 100, 1).rows
    return (most - before) * 1024, rows * RECORD[subject]


def _kilobytes(what: str, status: str) -> int:
    match = re.search(rf"{what}:\s+(\d+)", status)
    assert match is not None
    return int(match[1])


def measured(number: int) -> tuple[int, float] | None:
    """Return the records of the largest table that was mastered in time, and the multiple."""
    for rows in SIZES:
        command = [sys.executable, "-m", "benchmarks.peak_memory", "--one", str(number), str(rows)]
        try:
            run = subprocess.run(
                command, capture_output=True, check=False, text=True, timeout=_PATIENCE
            )
        except subprocess.TimeoutExpired:
            continue
        if run.returncode == 0:
            most, size = map(int, run.stdout.split())
            return rows, most / size
    return None


def main(page: Path | None = None) -> None:
    from sudare import catalog

    lines = ["| method | of | most memory, × the table | at records |", "| --- | --- | --- | --- |"]
    for number, entry in enumerate(catalog.METHODS):
        cost = measured(number)
        many = "customers" if entry.subject == "history" else "records"
        multiple = "–" if cost is None else f"{cost[1]:.1f}"
        at = "" if cost is None else f"{cost[0] // (100 if many == 'customers' else 1):,} {many}"
        lines.append(f"| {entry.name} | {entry.subject} | {multiple} | {at} |")
        print(lines[-1], flush=True)
    if page is not None:
        before, _, after = page.read_text().split(_MARK)
        page.write_text(_MARK.join([before, "\n".join(lines) + "\n", after]))


if __name__ == "__main__":
    if "--one" in sys.argv:
        print(*peak(*map(int, sys.argv[-2:])))
    else:
        main(Path(sys.argv[-1]) if "--page" in sys.argv else None)
