"""A made-up health cohort: persons followed for ten years until an illness, death, or neither."""

import numpy as np

from sudare.core import Array, Categorical, Column, Microdata, Numeric, Role, SettingError
from sudare.engine.frames import FrameOrigin

YEARS = 10.0  # after which everybody who is well is censored
RULES = (
    "age is whole",
    "age from 40 to 90",
    "drugs is whole",
    "drugs from 0 to 12",
    "time from 0 to 10",
    'state == "none" implies time == 10',
)


def cohort_like(n: int = 1049, seed: int = 1) -> Microdata:
    """Return a cohort of persons with risk factors and a censored outcome, n × 14.

    Nine columns are keys; the laboratory values, the rare condition (about 3 %) and the outcome are
    sensitive. The outcome is ``time``, in years with two digits, and ``state``: "ill", "dead" or
    "none", which is the state of all, and only those, whose time is 10. `cohort.RULES` says what
    holds in every record. All relations are made up.

    Examples
    --------
    >>> data = cohort_like(200)
    >>> data
    <Microdata 200 rows × 14 columns: 9 key, 5 sensitive>
    """
    if n < 1:
        raise SettingError("cohort_like: n must be at least 1, got {n}.", n=n)
    rng = np.random.default_rng(seed)
    age = np.clip(np.rint(rng.normal(62, 10, n)), 40, 90)
    male = rng.random(n) < 0.48
    smokes = rng.random(n) < np.where(male, 0.3, 0.15)
    education = np.minimum((rng.random(n) * 4 - (age - 62) / 30).clip(0, 3.99), 3.99).astype(int)
    region = rng.choice(6, n, p=[0.3, 0.25, 0.2, 0.12, 0.09, 0.04])
    bmi = rng.lognormal(np.log(26) + 0.03 * male, 0.16, n)
    diabetes = rng.random(n) < 1 / (1 + np.exp(6 - 0.12 * bmi - 0.02 * age))
    pressure = 95 + 0.5 * age + 0.7 * (bmi - 26) + rng.normal(0, 14, n)
    rare = rng.random(n) < 0.015 + 0.03 * smokes
    creatinine = rng.lognormal(-0.15 + 0.006 * (age - 62) + 0.15 * male + 0.3 * rare, 0.25, n)
    drugs = np.minimum(rng.poisson(0.6 + 0.04 * (age - 40) + 1.5 * diabetes), 12)
    glucose = 5 + 2.5 * diabetes + rng.normal(0, 0.6, n)
    risk = 0.05 * (age - 62) + 0.5 * smokes + 0.6 * diabetes + 0.02 * (pressure - 127)
    ill = rng.exponential(22 / np.exp(risk + 0.8 * rare))
    dead = rng.exponential(60 / np.exp(0.09 * (age - 62) + 0.4 * male + 1.2 * (creatinine - 0.9)))
    time = np.minimum(np.minimum(ill, dead).round(2), YEARS)
    state = np.where(time >= YEARS, 0, np.where(ill < dead, 1, 2))
    return Microdata(
        (
            Numeric("age", age, role="key"),
            _kinds("sex", male, ("female", "male")),
            _kinds("region", region, ("A", "B", "C", "D", "E", "F")),
            _kinds("education", education, ("primary", "secondary", "college", "university")),
            _kinds("smoker", smokes, ("no", "yes")),
            Numeric("bmi", bmi.round(1), role="key"),
            Numeric("pressure", np.rint(pressure), role="key"),
            _kinds("diabetes", diabetes, ("no", "yes")),
            Numeric("drugs", drugs.astype(float), role="key"),
            Numeric("creatinine", creatinine.round(2), role="sensitive"),
            Numeric("glucose", glucose.round(1), role="sensitive"),
            _kinds("rare", rare, ("no", "yes"), "sensitive"),
            Numeric("time", time, role="sensitive"),
            _kinds("state", state, ("none", "ill", "dead"), "sensitive"),
        ),
        FrameOrigin("polars"),
    )


def _kinds(name: str, codes: Array, labels: tuple[str, ...], role: Role = "key") -> Column:
    return Categorical(name, codes.astype(np.int32), labels, role=role)
