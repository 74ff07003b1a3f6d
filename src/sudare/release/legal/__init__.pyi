from .checklist import ChecklistItem as ChecklistItem
from .checklist import LegalProfile as LegalProfile
from .checklist import legal_profiles as legal_profiles
from .evidence import ReleaseFacts as ReleaseFacts
from .evidence import evidence_of as evidence_of
