"""What Sano's slides print, to compare with our figures: 43,861 households, 82 items of food."""

from collections.abc import Mapping

METHODS = ("DRI", "SRI", "OT(0.01)", "OT(0.05)", "OT(0.1)", "OT(0.2)")

ERROR: Mapping[str, float] = dict(
    zip(METHODS, (585.114, 904.207, 64.791, 182.304, 274.295, 382.404), strict=True)
)

RISK: Mapping[int, Mapping[str, float]] = {
    k: dict(zip(METHODS, risks, strict=True))
    for k, risks in {
        1: (0.000, 0.000, 0.996, 0.930, 0.694, 0.271),
        3: (0.001, 0.000, 0.997, 0.949, 0.775, 0.377),
        5: (0.002, 0.000, 0.997, 0.955, 0.801, 0.425),
    }.items()
}
