from .release_edits import (
    TEXTS as TEXTS,
    draws_depend_on as draws_depend_on,
    with_confirmation as with_confirmation,
    with_form as with_form,
    with_texts as with_texts,
    without_confirmation as without_confirmation,
)
from .release_seeds import ReleaseSeed as ReleaseSeed, ReleaseSeeds as ReleaseSeeds
from .release_work import (
    CHECKING as CHECKING,
    REVIEWING as REVIEWING,
    WRITING as WRITING,
    check_release as check_release,
    write_release as write_release,
    write_review as write_review,
)
