// RUN: cma-opt --help | FileCheck %s --check-prefix=HELP
// RUN: cma-opt --version | FileCheck %s --check-prefix=VERSION
// RUN: cma-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS

// HELP: OVERVIEW: CMA optimiser driver: compiler for tensor-compressed networks
// HELP: Available Dialects:{{.*}}arith{{.*}}linalg

// VERSION: LLVM version 22.1
// VERSION: CMA version {{[0-9]+\.[0-9]+\.[0-9]+$}}

// DIALECTS: Available Dialects:
// DIALECTS-SAME: arith
