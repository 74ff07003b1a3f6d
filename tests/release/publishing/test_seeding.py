"""The seed of a release: stretched with a private file, the same again, and never told."""

import stat
from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare.core import OutputError, SettingError, guessable
from sudare.release import release_seed
from sudare.release.publishing.seeding import kept_secret
from sudare.release.report import release_report

RECIPE = sudare.Recipe("noise", [sudare.mask.Noise(sd_ratio=0.2, columns=("income",))])


def test_the_same_seed_and_private_file_give_the_same_release_and_another_file_another(
    tmp_path: Path,
) -> None:
    data = sudare.datasets.toy(50)
    own, other = tmp_path / "own.secret", tmp_path / "other.secret"
    first, again, elsewhere = (
        sudare.publish(data, RECIPE, seed=7, secret=secret).released for secret in (own, own, other)
    )
    assert first.equals(again)
    assert not first.equals(elsewhere)
    assert not first.equals(RECIPE.apply(data, seed=7).data.without(["id"]))


def test_the_private_file_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "survey.sudare.secret"
    made = kept_secret(path)
    assert len(made) == 16
    assert kept_secret(path) == made
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_private_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "open.secret"
    kept_secret(path)
    path.chmod(0o640)
    with pytest.raises(sudare.errors.InputError, match="others can read"):
        release_seed(7, path)


@pytest.mark.parametrize(
    "content", ["", "abc", "00" * 16, "ff" * 15, "zz" * 16, f"{'ff' * 16}\n{'ff' * 16}"]
)
def test_what_is_no_secret_is_refused_and_not_repeated(tmp_path: Path, content: str) -> None:
    path = tmp_path / "broken.secret"
    path.write_text(content, encoding="utf-8")
    path.chmod(0o600)
    with pytest.raises(sudare.errors.InputError, match="32 hexadecimal digits") as refusal:
        release_seed(7, path)
    assert not content or content not in str(refusal.value)


def test_a_secret_without_a_seed_is_refused_and_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="used with a seed"):
        release_seed(None, tmp_path / "unused.secret")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("seed", "trial"),
    [
        (None, False),
        (7, True),
        (np.int64(7), True),
        (2**64 - 1, True),
        (2**90, True),
        (20240401202404012024, True),
        (31415926535897932384626, True),
        (73915502846613094428817, False),
        (np.random.default_rng(1), True),
    ],
)
def test_a_seed_that_can_be_found_by_trying_makes_a_trial(
    seed: sudare.core.Seed, *, trial: bool
) -> None:
    assert guessable(seed) is trial
    assert sudare.publish(sudare.datasets.toy(20), RECIPE, seed=seed).trial is trial


def test_nobody_can_accept_that_the_seed_is_guessable(tmp_path: Path) -> None:
    stopped = sudare.publish(
        sudare.datasets.toy(20), RECIPE, seed=7, confirmations=["guessable-seed"]
    )
    assert "guessable-seed" in [finding.name for finding in stopped.findings.stops]
    with pytest.raises(OutputError, match="cannot be accepted"):
        stopped.write(tmp_path / "release")
    assert list(tmp_path.iterdir()) == []


def test_a_trial_says_so_in_report_and_ledger_and_to_its_custodian(tmp_path: Path) -> None:
    data = sudare.datasets.toy(50)
    trial = sudare.publish(data, RECIPE, seed=7)
    release = sudare.publish(data, RECIPE, seed=7, secret=tmp_path / "own.secret")
    sentence = "This is a trial, not to be handed out"
    assert sentence in release_report(trial).html()
    assert sentence not in release_report(release).html()
    assert trial.ledger().content["trial"] is True
    assert release.ledger().content["trial"] is False
    assert sentence in trial.cautions()[0]
    assert not release.cautions()


def test_the_secret_is_not_in_a_release(tmp_path: Path) -> None:
    secret = tmp_path / "own.secret"
    accepted = ["exact-numbers:age", "weights:weight"]
    publication = sudare.publish(
        sudare.datasets.toy(50), RECIPE, seed=7, secret=secret, confirmations=accepted
    )
    folder = publication.write(tmp_path / "release")
    written = kept_secret(secret)
    for path in folder.iterdir():
        assert written.hex().encode() not in path.read_bytes()
        assert written not in path.read_bytes()
    assert written.hex() not in repr(publication)
