from .adult_population import adult_like as adult_like
from .census_extract import census_like as census_like
from .population import toy as toy
from .public import adult as adult
from .public import online_retail as online_retail
from .purchases import purchases_like as purchases_like
from .spending import ITEMS as ITEMS
from .spending import expenditure_like as expenditure_like
