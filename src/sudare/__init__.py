"""sudare (簾): a workbench for statistical disclosure control.

Mask a table, attack the result, measure what was lost, choose the best trade-off, release.

Examples
--------
>>> import sudare
>>> data = sudare.datasets.toy()
>>> masked = sudare.apply(data, [sudare.mask.GlobalRecode(min_share=0.05)], seed=7)
>>> sudare.risk.KAnonymity()(data, masked.data).value
1.0
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
