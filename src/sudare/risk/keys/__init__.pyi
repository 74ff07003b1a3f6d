from .records_alike import released_alike as released_alike
