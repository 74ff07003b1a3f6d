"""What a test may lack on a developer's machine, and nowhere else."""

import os
from typing import NoReturn

import pytest


def lacking(what: str) -> NoReturn:
    """Skip a test that this machine cannot run; continuous integration must be able to."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)
