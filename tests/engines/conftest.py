"""One Spark cluster for all tests of a run."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sudare.engine.spark_session import spark_session
from tests.engines.cluster import Cluster


@pytest.fixture(scope="session")
def quick_java() -> Iterator[None]:
    """Let Java start quickly in place of running long."""
    with pytest.MonkeyPatch.context() as patch:
        options = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"
        patch.setenv("JDK_JAVA_OPTIONS", options)
        yield


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory, quick_java: None) -> Iterator[Cluster]:
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
    yield session
    session.stop()
