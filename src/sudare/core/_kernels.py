"""Kernels of the draws: loops that NumPy cannot say. Each has a NumPy twin in the tests."""

import math

import numpy as np

from sudare.core.kernels import FloatVector, IntegerVector, WordVector, inlined, kernel

_BLOCK = 1024  # draws looked at together, in the cache
_COUNTERS = _BLOCK // 4  # each yields four draws
_MIDDLE = 0.425  # quantiles of 0.5 ± this have a formula of their own
_LEAST = 2.0**-54  # used in place of 0, which would give minus infinity

# Wichura's coefficients of the numerators and denominators, from the constant on: for the middle,
# for tails with √(−log p) up to 5, and for the tails beyond.
_MIDDLE_OVER = (
    *(3.3871328727963666080, 1.3314166789178437745e2, 1.9715909503065514427e3),
    *(1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4),
    *(3.3430575583588128105e4, 2.5090809287301226727e3),
)
_MIDDLE_UNDER = (
    *(1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3),
    *(2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4),
    *(5.2264952788528545610e3,),
)
_TAIL_OVER = (
    *(1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550),
    *(3.64784832476320460504, 1.27045825245236838258, 2.41780725177450611770e-1),
    *(2.27238449892691845833e-2, 7.74545014278341407640e-4),
)
_TAIL_UNDER = (
    *(1.0, 2.05319162663775882187, 1.67638483018380384940, 6.89767334985100004550e-1),
    *(1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4),
    *(1.05075007164441684324e-9,),
)
_FAR_OVER = (
    *(6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580),
    *(2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3),
    *(2.71155556874348757815e-5, 2.01033439929228813265e-7),
)
_FAR_UNDER = (
    *(1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2),
    *(7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7),
    *(2.04426310338993978564e-15,),
)

# Philox 4×64 in ten rounds: its two multipliers, and what is added to the key in each round.
_ROUNDS = 10
_FACTOR, _OTHER_FACTOR = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
_TURN, _OTHER_TURN = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
_ZERO = np.uint64(0)
_HALF, _LOW_HALF = np.uint64(32), np.uint64(0xFFFFFFFF)
_BEYOND_DOUBLE, _DOUBLE_UNIT = np.uint64(11), 2.0**-53


