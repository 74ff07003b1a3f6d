from .analysis import analysis_blocks as analysis_blocks
from .assurance import finding_blocks as finding_blocks, guarantee_blocks as guarantee_blocks
from .decision import decision_page as decision_page
from .legal_checklist import checklist_blocks as checklist_blocks
from .methods import method_blocks as method_blocks
from .population import population_blocks as population_blocks, table_population as table_population
from .replay import replay_blocks as replay_blocks
from .results import (
    Edition as Edition,
    limit_blocks as limit_blocks,
    loss_blocks as loss_blocks,
    risk_blocks as risk_blocks,
)
from .summary import summary_blocks as summary_blocks
from .threats import threat_blocks as threat_blocks
