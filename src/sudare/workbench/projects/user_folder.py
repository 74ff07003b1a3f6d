"""Where the workbench keeps what it remembers between two starts: of this user alone."""

import os
from pathlib import Path

from platformdirs import user_state_path

from sudare.core import OutputError

_OWNER_ONLY = 0o700


def state_folder() -> Path:
    """Return the folder of journals and of the list of projects; it is made where it lacks.

    ``SUDARE_STATE`` names another place.
    """
    named = os.environ.get("SUDARE_STATE")
    folder = Path(named) if named else user_state_path("sudare", appauthor=False)
    try:
        folder.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            "could not make the folder '{path}': {reason}.",
            path=str(folder),
            reason=error.strerror or type(error).__name__,
        ) from error
    return folder
