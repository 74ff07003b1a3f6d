from .evaluation import evaluate as evaluate
from .loading import package_for as package_for
from .result_check import is_result as is_result
from .rule_book import (
    MASK as MASK,
    EvaluationResult as EvaluationResult,
    EvaluationTask as EvaluationTask,
    FileKind as FileKind,
    Handout as Handout,
    RuleBook as RuleBook,
    RuleLines as RuleLines,
    RulePackage as RulePackage,
    Stage as Stage,
    problem_from_json as problem_from_json,
    problem_to_json as problem_to_json,
    refused as refused,
)
