"""How pages write times, numbers, sizes and names of files."""

import re
import unicodedata
from datetime import UTC, datetime, tzinfo
from pathlib import PurePath

from markupsafe import Markup

_LONGEST_FILE_NAME = 100
_LONGEST_ENDING = 20
_MOST_BYTES = 180  # of a name without its ending: file systems take 255 in all


def time_element(at: datetime, zone: tzinfo = UTC) -> Markup:
    """Return a point in time as HTML, on the clock of a zone; pages name the zone at their foot.

    Examples
    --------
    >>> from zoneinfo import ZoneInfo
    >>> time_element(datetime(2018, 9, 27, tzinfo=UTC), ZoneInfo("Asia/Tokyo"))
    Markup('<time datetime="2018-09-27T00:00:00Z">2018-09-27 09:00</time>')
    """
    return Markup('<time datetime="{}">{}</time>').format(
        at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        at.astimezone(zone).strftime("%Y-%m-%d %H:%M"),
    )


def decimal(value: float | None, digits: int = 4) -> str:
    """Return a number as the pages write it, and a dash where there is none.

    Examples
    --------
    >>> decimal(0.20639), decimal(None), decimal(12.5, 1)
    ('0.2064', '–', '12.5')
    """
    return "–" if value is None else f"{value:.{digits}f}"


def byte_size(count: int) -> str:
    """Return a number of bytes as people say it.

    Examples
    --------
    >>> byte_size(300), byte_size(4_500_000)
    ('300 B', '4.5 MB')
    """
    amount = float(count)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def shown_file_name(name: str) -> str:
    r"""Return a file's name as it may be shown: without folders and control characters.

    One that is too long keeps its ending. It is never used as a path.

    Examples
    --------
    >>> shown_file_name("../../etc/passwd"), shown_file_name("a\x00b" + "c" * 200)[:4]
    ('passwd', 'abcc')
    >>> shown_file_name("表" * 99 + ".csv")[-5:]
    '表.csv'
    >>> shown_file_name("")
    'file'
    """
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    printable = "".join(letter for letter in last if letter.isprintable()).strip(" .")
    ending = PurePath(printable).suffix[:_LONGEST_ENDING]
    stem = printable.removesuffix(ending)[: _LONGEST_FILE_NAME - len(ending)]
    stem = stem.encode()[:_MOST_BYTES].decode(errors="ignore")
    return stem + ending or "file"
