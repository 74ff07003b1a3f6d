"""The screen of the release."""

from sudare.workbench.screens.release import release_form, release_page, release_writing

RELEASE_ROUTES = (release_page.routes, release_form.routes, release_writing.routes)
