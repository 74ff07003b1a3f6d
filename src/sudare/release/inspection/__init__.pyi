from .all_checks import gate as gate, paired as paired
from .findings import (
    KINDS as KINDS,
    Confirmed as Confirmed,
    Finding as Finding,
    FindingKind as FindingKind,
    Findings as Findings,
    NamedConfirmation as NamedConfirmation,
    Severity as Severity,
    kind_title as kind_title,
)
from .history_checks import history_gate as history_gate
from .masked_pair import MaskedPair as MaskedPair
from .numbers import weight_base as weight_base
from .order import order_draws as order_draws
from .release_form import (
    ReleasedTable as ReleasedTable,
    metadata_of as metadata_of,
    worded_columns as worded_columns,
)
from .release_guarantees.broken_promises import (
    limit_by_wildcards as limit_by_wildcards,
    promised_measures as promised_measures,
)
from .release_guarantees.guarantees import Condition as Condition, Guarantee as Guarantee
from .release_guarantees.promises import Promises as Promises
