# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %python %s %llvm_tools_dir %cma_tools_dir/cma-opt %cma_tools_dir/cma-lsp-server
# RUN: not grep -E "lib(MLIR|LLVM)[A-Za-z0-9]*\.a" %cma_obj_root/build.ninja
"""MLIR and LLVM come from their shared libraries alone: a program that also holds
archives of theirs would have every TypeID twice."""

import os
import re
import subprocess
import sys


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def strong_symbols(tools, *arguments):
    """Defined symbols that are no inline function's: types T, D, B, R."""
    lines = output_of(os.path.join(tools, "llvm-nm"), "--defined-only", *arguments).splitlines()
    fields = [line.split() for line in lines]
    return {name for _, kind, name in (f for f in fields if len(f) == 3) if kind in "TDBR"}


def check(tools, program):
    """Complaints about one program."""
    loaded = dict(re.findall(r"(lib(?:MLIR|LLVM)\.so\S*) => (\S+)", output_of("ldd", program)))
    for library in ("libMLIR.so", "libLLVM.so"):
        if not any(name.startswith(library) for name in loaded):
            yield f"{program}: expected {library} to be loaded, got {sorted(loaded)}"
    own = strong_symbols(tools, program)
    if not own:
        yield f"{program}: expected symbols"
    for name, path in loaded.items():
        theirs = strong_symbols(tools, "--dynamic", path)
        if len(theirs) < 1000:
            yield f"{path}: expected thousands of symbols, got {len(theirs)}"
        # The linker puts these into whatever it links.
        twice = sorted((own & theirs) - {"_init", "_fini", "_start", "main"})
        if twice:
            yield f"{program}: {len(twice)} symbols that {name} also has, such as {twice[:5]}"


complaints = [c for program in sys.argv[2:] for c in check(sys.argv[1], program)]
print("\n".join(complaints) or "linked to the shared libraries alone")
sys.exit(bool(complaints))
