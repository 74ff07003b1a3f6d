from .representative import represented as represented
