from .derivations import derived_columns as derived_columns
from .proposal import Derivation as Derivation
from .proposal import Filter as Filter
from .proposal import Proposal as Proposal
from .proposal import What as What
from .propose import proposals as proposals
from .suspicions import Suspicion as Suspicion
from .suspicions import suspicions as suspicions
