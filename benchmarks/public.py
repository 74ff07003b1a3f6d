"""Where the public data sets are, on machines that have them."""

import os
from pathlib import Path

DATA = Path(os.environ.get("SUDARE_DATA", Path(__file__).parents[2] / "shared" / "data"))