@kernel
def add_normals(key: WordVector, first: int, size: float, values: FloatVector) -> None:
    """Add to values, shape (n,), the normal draws ``first``, ``first`` + 1, … of a key.

    They are the quantiles of what NumPy's Philox draws with this key, made many at a time.

    Parameters
    ----------
    key
        Two words of 64 bits, shape (2,).
    size
        Standard deviation of what is added.
    """
    shares, skipped, done = np.empty(_BLOCK), first % 4, 0
    while done < values.shape[0]:
        _philox(key, (first + done) // 4, shares)
        drawn = shares[skipped : skipped + values.shape[0] - done]
        _quantiles(drawn)
        for i in range(drawn.shape[0]):
            values[done + i] += drawn[i] * size
        done, skipped = done + drawn.shape[0], 0


@inlined
def _philox(key: WordVector, counter: int, shares: FloatVector) -> None:
    """Fill an array with the draws in [0, 1) that come after a counter, four of each.

    References
    ----------
    Salmon, Moraes, Dror and Shaw (2011). Parallel random numbers: as easy as 1, 2, 3. SC '11.
    """
    words = np.empty((4, _COUNTERS), np.uint64)
    a, b, c, d = words[0], words[1], words[2], words[3]
    for i in range(_COUNTERS):
        a[i] = np.uint64(counter + 1 + i)
        b[i], c[i], d[i] = _ZERO, _ZERO, _ZERO
    own, other = key[0], key[1]
    for _ in range(_ROUNDS):
        for i in range(_COUNTERS):
            left, right = a[i], c[i]
            a[i], c[i] = (
                _high(_OTHER_FACTOR, right) ^ b[i] ^ own,
                _high(_FACTOR, left) ^ d[i] ^ other,
            )
            b[i], d[i] = _OTHER_FACTOR * right, _FACTOR * left
        own, other = own + _TURN, other + _OTHER_TURN
    for i in range(_COUNTERS):
        for word in range(4):
            shares[4 * i + word] = np.int64(words[word, i] >> _BEYOND_DOUBLE) * _DOUBLE_UNIT


@kernel
def words_of_rows(key: WordVector, rows: IntegerVector, words: WordVector) -> None:
    """Fill an array, shape (n,), with the draws of 64 bits of a key that some rows get."""
    for i in range(rows.shape[0]):
        a, b, c, d = np.uint64(rows[i] // 4 + 1), _ZERO, _ZERO, _ZERO
        own, other = key[0], key[1]
        for _ in range(_ROUNDS):
            left, right = a, c
            a = _high(_OTHER_FACTOR, right) ^ b ^ own
            c = _high(_FACTOR, left) ^ d ^ other
            b, d = _OTHER_FACTOR * right, _FACTOR * left
            own, other = own + _TURN, other + _OTHER_TURN
        word = rows[i] % 4
        words[i] = (a if word == 0 else b) if word < 2 else (c if word == 2 else d)


@inlined
def _high(left: np.uint64, right: np.uint64) -> np.uint64:
    """Return the upper 64 bits of a product of 128, from products of halves."""
    low, high, other_low, other_high = (
        left & _LOW_HALF,
        left >> _HALF,
        right & _LOW_HALF,
        right >> _HALF,
    )
    middle = high * other_low + ((low * other_low) >> _HALF)
    rest = low * other_high + (middle & _LOW_HALF)
    return high * other_high + (middle >> _HALF) + (rest >> _HALF)


@kernel
def normal_quantiles(shares: FloatVector) -> None:
    """Replace each share of [0, 1), shape (n,), by its standard normal quantile.

    Accurate to about 1e-15. 0 counts as 2⁻⁵⁴.

    References
    ----------
    Wichura (1988). Algorithm AS 241: the percentage points of the normal distribution. Applied
    Statistics 37(3).
    """
    for start in range(0, shares.shape[0], _BLOCK):
        _quantiles(shares[start : start + _BLOCK])


@inlined
def _quantiles(block: FloatVector) -> None:
    """Do this for one block."""
    tails, ends, sizes = np.empty(_BLOCK, np.int64), np.empty(_BLOCK), np.empty(_BLOCK)
    far = 0
    for i in range(block.shape[0]):
        tails[far], ends[far] = i, block[i]
        far += abs(block[i] - 0.5) > _MIDDLE
    for i in range(block.shape[0]):  # the tails too, in vain: without a branch it is faster
        apart = block[i] - 0.5
        near = _MIDDLE * _MIDDLE - apart * apart
        block[i] = apart * _ratio(_MIDDLE_OVER, _MIDDLE_UNDER, near)
    _tail_sizes(ends[:far], sizes)
    for i in range(far):
        block[tails[i]] = math.copysign(sizes[i], ends[i] - 0.5)


@inlined
def _tail_sizes(shares: FloatVector, sizes: FloatVector) -> None:
    """Find how far from 0 the quantiles of shares far from the middle are."""
    for i in range(shares.shape[0]):
        sizes[i] = _depth(shares[i])
    deepest = 0.0
    for i in range(shares.shape[0]):
        depth = sizes[i]
        deepest = max(deepest, depth)
        sizes[i] = _ratio(_TAIL_OVER, _TAIL_UNDER, depth - 1.6)
    if deepest > 5:  # almost never
        for i in range(shares.shape[0]):
            depth = _depth(shares[i])
            if depth > 5:
                sizes[i] = _ratio(_FAR_OVER, _FAR_UNDER, depth - 5)


@inlined
def _ratio(over: tuple[float, ...], under: tuple[float, ...], x: float) -> float:
    top, bottom = over[7], under[7]
    for power in (6, 5, 4, 3, 2, 1, 0):
        top, bottom = top * x + over[power], bottom * x + under[power]
    return top / bottom


@inlined
def _depth(share: float) -> float:
    return math.sqrt(-math.log(max(min(share, 1 - share), _LEAST)))
