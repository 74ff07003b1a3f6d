from .masker import Plan as Plan
