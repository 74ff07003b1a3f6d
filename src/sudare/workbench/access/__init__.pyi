from .access_guard import AccessGuard as AccessGuard
from .access_guard import Origins as Origins
from .sessions import Session as Session
from .sessions import Sessions as Sessions
from .sessions import access_cookie as access_cookie
