"""Random draws keyed by (seed, version, step, column, row).

Draws come from a counter-based generator, so that a row gets the same draw whichever engine or
partition holds it: a partition jumps to its slice of the stream. The seed of a release is made of
the secret one, the table and the recipe, so that no two releases share a draw.
"""

import hashlib
import secrets
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from sudare.core.errors import SettingError
from sudare.core.seed_strength import seed_bits
from sudare.core.types import Array, Floats

Seed = int | np.random.Generator | None

_BLOCK = 4  # a Philox counter yields four 64-bit words
_BEYOND_DOUBLE = np.uint64(11)  # bits of a word that a draw in [0, 1) has no room for
_ENTROPY = 64  # bits that a seed must have, or else it can be found by trying all
_TOLD_IN = 56  # bits that tell a seed; a random one of 64 bits may repeat some digits by chance
_SCRYPT = {"n": 2**15, "r": 8, "p": 1, "maxmem": 2**26, "dklen": 16}  # a tenth of a second


@dataclass(frozen=True, repr=False)
class Draws:
    """The draws of one masking step, starting at one row. The seed is secret: no ``repr``.

    Examples
    --------
    >>> draws = Draws(seed=7)
    >>> whole, tail = draws.uniform("age", 10), draws.starting_at(6).uniform("age", 4)
    >>> bool((whole[6:] == tail).all())
    True
    """

    seed: int
    step: int = 0
    first_row: int = 0
    version: int = 0
    rows: Array | None = field(default=None, compare=False)  # only of these, where it is so

    def for_step(self, step: int) -> Self:
        """Return the draws of another step of the same recipe."""
        return replace(self, step=step)

    def for_version(self, version: int) -> Self:
        """Return the draws of another version of the masked table; the first is number 0."""
        return replace(self, version=version)

    def starting_at(self, row: int | Array) -> Self:
        """Return the draws of a partition whose first record is record ``row`` of the table.

        Of records that do not follow one another, all numbers are given, shape (n,).
        """
        if isinstance(row, int):
            return replace(self, first_row=row, rows=None)
        return replace(self, rows=row.astype(np.int64))

    def of_release(self, told: str) -> Self:
        """Return the draws of a release, made of the seed and of all that decides its records.

        Two releases that differ in anything share no draw: whoever has both could otherwise take
        the draws out, as of ``x + 0.1 z`` and ``x + 0.2 z``.
        """
        digest = hashlib.blake2b(f"{self.seed}|release|{told}".encode(), digest_size=16).digest()
        return type(self)(int.from_bytes(digest, "big") | 1 << 127)

    def uniform(self, column: str, rows: int, *, lane: int = 0) -> Floats:
        """Return draws in [0, 1), one per row.

        ``lane`` separates draws when a method needs several per cell.
        """
        if self.rows is not None:
            words = self.words(column, rows, lane=lane)
            return (words >> _BEYOND_DOUBLE).astype(np.float64) * 2.0**-53
        bits, skipped = self._stream(self._key(column, lane))
        return np.random.Generator(bits).random(rows + skipped)[skipped:]

    def words(self, column: str, rows: int, *, lane: int = 0) -> Array:
        """Return draws of 64 bits, one per row."""
        if self.rows is not None:
            from sudare.core._kernels import words_of_rows

            drawn = np.empty(len(self.rows), np.uint64)
            words_of_rows(self._key(column, lane), self.rows, drawn)
            return drawn
        bits, skipped = self._stream(self._key(column, lane))
        return bits.random_raw(rows + skipped)[skipped:]

    def normal(self, column: str, rows: int, *, lane: int = 0) -> Floats:
        """Return standard normal draws, one per row, by inversion (one uniform each)."""
        drawn = np.zeros(rows)
        self.add_normal(column, drawn, lane=lane)
        return drawn

    def add_normal(self, column: str, values: Floats, sd: float = 1.0, *, lane: int = 0) -> None:
        """Add to each row's value its normal draw, times a standard deviation."""
        from sudare.core._kernels import add_normals

        if self.rows is not None:
            values += normal_from(self.uniform(column, len(values), lane=lane)) * float(sd)
            return
        add_normals(self._key(column, lane), self.first_row, float(sd), values)

    def secret(self, column: str, lane: int = 0) -> bytes:
        """Return sixteen bytes that only the seed tells, the same for every row."""
        return self._key(column, lane).astype("<u8").tobytes()

    def _stream(self, key: Array) -> tuple[np.random.Philox, int]:
        """Return a generator near the first row, and how many draws to skip."""
        bits = np.random.Philox(key=key)
        bits.advance(self.first_row // _BLOCK)
        return bits, self.first_row % _BLOCK

    def _key(self, column: str, lane: int) -> Array:
        seed = f"{self.seed}.{self.version}" if self.version else str(self.seed)
        label = f"{seed}|{self.step}|{lane}|{column}".encode()
        digest = hashlib.blake2b(label, digest_size=16).digest()
        return np.frombuffer(digest, dtype="<u8").astype(np.uint64)


def normal_from(uniform: Floats) -> Floats:
    """Return the standard normal quantiles of draws in [0, 1); 0 counts as 2⁻⁵⁴.

    Examples
    --------
    >>> normal_from(np.array([0.5, 0.975])).round(4).tolist()
    [0.0, 1.96]
    """
    from sudare.core._kernels import normal_quantiles

    quantiles = np.array(uniform)
    normal_quantiles(quantiles)
    return quantiles


def draws_from(seed: Seed) -> Draws:
    """Return the draws for a seed, a generator, or (for ``None``) fresh entropy."""
    if seed is None:
        return Draws(secrets.randbits(128))
    if isinstance(seed, np.random.Generator):
        return Draws(int(seed.integers(2**63)))
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise SettingError("seed must be a whole number, 0 or more.")
    return Draws(int(seed))


def guessable(seed: Seed) -> bool:
    """Return whether a seed can be found by trying.

    That is one of fewer than 64 bits, one whose digits follow from one another, such as repeats,
    runs and dates (:func:`seed_bits`), and a generator.

    Whoever has the seed can undo what was drawn with it, so that a table drawn with such a seed is
    a trial and no release. Nobody can tell how a generator was seeded: it counts as guessable.

    Examples
    --------
    >>> guessable(20240401), guessable(20240401 * 10**20), guessable(2**90), guessable(None)
    (True, True, True, False)
    """
    if isinstance(seed, int | np.integer):
        return int(seed).bit_length() <= _ENTROPY or seed_bits(int(seed)) < _TOLD_IN
    return seed is not None


def stretched(seed: int, secret: bytes) -> int:
    """Return a seed of 128 bits made of one that a person chose and of a secret, by scrypt.

    Same seed, same secret, same result. Without the secret, of 16 bytes, nobody can try seeds; with
    it, each try costs a tenth of a second and 32 MB.

    References
    ----------
    Percival and Josefsson (2016). The scrypt password-based key derivation function. RFC 7914.

    Examples
    --------
    >>> stretched(7, bytes(16)) == stretched(7, bytes(16)) != stretched(8, bytes(16))
    True
    """
    made = hashlib.scrypt(str(seed).encode(), salt=secret, **_SCRYPT)
    return int.from_bytes(made, "big") | 1 << 127  # a seed of 128 bits, whatever was made
