"""The seed of a release: what a person chose, stretched with a secret that the custodian keeps.

A short seed alone would not do: a release tells enough to try all of them and to undo the draws.
"""

import os
import secrets
from pathlib import Path

import numpy as np

from sudare.core import InputError, OutputError, Seed, SettingError, say, stretched
from sudare.engine.formats import check_there, note_inputs, writing

_BYTES = 16
_HEADING = (
    "# The secret of releases made with sudare. With a seed it gives the same release again.\n"
    "# Keep it as secret as the data, keep a copy of it, and never hand it out.\n"
)


def release_seed(seed: Seed, secret: str | os.PathLike[str] | None) -> Seed:
    """Return the seed that a release is drawn with.

    Parameters
    ----------
    seed
        What a person chose: same seed and same secret, same release. Without one, fresh entropy
        is drawn, and a secret is refused.
    secret
        The private file of the custodian. It is made, readable by its owner alone, where it is not
        there yet. Without one the seed stays as it is, which for a short one makes a trial.

    Examples
    --------
    >>> import tempfile
    >>> private = Path(tempfile.mkdtemp()) / "survey.secret"
    >>> release_seed(7, private) == release_seed(7, private)
    True
    >>> release_seed(7, None)
    7
    """
    if secret is not None and seed is None:
        raise SettingError(
            "the private file of the secret is used with a seed: give one (--seed, seed=), or "
            "leave the file out (--secret, secret=) for new draws."
        )
    if secret is None or not isinstance(seed, int | np.integer):
        return seed
    return stretched(int(seed), kept_secret(Path(secret)))


def kept_secret(path: Path) -> bytes:
    """Return the secret of a private file; make the file where there is none."""
    if not path.exists():
        try:
            with writing(path, private=True) as draft:
                draft.write_text(f"{_HEADING}{secrets.token_hex(_BYTES)}\n", encoding="utf-8")
        except OutputError:
            if not path.exists():  # else another command was faster, and its secret holds
                raise
    check_there(path)
    note_inputs(path)
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise InputError(
            "others can read '{path}', which holds a secret; make it private: chmod 600.",
            path=str(path),
        )
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    stated = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    try:
        secret = bytes.fromhex(stated[0]) if len(stated) == 1 else b""
    except ValueError:
        secret = b""
    if len(secret) != _BYTES or len(set(secret)) < _BYTES // 4:  # 32 zeros are no secret
        raise InputError(
            "'{path}' holds no secret of sudare, which is 32 hexadecimal digits; give another "
            "file, or a name that no file has yet.",
            path=str(path),
        )
    return secret


def trial_warning() -> str:
    """Return the warning for a table that was drawn with a seed that can be guessed."""
    return say(
        "This is a trial, not to be handed out: its seed has fewer than 64 bits, or digits that "
        "follow from one another, so that anybody can find it by trying and undo the draws. Leave "
        "the seed out, or keep a private file with it (a project has one; else --secret)."
    )
