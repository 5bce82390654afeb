//===- Scoring.h - Means over samples ---------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares how the figures of batches become figures of a data set:
// the weight of a batch, its right answers, and what a failed call says about
// the data.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_SCORING_H
#define CMA_TOOLS_CMA_RUN_SCORING_H

#include "Dataset.h"
#include "Kernel.h"
#include "ModelSummary.h"

namespace cma::run {

/// Positions of samples in a data set.
using Rows = llvm::ArrayRef<int64_t>;

/// Weight of the batch's loss in a mean: the rows that its cross entropy
/// counts, or its samples where there is none.
int64_t weighBatch(const ModelSummary &model, const Dataset &data, Rows rows);

/// Rows of the batch, of those that count, whose largest logit is at the label;
/// the first of equal logits wins. None where the labels do not go with the
/// logits row by row.
std::optional<int64_t> countCorrect(const Kernel &kernel, int logits,
                                    const LabelSource &labels,
                                    const Dataset &data, Rows rows);

/// The error of a call whose status is not CMA_STATUS_OK: names the file, the
/// tensor, the row in the file, and the value. `tensor` is the one that the
/// status names, null where there is none; sample i of the call is row rows[i]
/// of the file, or row i where `rows` is empty.
llvm::Error describeFailure(const cma_status &status, const std::string &path,
                            const HostTensor *tensor, Rows rows);

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_SCORING_H
