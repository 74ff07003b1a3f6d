"""How hard a seed is to guess, judged by its digits.

Nobody can see how a number was drawn. What can be seen are digits that follow from others: repeats,
runs such as 12345 or 00000, dates, and constants that everybody knows. A few bits tell such digits,
as in a compressor (Ziv and Lempel 1977; with dates and runs as in Wheeler 2016, zxcvbn).
"""

import re
from itertools import pairwise
from math import log2

_KNOWN = "3141592653589793238462643383279502884197127182818284590452353602874713526624977572"
_DATE = re.compile(r"(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
_DATE_BITS = log2(200 * 366)
_SHORTEST = 3  # digits that are no accident


def seed_bits(seed: int) -> float:
    """Return how many bits tell a seed, written in tens or in sixteens, whichever needs fewer.

    Examples
    --------
    >>> seed_bits(20240401202404012024) < 40, seed_bits(12345678901234567890) < 40
    (True, True)
    >>> seed_bits(2**100 + 1) < 40, seed_bits(73915502846613094428817) > 64
    (True, True)
    """
    return min(_bits(str(abs(seed)), 10, _KNOWN), _bits(f"{abs(seed):x}", 16, ""))


def _bits(digits: str, base: int, known: str) -> float:
    bits, here = 0.0, 0
    while here < len(digits):
        literal = log2(base)
        options = [
            (1, literal),
            (_repeated(known + digits, len(known) + here), 2 * log2(len(known + digits))),
            (_run(digits, here, base), 2 * literal + log2(len(digits))),
        ]
        if base == 10 and _DATE.match(digits, here):
            options.append((8, _DATE_BITS))
        length, cost = max(options, key=lambda option: option[0] * literal - option[1])
        bits, here = bits + cost, here + length
    return bits


def _repeated(text: str, here: int) -> int:
    """Return how many digits from here on stand somewhere before, too; 0 for hardly any."""
    length = _SHORTEST - 1
    while here + length < len(text) and text.find(text[here : here + length + 1]) < here:
        length += 1
    return length if length >= _SHORTEST else 0


def _run(digits: str, here: int, base: int) -> int:
    """Return how many digits from here on go up or down by one step, or stay; 0 for hardly any."""
    values = [int(digit, base) for digit in digits[here:]]
    steps = [(after - value) % base for value, after in pairwise(values)]
    same = next((n for n, step in enumerate(steps) if step != steps[0]), len(steps))
    return same + 1 if same + 1 >= _SHORTEST else 0
