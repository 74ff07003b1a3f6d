from .adult_population import adult_like as adult_like
from .census_extract import census_like as census_like
from .cohort import cohort_like as cohort_like
from .population import toy as toy
from .public import adult as adult, online_retail as online_retail
from .purchases import purchases_like as purchases_like
from .residents import write_residents_like as write_residents_like
from .spending import ITEMS as ITEMS, expenditure_like as expenditure_like
from .surveys.survey import survey_like as survey_like
from .surveys.survey_file import write_survey_like as write_survey_like
