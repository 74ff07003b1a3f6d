"""From LLVM's language to machine code for this processor, and into memory."""

import hashlib
import sys
from functools import lru_cache
from threading import RLock
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from sudare.core.kernels.object_cache import cached, keep

_LEVEL = 3
_INLINED = 50  # instructions of a function that is copied to where it is called
_lock = RLock()  # LLVM is asked by one thread at a time
_loaded: list[Any] = []  # what holds the machine code, for as long as the process lives


@lru_cache(maxsize=1)
def _processor() -> tuple[str, str]:
    """Return the name of this processor, and what it can do."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@lru_cache(maxsize=1)
def _machine() -> Any:
    """Return the processor that the code is for: this one, with all that it can do."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = llvm.get_process_triple()
    if sys.platform == "win32":
        triple += "-elf"  # the only kind of object that can be loaded into memory there
    return llvm.Target.from_triple(triple).create_target_machine(
        cpu=_processor()[0],
        features=_processor()[1],
        opt=_LEVEL,
        reloc="default",
        codemodel="jitdefault",
        jit=True,
    )


def load(translation: str, name: str) -> int:
    """Return the address of a function of a translation, compiled now or found in the cache."""
    with _lock:
        machine = _machine()
        key = _key(translation, machine)
        code = cached(key)
        if code is None:
            code = _compiled(translation, machine)
            keep(key, code)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        _loaded.append(engine)
        return int(engine.get_function_address(name))


def _key(translation: str, machine: Any) -> str:
    """Return the name of what is compiled, which says all that the result depends on.

    That is the whole translation, with all that the kernel calls and every constant; LLVM; the
    processor and what it can do.
    """
    processor = *_processor(), machine.triple
    compiler = llvmlite.__version__, llvm.llvm_version_info, _LEVEL, _INLINED
    return hashlib.sha256(repr((translation, processor, compiler)).encode()).hexdigest()


def _compiled(translation: str, machine: Any) -> bytes:
    module = llvm.parse_assembly(translation)
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    module.verify()
    options = llvm.create_pipeline_tuning_options(_LEVEL)
    options.loop_vectorization = options.slp_vectorization = True
    options.loop_unrolling = False  # longer code that takes longer to compile, and is no faster
    options.inlining_threshold = _INLINED
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))
