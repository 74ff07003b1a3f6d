"""One Spark cluster for all tests of a run."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sudare.core.errors import MissingPartError
from sudare.engine.spark.session import java_home, spark_session
from tests.engines.cluster import Cluster, java_from_pip

# No optimizer, no threads for garbage, and classes are believed to be those of a compiler.
QUICK_START = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+IgnoreUnrecognizedVMOptions "
    "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)


@pytest.fixture(scope="session")
def java(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A Java that starts quickly: the one of this machine, or else the one that pip brought."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JDK_JAVA_OPTIONS", QUICK_START)
        try:
            java_home()
        except MissingPartError:
            patch.setenv("JAVA_HOME", str(java_from_pip(tmp_path_factory.mktemp("java"))))
        yield


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory, java: None) -> Iterator[Cluster]:
    """A master and two workers, each a process of its own."""
    started = Cluster(Path(tmp_path_factory.mktemp("spark")))
    try:
        started.start(workers=2)
        yield started
    finally:
        started.stop()


@pytest.fixture(scope="session")
def spark(cluster: Cluster) -> Iterator[Any]:
    """A session on the cluster."""
    session = spark_session(cluster.address)
    session.conf.set("spark.sql.shuffle.partitions", 3)
    yield session
    session.stop()
