from .access_guard import AccessGuard as AccessGuard
from .access_guard import Origins as Origins
from .sessions import ACCESS_COOKIE as ACCESS_COOKIE
from .sessions import Session as Session
from .sessions import Sessions as Sessions
