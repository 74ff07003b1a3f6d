from .broken_promises import (
    find_broken_promises as find_broken_promises,
    find_parted_classes as find_parted_classes,
)
