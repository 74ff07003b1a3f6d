from pathlib import Path

import pytest

import sudare


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    return sudare.write(sudare.datasets.toy(), tmp_path / "survey.csv")


@pytest.fixture
def project(survey: Path) -> sudare.Project:
    return sudare.Project.create(survey).save()
