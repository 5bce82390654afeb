// RUN: cma-opt --help | FileCheck %s --check-prefix=HELP
// RUN: cma-opt --version | FileCheck %s --check-prefix=VERSION
// RUN: cma-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS
// RUN: not cma-opt --no-such-option 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// HELP: OVERVIEW: CMA optimiser driver: compiler for tensor-compressed networks
// HELP: Available Dialects:{{.*}} arith,{{.*}} cma,{{.*}} linalg,
// HELP: Compiler passes to run
// HELP-DAG: --cma-expand-layers
// HELP-DAG: --cma-to-cpu

// VERSION: LLVM version 22.1
// VERSION: CMA version {{[0-9]+\.[0-9]+\.[0-9]+$}}

// DIALECTS: Available Dialects:
// DIALECTS-SAME: {{.*}},arith,{{.*}},cma,{{.*}},linalg,

// UNKNOWN: Unknown command line argument '--no-such-option'
