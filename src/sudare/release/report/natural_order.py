"""The order in which labels are drawn: that of the list, with merged labels among their parts."""

from collections.abc import Sequence

from sudare.core import Column
from sudare.describe import label_order


def natural_order(versions: Sequence[Column]) -> list[str]:
    """Return the labels of all versions of a column in the order in which people list them.

    Numbers, classes of numbers and words such as low and high come by size. Other labels come as
    the first version lists them; a label that only a later version has stands where the first of
    its parts stands.

    Examples
    --------
    >>> import numpy as np
    >>> from sudare.core import Categorical
    >>> before = Categorical("school", np.array([0, 1, 2]), ("primary", "secondary", "college"))
    >>> after = Categorical("school", np.array([0, 1, 1]), ("primary", "secondary・college"))
    >>> natural_order([before, after])
    ['primary', 'secondary', 'secondary・college', 'college']
    """
    listed = [[str(label) for label in column.coded.labels] for column in versions]
    labels = list(dict.fromkeys(label for some in listed for label in some))
    places = None if versions[0].scale == "ordinal" else label_order(labels)
    if places is not None:
        return [labels[position] for position in places]
    first = {label: position for position, label in enumerate(listed[0])}

    def place_of(label: str) -> tuple[int, int]:
        if label in first:
            return first[label], 0
        parts = [position for part, position in first.items() if part and part in label]
        return (min(parts), 1) if parts else (len(first), labels.index(label))

    return sorted(labels, key=place_of)
