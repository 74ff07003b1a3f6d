from .search_recipes import SearchResult as SearchResult, search as search
