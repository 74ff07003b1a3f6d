"""The contest's web site and its API; needs the ``contest`` extra."""

from sudare.contest.server.app import create_app

__all__ = ["create_app"]
