// Each option goes to its pass, which says what is wrong with it; no report is
// written.
// RUN: rm -rf %t && mkdir %t
// RUN: not cma-opt %s --cma-train="batch=0 report=%t/r" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not cma-opt %s --cma-train="batch=-1 report=%t/r" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not cma-opt %s --cma-train="batch=x report=%t/r" 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not cma-opt %s --cma-train=batch=9223372036854775808 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not cma-opt %s --cma-train="objective=speed report=%t/r" 2>&1 | FileCheck %s --check-prefix=OBJECTIVE
// RUN: not cma-opt %s --cma-train="target=vax report=%t/r" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not cma-opt %s --cma-train="function=f report=%t/r" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not cma-opt %s --cma-train=report=%t/no/r 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not cma-opt %s --cma-train=report=%t 2>&1 | FileCheck %s --check-prefix=DIRECTORY
// RUN: not cma-opt %s --cma-train=momentum=1 -o %t/out 2>&1 | FileCheck %s --check-prefix=MOMENTUM
// RUN: not cma-opt %s --cma-train=momentum=-0.1 -o %t/out 2>&1 | FileCheck %s --check-prefix=MOMENTUM
// RUN: not cma-opt %s --cma-train=weight-decay=-1 -o %t/out 2>&1 | FileCheck %s --check-prefix=DECAY
// RUN: not cma-opt %s --cma-train=precision=fp16 -o %t/out 2>&1 | FileCheck %s --check-prefix=PRECISION
// RUN: not cma-opt %s --cma-train="precision=f16 precision-solver=ilp" -o %t/out 2>&1 | FileCheck %s --check-prefix=SOLVER
// RUN: not cma-opt %s --cma-train=lr=1 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not cma-opt %s --cma-to-cpu=fuse=maybe 2>&1 | FileCheck %s --check-prefix=FUSE
// RUN: not cma-opt %s --cma-to-cpu=threads=2 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not cma-opt %s --cma-plan-contractions=flatten=2 2>&1 | FileCheck %s --check-prefix=FLATTEN
// RUN: not cma-opt /dev/null --cma-train -o %t/out 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: ls %t | count 0

// ZERO: error: expected 'batch' to be at least 1, got 0
// NEGATIVE: error: expected 'batch' to be at least 1, got -1
// WORD: 'x' value invalid
// LARGE: '9223372036854775808' value invalid
// OBJECTIVE: error: invalid option 'objective': expected time, flops, mults or peak, got 'speed'
// TARGET: error: invalid option 'target': expected one of cpu, {{.*}}, got 'vax'
// FUNCTION: error: expected a function '@f'; the module has @model
// REPORT: error: invalid option 'report': cannot write '{{.*}}no/r': No such file or directory
// DIRECTORY: error: invalid option 'report': cannot write '{{.*}}': Is a directory
// MOMENTUM: error: expected 'momentum' to be at least 0 and below 1, got {{1|-1}}
// DECAY: error: expected 'weight-decay' to be finite and not negative, got -1
// PRECISION: error: invalid option 'policy': expected f32, tf32, f16, bf16 or custom, got 'fp16'
// SOLVER: error: invalid option 'solver': expected lists or mincut, got 'ilp'
// UNKNOWN: no such option lr
// FUSE: --fuse option: 'maybe' is invalid value for boolean argument
// THREADS: --threads option: '2' is invalid value for boolean argument
// FLATTEN: --flatten option: '2' is invalid value for boolean argument
// NOTHING: error: expected one public function
func.func @model(%x: tensor<?x2xf32> {cma.role = "data", cma.name = "x"}, %w: tensor<2x2xf32> {cma.role = "parameter", cma.name = "w"}) -> (tensor<f32> {cma.role = "loss"}) {
  %0 = cma.linear %x, %w : tensor<?x2xf32>, tensor<2x2xf32> -> tensor<?x2xf32>
  %1 = cma.mse %0, %x : tensor<?x2xf32> -> tensor<f32>
  return %1 : tensor<f32>
}
