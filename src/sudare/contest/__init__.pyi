from .administration import write_export as write_export
from .contest import Contest as Contest
from .kit import Kit as Kit, problems_of as problems_of, write_package as write_package
from .rulebooks.rule_book import (
    EvaluationTask as EvaluationTask,
    FileKind as FileKind,
    Handout as Handout,
    RuleBook as RuleBook,
    RulePackage as RulePackage,
)
from .rules.contest_rules import (
    ContestLimits as ContestLimits,
    ContestRules as ContestRules,
    TableRules as TableRules,
)
from .rules.phases import (
    Moment as Moment,
    Phase as Phase,
    Resource as Resource,
    Round as Round,
    allowed as allowed,
)
from .serving import serve as serve
from .team_files import kit_from_folder as kit_from_folder, kit_from_server as kit_from_server
