"""The contract that a room is entered through its door, for import-linter."""

from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output


class ThroughTheDoor(Contract):
    """A module is imported by the modules of its own room only; all others ask the room's door."""

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Look at every import of a module that is no door."""
        del verbose
        detours = [
            (importer, module)
            for module in sorted(graph.modules)
            if module.count(".") > 1 and not graph.find_children(module) and is_ours(module)
            for importer in sorted(graph.find_modules_that_directly_import(module))
            if not f"{importer}.".startswith(f"{module.rpartition('.')[0]}.")
        ]
        return ContractCheck(kept=not detours, metadata={"detours": detours})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """List the imports that climb through a window."""
        detours: Any = check.metadata["detours"]
        for importer, module in detours:
            output.print_error(f"{importer} imports {module} past its door")


def is_ours(module: str) -> bool:
    """Return whether a module is part of the package."""
    return module.startswith("sudare.")
