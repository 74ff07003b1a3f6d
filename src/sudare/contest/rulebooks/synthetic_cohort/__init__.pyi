from .cohort_contest import CohortContest as CohortContest
