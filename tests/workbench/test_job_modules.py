"""The processes of jobs start with everything imported that they can be forked with."""

import subprocess
import sys

SCRIPT = """
import importlib, sys
from sudare.workbench.workbench_site import JOB_MODULES
for name in JOB_MODULES:
    importlib.import_module(name)
sys.exit(0 if "llvmlite.binding" in sys.modules else "the compiler of kernels is not imported")
"""


def test_no_job_imports_the_compiler_of_kernels_for_itself() -> None:
    subprocess.run([sys.executable, "-c", SCRIPT], check=True)
