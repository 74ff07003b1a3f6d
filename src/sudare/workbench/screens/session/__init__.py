"""What holds for a session: how it begins, jobs, steps, and the library that draws charts."""

from sudare.workbench.screens.session import glossary_page, job_pages, session_pages, steps

SESSION_ROUTES = (session_pages.routes, job_pages.routes, steps.routes, glossary_page.routes)
