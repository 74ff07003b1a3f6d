"""What the report says beside the numbers: texts, legal profiles, and names of columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sudare.release.legal import LegalProfile


@dataclass(frozen=True)
class ReportTexts:
    """What a custodian states for the report and the codebook.

    Attributes
    ----------
    stated
        By name, as in the section ``[report]`` of a project: "title", "office", "contact", "date",
        "population", "audience", "purpose" and "decision".
    profiles
        Legal profiles whose checklists the report has: :func:`sudare.release.legal_profiles`.
    labels
        By column, what it is called.

    Examples
    --------
    >>> ReportTexts({"title": "Survey"}, profiles=["gdpr"]).profiles
    ['gdpr']
    """

    stated: Mapping[str, str] = field(default_factory=dict)
    profiles: Sequence[str] = ()
    labels: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.profiles:
            LegalProfile.read(name)  # refuses what does not exist before anything is masked

    @classmethod
    def of(cls, given: "Mapping[str, str] | ReportTexts | None") -> "ReportTexts":
        """Return what is stated, where it may be texts alone or nothing."""
        return given if isinstance(given, ReportTexts) else cls(given or {})
