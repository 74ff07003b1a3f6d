from .study import PAPER_INPUTS as PAPER_INPUTS
