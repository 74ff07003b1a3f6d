from .administration import write_export as write_export
from .contest import Contest as Contest
from .kit import Kit as Kit
from .kit import problems_of as problems_of
from .kit import write_package as write_package
from .rulebooks.rule_book import (
    EvaluationTask as EvaluationTask,
)
from .rulebooks.rule_book import (
    FileKind as FileKind,
)
from .rulebooks.rule_book import (
    Handout as Handout,
)
from .rulebooks.rule_book import (
    RuleBook as RuleBook,
)
from .rulebooks.rule_book import (
    RulePackage as RulePackage,
)
from .rules.contest_rules import (
    ContestLimits as ContestLimits,
)
from .rules.contest_rules import (
    ContestRules as ContestRules,
)
from .rules.contest_rules import (
    TableRules as TableRules,
)
from .rules.phases import (
    Moment as Moment,
)
from .rules.phases import (
    Phase as Phase,
)
from .rules.phases import (
    Resource as Resource,
)
from .rules.phases import (
    Round as Round,
)
from .rules.phases import (
    allowed as allowed,
)
from .serving import serve as serve
from .team_files import kit_from_folder as kit_from_folder
from .team_files import kit_from_server as kit_from_server
