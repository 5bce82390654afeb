//===- CMAFolds.cpp - Folders and canonicalisers -------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file simplifies contractions and broadcasts. Nothing here changes the
// tree of a planned network: only ops that move data are merged away.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace cma;

/// One operand, and the result keeps each of its labels: a transpose (or
/// nothing) when the operand repeats no label, else a diagonal.
static bool onlyMovesData(ContractOp op, const Einsum &einsum) {
  return op.getInputs().size() == 1 &&
         einsum.result.size() == einsum.labels.size();
}

static bool isIdentity(const Einsum &einsum) {
  return einsum.operands.size() == 1 && einsum.operands[0] == einsum.result;
}

OpFoldResult ContractOp::fold(FoldAdaptor) {
  if (isIdentity(getEinsum()) &&
      getInputs()[0].getType() == getResult().getType())
    return getInputs()[0];
  return {};
}

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  if (isIdentity(getEinsum()) && getInput().getType() == getResult().getType())
    return getInput();
  return {};
}

namespace {
/// Reads through a transpose: `ij->ji` into `ab,bc->ac` gives `ba,bc->ac`. A
/// diagonal stays: its user would read a strided view, and the pair's labels
/// would change. Holds for transpose of transpose too.
struct FoldTransposeIntoUser : OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    Einsum einsum = op.getEinsum();
    SmallVector<Value> inputs(op.getInputs());
    bool changed = false;
    for (auto [axes, input] : llvm::zip(einsum.operands, inputs)) {
      auto producer = input.getDefiningOp<ContractOp>();
      if (!producer)
        continue;
      Einsum inner = producer.getEinsum();
      if (!onlyMovesData(producer, inner) ||
          inner.operands[0].size() != inner.result.size())
        continue;
      std::vector<LabelId> outer(inner.labels.size());
      for (size_t i = 0; i < inner.result.size(); ++i)
        outer[inner.result[i]] = axes[i];
      std::vector<LabelId> replaced;
      for (LabelId label : inner.operands[0])
        replaced.push_back(outer[label]);
      axes = std::move(replaced);
      input = producer.getInputs()[0];
      changed = true;
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "no operand is a transpose");
    rewriter.modifyOpInPlace(op, [&] {
      op.setEquationAttr(EinsumAttr::get(op.getContext(), einsum));
      op.getInputsMutable().assign(inputs);
    });
    return success();
  }
};
} // namespace

void ContractOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *context) {
  patterns.add<FoldTransposeIntoUser>(context);
}
