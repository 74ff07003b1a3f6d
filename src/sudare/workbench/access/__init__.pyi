from .access_guard import AccessGuard as AccessGuard, Origins as Origins
from .sessions import Session as Session, Sessions as Sessions, access_cookie as access_cookie
