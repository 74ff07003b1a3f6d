"""A small contest by hand: twelve customers, files that are in order, and attacks on them."""

CUSTOMERS = [str(12000 + number) for number in range(12)]
ITEMS = [f"2{number:04d}" for number in range(10)]
ROWS = [
    (who, f"2011/{1 + (at + row) % 12}/{1 + (3 * at + row) % 28}", ITEMS[(at + 3 * row) % 10], row)
    for at, who in enumerate(CUSTOMERS)
    for row in range(3)
]


def original() -> bytes:
    """T, in the contest's format."""
    lines = [f"{who},{day},{item},{1.25 + row:.2f},{2 + row}" for who, day, item, row in ROWS]
    return "".join(line + "\n" for line in lines).encode()


def pseudonym(customer: str, shift: int = 0) -> int:
    """Another name for every customer."""
    return 1 + (CUSTOMERS.index(customer) + shift) % len(CUSTOMERS)


def masked(shift: int = 0, *, level: int = 0) -> bytes:
    """A file in order: new names, and the higher the level, the coarser the cells."""
    lines = []
    for who, day, item, row in ROWS:
        price, quantity = f"{1.25 + row:.2f}", str(2 + row)
        year, month, _ = day.split("/")
        cells = [
            (day, f"[{year}/{month}/1;{year}/{month}/28]", "[2011/1/1;2011/12/31]", "*")[
                min(level, 3)
            ],
            item if level < 2 else "{" + ";".join(sorted({item, *ITEMS[: level - 1]})) + "}",
            price if level < 2 else "[1;4]" if level < 4 else "*",
            quantity if level < 3 else f"[1;{level}]" if level > row + 1 else quantity,
        ]
        lines.append(",".join([str(pseudonym(who, shift)), *cells]) + "\n")
    return "".join(lines).encode()


def attack(shift: int = 0, *, wrong: int = 0) -> bytes:
    """Names for all pseudonyms of a file, the first ``wrong`` of them false."""
    false = CUSTOMERS[1 : wrong + 1] + CUSTOMERS[:1] if wrong else []
    named = [*false, *CUSTOMERS[len(false) :]]
    lines = [
        f"{pseudonym(who, shift)},{guess}" for who, guess in zip(CUSTOMERS, named, strict=True)
    ]
    return "".join(line + "\n" for line in lines).encode()
