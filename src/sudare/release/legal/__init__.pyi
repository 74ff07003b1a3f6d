from .checklist import (
    ChecklistItem as ChecklistItem,
    LegalProfile as LegalProfile,
    legal_profiles as legal_profiles,
)
from .evidence import ReleaseFacts as ReleaseFacts, evidence_of as evidence_of
