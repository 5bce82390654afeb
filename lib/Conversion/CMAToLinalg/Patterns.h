//===- Patterns.h - Patterns of convert-cma-to-linalg -----------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the patterns by theme. They expect what the pass has
// checked: static shapes, no layers, contractions of at most two operands.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_CONVERSION_CMATOLINALG_PATTERNS_H
#define CMA_LIB_CONVERSION_CMATOLINALG_PATTERNS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class RewritePatternSet;
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace cma {

class BatchLabels;

/// `batchLabels` outlives the patterns.
void populateContractionPatterns(mlir::RewritePatternSet &patterns,
                                 const BatchLabels &batchLabels);
void populateCastPatterns(mlir::RewritePatternSet &patterns);
void populateNNPatterns(mlir::RewritePatternSet &patterns);
void populateLossPatterns(mlir::RewritePatternSet &patterns);
void populateTrainingPatterns(mlir::RewritePatternSet &patterns);
void populateLossScalingPatterns(mlir::RewritePatternSet &patterns);
void populateClippingPatterns(mlir::RewritePatternSet &patterns);

/// Replaces every cma.guard by what its region computes and a choice. Runs when
/// the region holds no op of the dialect any longer.
void dissolveGuards(mlir::func::FuncOp func);

/// Puts a cma.check_labels right behind the definition of each tensor of labels
/// that an op of `func` indexes by, once for each number of classes and ignored
/// label.
void insertLabelChecks(mlir::func::FuncOp func);

} // namespace cma

#endif // CMA_LIB_CONVERSION_CMATOLINALG_PATTERNS_H
