"""Linear masking of a file that does not fit in memory: moments first, then block by block."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sudare.core.draws import Seed, draws_from
from sudare.core.masker import Step
from sudare.core.microdata import Microdata
from sudare.core.moments import Moments
from sudare.engine.atomic import check_free
from sudare.engine.blocks import BLOCK_ROWS, read_blocks, write_blocks
from sudare.engine.moments import merge, moments
from sudare.mask.linear import LinearMasker, numbers


def mask_in_blocks(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    masker: LinearMasker,
    *,
    seed: Seed = None,
    block_rows: int = BLOCK_ROWS,
    overwrite: bool = False,
    **reading: Any,
) -> Step:
    """Mask a Parquet file into another one without ever having it whole in memory.

    The file is read twice: for means and covariances, and to be masked. The result is the one of
    :func:`sudare.apply` with the same seed, up to the rounding of the covariances.

    Parameters
    ----------
    source, target
        Parquet files; the second appears whole or not at all.
    masker
        ``OrthogonalTransform`` or ``RegressionSynthesis``.
    seed
        Same seed, same data, same result. Keep it as secret as the data.
    block_rows
        Records that are in memory at a time.
    overwrite
        Whether a file of the name of the target may be replaced.
    reading
        What :func:`sudare.read` takes about the columns, such as ``roles``.

    Examples
    --------
    >>> import tempfile, sudare
    >>> folder = Path(tempfile.mkdtemp())
    >>> data = sudare.datasets.expenditure_like(1000, seed=1)
    >>> before = sudare.write(data, folder / "before.parquet")
    >>> masker = sudare.mask.OrthogonalTransform(loss=0.1, columns=data.names)
    >>> step = mask_in_blocks(before, folder / "after.parquet", masker, block_rows=300)
    >>> step.method, sudare.read(folder / "after.parquet").rows
    ('OrthogonalTransform', 1000)
    """
    check_free(Path(target), overwrite=overwrite)
    found: list[Moments] = []
    columns: tuple[str, ...] = ()
    for block in read_blocks(source, block_rows=block_rows, **reading):
        columns = masker.chosen(block)
        found.append(moments(numbers(block, columns)))
    plan = masker.plan(columns, merge(found, len(columns)))

    def masked() -> Iterator[Microdata]:
        draws, first = draws_from(seed), 0
        for block in read_blocks(source, block_rows=block_rows, **reading):
            yield plan.transform(block, seed=draws.starting_at(first))
            first += block.rows

    write_blocks(masked(), target, overwrite=overwrite)
    return plan.step
