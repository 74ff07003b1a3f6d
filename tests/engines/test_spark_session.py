"""What is missing for Spark is said in one sentence."""

import os
from pathlib import Path

import pytest

from sudare.core.errors import InputError, MissingPartError, SettingError
from sudare.engine.spark.session import java_home, spark_session
from tests.engines.cluster import free_port


@pytest.fixture
def no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)


@pytest.mark.usefixtures("no_java")
def test_no_java_is_a_sentence() -> None:
    with pytest.raises(MissingPartError, match="Spark needs Java 17 or later"):
        spark_session("local[1]")


@pytest.mark.usefixtures("no_java")
def test_an_old_java_is_no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'openjdk version \"1.8.0_402\"' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(MissingPartError, match="Spark needs Java 17 or later"):
        java_home()


@pytest.mark.usefixtures("java")
def test_java_is_found() -> None:
    assert os.access(Path(java_home()) / "bin" / "java", os.X_OK)


@pytest.mark.parametrize("host", ["127.0.0.1", "nowhere.invalid"])
def test_a_master_that_does_not_answer_is_a_sentence(host: str) -> None:
    address = f"{host}:{free_port()}"
    with pytest.raises(InputError, match=f"no Spark master answers at spark://{address}"):
        spark_session(f"spark://{address}")


@pytest.mark.parametrize("master", ["", "spark://", "spark://host", "mesos://a:1", "local[", "h:1"])
def test_an_address_that_is_none_is_a_sentence(master: str) -> None:
    with pytest.raises(SettingError, match="is not a Spark master"):
        spark_session(master)
