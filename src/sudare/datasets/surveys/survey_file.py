"""The made-up survey as a file, in the form in which such files arrive."""

import csv
import os
from collections.abc import Sequence

from sudare.core import Column, Microdata
from sudare.datasets.surveys.survey import survey_like
from sudare.datasets.surveys.survey_labels import NOTES
from sudare.engine.formats import writing

_FULL_WIDTH = str.maketrans("0123456789.,", "０１２３４５６７８９．，")


def write_survey_like(
    path: str | os.PathLike[str],
    n: int = 20_000,
    seed: int = 2024,
    *,
    persons: bool = False,
    overwrite: bool = False,
) -> Microdata:
    """Write `survey_like` as a CSV file with all its traps, and return the table.

    The file is in CP932 with four lines of notes above the header. Not applicable is blank.
    Weights have thousands separators, blanks around them, and full-width digits in every third
    record.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "survey.csv")
    >>> data = write_survey_like(path, 100, seed=1)
    >>> len(path.read_text(encoding="cp932").splitlines())
    105
    """
    data = survey_like(n, seed, persons=persons)
    with (
        writing(path, overwrite=overwrite) as draft,
        draft.open("w", encoding="cp932", newline="") as file,
    ):
        file.writelines(f"{line}\r\n" for line in NOTES)
        writer = csv.writer(file)
        writer.writerow(data.names)
        writer.writerows(zip(*(_cells(column) for column in data.columns), strict=True))
    return data


def _cells(column: Column) -> Sequence[str]:
    coded = column.coded
    is_weight = column.name == "集計用乗率"
    texts = [f"{label:,.2f}" if is_weight else str(label) for label in coded.labels]
    cells = [*texts, "", ""]  # codes -1 and -2
    if not is_weight:
        return [cells[code] for code in coded.codes.tolist()]
    forms = (cells, [text.translate(_FULL_WIDTH) for text in cells], [f" {t} " for t in cells])
    return [forms[row % 3][code] for row, code in enumerate(coded.codes.tolist())]
