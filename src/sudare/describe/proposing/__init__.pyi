from .facts import plain_text as plain_text
from .proposal import Derivation as Derivation, Filter as Filter, Proposal as Proposal, What as What
from .propose import proposals as proposals
from .suspicions import Suspicion as Suspicion, suspicions as suspicions
