# This file configures lit for every suite under test/.
#
# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import subprocess

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "CMA"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".py"]
config.excludes = ["Inputs", "CMakeLists.txt", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.cma_binary_dir, "test")

# A variable whose name does not start with `$` ends with its CHECK-LABEL.
config.environment["FILECHECK_OPTS"] = "--enable-var-scope"
llvm_config.with_system_environment(
    [
        "HOME",
        "TMPDIR",
        "CMA_TEST_SEED",
        "ASAN_OPTIONS",
        "LSAN_OPTIONS",
        "UBSAN_OPTIONS",
        "OMP_NUM_THREADS",
        "OPENBLAS_CORETYPE",
        "OPENBLAS_L2_SIZE",
    ]
)

# `CMA_OPT_CHECK_IR_ROUNDTRIP=1 lit build/test` parses, prints and parses again
# whatever any test gives to cma-opt.
cma_opt = ToolSubst("cma-opt")
if os.environ.get("CMA_OPT_CHECK_IR_ROUNDTRIP"):
    cma_opt = ToolSubst("cma-opt", extra_args=["--verify-roundtrip"])

llvm_config.add_tool_substitutions(
    [
        cma_opt,
        ToolSubst("cma-run", unresolved="ignore"),
        ToolSubst("cma-lsp-server", unresolved="ignore"),
        "FileCheck",
        "count",
        "not",
        "split-file",
        "mlir-opt",
        "mlir-translate",
    ],
    [config.cma_tools_dir, config.llvm_tools_dir],
)
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", config.cma_tools_dir, append_path=True)

# Substitutions are applied in order: the longer names stand first.
config.substitutions.append(("%cma_src_root", config.cma_source_dir))
config.substitutions.append(("%cma_obj_root", config.cma_binary_dir))
config.substitutions.append(("%cma_tools_dir", config.cma_tools_dir))
config.substitutions.append(("%llvm_tools_dir", config.llvm_tools_dir))
config.substitutions.append(("%examples", os.path.join(config.cma_source_dir, "examples")))
config.substitutions.append(("%cma_faults", os.path.join(config.cma_binary_dir, "lib", "libCMAFaults.so")))
config.substitutions.append(("%python", '"%s"' % config.python_executable))


def python_has(module):
    """Whether the oracles' Python has `module`."""
    check = "import importlib.util, sys; sys.exit(not importlib.util.find_spec(sys.argv[1]))"
    command = [config.python_executable, "-c", check, module]
    try:
        return subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0
    except FileNotFoundError:
        return False


# The oracles under Integration/ need the packages that scripts/setup.sh puts
# into .venv.
for module in ("ml_dtypes", "numpy", "safetensors", "sklearn"):
    if python_has(module):
        config.available_features.add(module)
if os.path.exists(os.path.join(config.cma_tools_dir, "cma-run")):
    config.available_features.add("cma-run")
if config.cma_sanitize:
    config.available_features.add("sanitize")
