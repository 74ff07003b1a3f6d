"""What Sano and Hattori printed, to compare with our figures (tables 4 to 8)."""

from collections.abc import Mapping, Sequence

SHARES = (0.01, 0.03, 0.05)
VARIABLES = ("industry", "occupation", "family", "nationality", "children")
LETTERS = dict(zip(VARIABLES, "IOFNC", strict=True))

CATEGORIES: Mapping[str, Sequence[int]] = {  # table 4: original, then by share
    "industry": (22, 17, 10, 7),
    "occupation": (13, 12, 9, 8),
    "family": (27, 16, 10, 7),
    "nationality": (52, 2, 1, 1),
    "children": (97, 29, 12, 8),
}

ASSOCIATION: Mapping[tuple[str, str], float] = {  # table 5
    ("industry", "occupation"): 0.663,
    ("industry", "family"): 0.050,
    ("industry", "nationality"): 0.024,
    ("industry", "children"): 0.055,
    ("occupation", "family"): 0.065,
    ("occupation", "nationality"): 0.027,
    ("occupation", "children"): 0.072,
    ("family", "nationality"): 0.023,
    ("family", "children"): 0.271,
    ("nationality", "children"): 0.020,
}

MEANS: Mapping[str, Sequence[Sequence[float]]] = {  # table 6: by inputs, then by share
    "precision": (
        (-0.003, 0.010, 0.014),
        (-0.080, -0.102, -0.071),
        (-0.105, -0.087, -0.121),
        (-0.085, -0.040, -0.052),
    ),
    "recall": (
        (0.001, 0.004, 0.019),
        (0.002, 0.012, 0.035),
        (0.003, 0.021, 0.047),
        (0.005, 0.033, 0.060),
    ),
    "f": (
        (-0.108, -0.137, -0.134),
        (-0.133, -0.212, -0.203),
        (-0.124, -0.176, -0.210),
        (-0.133, -0.225, -0.211),
    ),
    "accuracy": (
        (0.000, 0.007, 0.010),
        (0.001, 0.012, 0.019),
        (0.001, 0.018, 0.029),
        (0.000, 0.024, 0.041),
    ),
}

CORRELATIONS: Mapping[
    tuple[int, str], Sequence[float]
] = {  # table 7: precision, recall, F, accuracy
    (1, "all"): (0.277, 0.985, 0.850, 0.209),
    (1, "without dominated"): (0.774, 0.987, 0.954, 0.757),
    (2, "all"): (0.637, 0.980, 0.776, 0.191),
    (2, "without dominated"): (0.860, 0.979, 0.897, 0.780),
    (3, "all"): (0.820, 0.983, 0.616, 0.017),
    (3, "without dominated"): (0.931, 0.981, 0.896, 0.726),
    (4, "all"): (0.990, 0.991, 0.786, -0.402),
    (4, "without dominated"): (0.992, 0.991, 0.992, 0.679),
}

_TOP = """
1 precision O~I 0.176 I~O 0.159 I~N 0.148 C~N 0.049 C~F 0.047
1 recall    O~I 0.237 I~O 0.103 F~C 0.038 C~F 0.004 F~I 0.002
1 f         O~I 0.158 I~O 0.056 I~F 0.000 I~C 0.000 O~F 0.000
1 accuracy  O~I 0.085 C~F 0.059 I~O 0.046 F~C 0.017 F~N 0.001
2 precision N~IC 0.494 O~IF 0.174 I~ON 0.148 O~IC 0.132 O~IN 0.132
2 recall    O~IN 0.238 O~IF 0.196 O~IC 0.182 I~OC 0.133 I~ON 0.111
2 f         N~OC 0.495 O~IC 0.112 O~IF 0.085 O~IN 0.040 I~OF 0.023
2 accuracy  O~IN 0.085 O~IC 0.078 O~IF 0.076 C~FN 0.058 C~IF 0.050
3 precision C~ION 0.244 O~IFN 0.198 O~INC 0.162 O~IFC 0.144 I~OFN 0.127
3 recall    O~IFN 0.197 O~INC 0.179 O~IFC 0.179 I~ONC 0.131 I~OFC 0.098
3 f         O~IFC 0.214 O~INC 0.064 O~IFN 0.040 N~IOF 0.001 N~IOC 0.000
3 accuracy  O~INC 0.079 O~IFC 0.078 O~IFN 0.076 C~IOF 0.055 C~OFN 0.051
4 precision O~IFNC 0.141 F~IONC 0.126 I~OFNC 0.048 C~IOFN -0.212 N~IOFC -0.366
4 recall    O~IFNC 0.190 I~OFNC 0.102 F~IONC 0.004 C~IOFN 0.004 N~IOFC 0.001
4 f         O~IFNC 0.217 I~OFNC 0.020 F~IONC -0.241 C~IOFN -0.315 N~IOFC -0.733
4 accuracy  O~IFNC 0.078 I~OFNC 0.051 C~IOFN 0.050 F~IONC 0.031 N~IOFC -0.004
"""


def _largest_losses() -> Mapping[tuple[int, str], Sequence[tuple[str, float]]]:
    rows = (line.split() for line in _TOP.strip().splitlines())
    return {
        (int(inputs), score): tuple(zip(told[::2], map(float, told[1::2]), strict=True))
        for inputs, score, *told in rows
    }


# Table 8, at p = 0.05: by number of inputs and score, the models that lose most.
TOP = _largest_losses()
