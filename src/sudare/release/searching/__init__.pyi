from .search_recipes import SearchResult as SearchResult
from .search_recipes import search as search
