//===- DifferentiateTensor.cpp - Derivatives of tensor ops ---------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file gives the ops of `tensor` that move data their derivatives: each is
// linear, and its adjoint moves the data back. Types are static.
//
//===----------------------------------------------------------------------===//

#include "DifferentiableOpModel.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cma;

static Value expandRule(tensor::ExpandShapeOp op, VJP &vjp) {
  return vjp.create<tensor::CollapseShapeOp>(op.getSrcType(), vjp.cotangent,
                                             op.getReassociationIndices());
}

static Value collapseRule(tensor::CollapseShapeOp op, VJP &vjp) {
  return vjp.create<tensor::ExpandShapeOp>(op.getSrcType(), vjp.cotangent,
                                           op.getReassociationIndices());
}

static Value castRule(tensor::CastOp op, VJP &vjp) {
  return vjp.create<tensor::CastOp>(op.getSource().getType(), vjp.cotangent);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

static void extractSliceRule(tensor::ExtractSliceOp op, VJP &vjp) {
  if (!vjp.wanted[0])
    return;
  Value zeros = vjp.constant(0.0, op.getSource());
  vjp.gradients[0] = vjp.create<tensor::InsertSliceOp>(
      vjp.cotangent, zeros, op.getMixedOffsets(), op.getMixedSizes(),
      op.getMixedStrides());
}

static void insertSliceRule(tensor::InsertSliceOp op, VJP &vjp) {
  if (vjp.wanted[0])
    vjp.gradients[0] = vjp.create<tensor::ExtractSliceOp>(
        op.getSourceType(), vjp.cotangent, op.getMixedOffsets(),
        op.getMixedSizes(), op.getMixedStrides());
  if (vjp.wanted[1]) {
    Value zeros = vjp.constant(0.0, op.getSource());
    vjp.gradients[1] = vjp.create<tensor::InsertSliceOp>(
        zeros, vjp.cotangent, op.getMixedOffsets(), op.getMixedSizes(),
        op.getMixedStrides());
  }
}

/// The part of the cotangent that `input` covers, from `offsets` on.
static Value cotangentSlice(VJP &vjp, Value input,
                            ArrayRef<OpFoldResult> offsets) {
  auto type = cast<RankedTensorType>(input.getType());
  // A slice starts at an element of its source, also where it takes none.
  if (type.getNumElements() == 0)
    return vjp.constant(0.0, input);
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(vjp.builder.getContext(), type.getShape());
  SmallVector<OpFoldResult> strides(type.getRank(),
                                    vjp.builder.getIndexAttr(1));
  return vjp.create<tensor::ExtractSliceOp>(type, vjp.cotangent, offsets, sizes,
                                            strides);
}

static void padRule(tensor::PadOp op, VJP &vjp) {
  if (vjp.wanted[0])
    vjp.gradients[0] = cotangentSlice(vjp, op.getSource(), op.getMixedLowPad());
}

static void concatRule(tensor::ConcatOp op, VJP &vjp) {
  SmallVector<OpFoldResult> offsets(op.getResultType().getRank(),
                                    vjp.builder.getIndexAttr(0));
  int64_t position = 0;
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    auto type = cast<RankedTensorType>(input.getType());
    offsets[op.getDim()] = vjp.builder.getIndexAttr(position);
    if (vjp.wanted[i])
      vjp.gradients[i] = cotangentSlice(vjp, input, offsets);
    position += type.getDimSize(op.getDim());
  }
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static void splatRule(tensor::SplatOp op, VJP &vjp) {
  if (!vjp.wanted[0])
    return;
  auto type = cast<RankedTensorType>(op.getAggregate().getType());
  Einsum sum;
  sum.operands.emplace_back();
  for (int64_t i = 0; i < type.getRank(); ++i) {
    sum.labels.push_back("l" + std::to_string(i));
    sum.operands[0].push_back(static_cast<LabelId>(i));
  }
  auto contract = ContractOp::create(
      vjp.builder, vjp.loc, RankedTensorType::get({}, type.getElementType()),
      sum, vjp.cotangent);
  contract.setPlanned(true);
  vjp.gradients[0] =
      vjp.create<tensor::ExtractOp>(contract.getResult(), ValueRange());
}

static void extractRule(tensor::ExtractOp op, VJP &vjp) {
  if (vjp.wanted[0])
    vjp.gradients[0] = vjp.create<tensor::InsertOp>(
        vjp.cotangent, vjp.constant(0.0, op.getTensor()), op.getIndices());
}

static void insertRule(tensor::InsertOp op, VJP &vjp) {
  if (vjp.wanted[0])
    vjp.gradients[0] =
        vjp.create<tensor::ExtractOp>(vjp.cotangent, op.getIndices());
  if (vjp.wanted[1])
    vjp.gradients[1] = vjp.create<tensor::InsertOp>(
        vjp.constant(0.0, op.getScalar()), vjp.cotangent, op.getIndices());
}

static void fromElementsRule(tensor::FromElementsOp op, VJP &vjp) {
  ArrayRef<int64_t> shape = op.getType().getShape();
  for (auto [i, wanted] : llvm::enumerate(vjp.wanted)) {
    if (!wanted)
      continue;
    // Elements stand in row-major order.
    SmallVector<Value> indices(shape.size());
    auto rest = static_cast<int64_t>(i);
    for (size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
      indices[axis] = vjp.create<arith::ConstantIndexOp>(rest % shape[axis]);
    vjp.gradients[i] = vjp.create<tensor::ExtractOp>(vjp.cotangent, indices);
  }
}

void cma::attachTensorRules(MLIRContext *context) {
  attachUnaryRule<tensor::ExpandShapeOp, expandRule>(context);
  attachUnaryRule<tensor::CollapseShapeOp, collapseRule>(context);
  attachUnaryRule<tensor::CastOp, castRule>(context);
  attachRule<tensor::ExtractSliceOp, extractSliceRule>(context);
  attachRule<tensor::InsertSliceOp, insertSliceRule>(context);
  attachRule<tensor::PadOp, padRule>(context);
  attachRule<tensor::ConcatOp, concatRule>(context);
  attachRule<tensor::SplatOp, splatRule>(context);
  attachRule<tensor::ExtractOp, extractRule>(context);
  attachRule<tensor::InsertOp, insertRule>(context);
  attachRule<tensor::FromElementsOp, fromElementsRule>(context);
}
