//===- TensorShapeRefinement.cpp - Static shapes of tensor ops -----------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file refines the ops of the tensor dialect, whose sizes may be operands
// or attributes.
//
//===----------------------------------------------------------------------===//

#include "ShapeRefinement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cma;

RankedTensorType cma::withShape(Type type, ArrayRef<int64_t> shape) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(shape, tensor.getElementType(),
                               tensor.getEncoding());
}

/// The values of `sizes` as far as they are constants.
static SmallVector<int64_t> getStatic(ArrayRef<OpFoldResult> sizes) {
  return llvm::map_to_vector(sizes, [](OpFoldResult size) {
    return getConstantIntValue(size).value_or(ShapedType::kDynamic);
  });
}

/// `sizes` with constants as attributes.
static SmallVector<OpFoldResult> foldSizes(SmallVector<OpFoldResult> sizes) {
  (void)foldDynamicIndexList(sizes);
  return sizes;
}

/// Returns the op that makes `value`, if one does.
static Operation *replace(Operation *op, Value value) {
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
  return value.getDefiningOp();
}

static Operation *refine(tensor::EmptyOp op) {
  OpBuilder builder(op);
  SmallVector<int64_t> shape = getStatic(op.getMixedSizes());
  if (ShapedType::isDynamicShape(shape))
    return op;
  return replace(op, tensor::EmptyOp::create(builder, op.getLoc(), shape,
                                             op.getType().getElementType(),
                                             op.getType().getEncoding()));
}

static Operation *refine(tensor::SplatOp op) {
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<OpFoldResult> sizes =
      getMixedValues(type.getShape(), op.getDynamicSizes(), builder);
  SmallVector<int64_t> shape = getStatic(sizes);
  if (ShapedType::isDynamicShape(shape))
    return op;
  return replace(op,
                 tensor::SplatOp::create(builder, op.getLoc(), op.getInput(),
                                         withShape(type, shape)));
}

/// An unknown extent of a group is what the known ones leave of the source's.
static Operation *refine(tensor::ExpandShapeOp op) {
  SmallVector<int64_t> shape = getStatic(op.getMixedOutputShape());
  for (auto [group, total] :
       llvm::zip(op.getReassociationIndices(), op.getSrcType().getShape())) {
    int64_t product = 1, unknown = -1, count = 0;
    for (int64_t axis : group) {
      if (ShapedType::isDynamic(shape[axis])) {
        unknown = axis;
        ++count;
      } else {
        product *= shape[axis];
      }
    }
    if (count == 1 && product != 0 && total % product == 0)
      shape[unknown] = total / product;
  }
  if (ShapedType::isDynamicShape(shape))
    return op;
  OpBuilder builder(op);
  return replace(op, tensor::ExpandShapeOp::create(
                         builder, op.getLoc(), withShape(op.getType(), shape),
                         op.getSrc(), op.getReassociationIndices()));
}

static Operation *refine(tensor::CollapseShapeOp op) {
  op.getResult().setType(tensor::CollapseShapeOp::inferCollapsedType(
      op.getSrcType(), op.getReassociationIndices()));
  return op;
}

static Operation *refine(tensor::CastOp op) {
  auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto target = dyn_cast<RankedTensorType>(op.getType());
  if (!source || !target || source.getRank() != target.getRank())
    return op;
  SmallVector<int64_t> shape(target.getShape());
  for (auto [extent, known] : llvm::zip(shape, source.getShape()))
    if (ShapedType::isDynamic(extent))
      extent = known;
  op.getResult().setType(withShape(target, shape));
  return op.getType() == source ? replace(op, op.getSource()) : op;
}

static Operation *refine(tensor::ExtractSliceOp op) {
  OpBuilder builder(op);
  SmallVector<OpFoldResult> offsets = foldSizes(op.getMixedOffsets());
  SmallVector<OpFoldResult> sizes = foldSizes(op.getMixedSizes());
  SmallVector<OpFoldResult> strides = foldSizes(op.getMixedStrides());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<int64_t> shape;
  for (auto [axis, extent] : llvm::enumerate(getStatic(sizes)))
    if (!dropped.test(axis))
      shape.push_back(extent);
  return replace(op, tensor::ExtractSliceOp::create(
                         builder, op.getLoc(), withShape(op.getType(), shape),
                         op.getSource(), offsets, sizes, strides));
}

static Operation *refine(tensor::InsertSliceOp op) {
  OpBuilder builder(op);
  return replace(op, tensor::InsertSliceOp::create(
                         builder, op.getLoc(), op.getSource(), op.getDest(),
                         foldSizes(op.getMixedOffsets()),
                         foldSizes(op.getMixedSizes()),
                         foldSizes(op.getMixedStrides())));
}

static Operation *refine(tensor::PadOp op) {
  SmallVector<OpFoldResult> low = foldSizes(op.getMixedLowPad());
  SmallVector<OpFoldResult> high = foldSizes(op.getMixedHighPad());
  SmallVector<int64_t> staticLow = getStatic(low), staticHigh = getStatic(high);
  if (ShapedType::isDynamicShape(staticLow) ||
      ShapedType::isDynamicShape(staticHigh))
    return op;
  op.setStaticLow(staticLow);
  op.setStaticHigh(staticHigh);
  op.getLowMutable().clear();
  op.getHighMutable().clear();
  op.getResult().setType(tensor::PadOp::inferResultType(op.getSourceType(),
                                                        staticLow, staticHigh));
  return op;
}

static Operation *refine(tensor::ConcatOp op) {
  op.getResult().setType(tensor::ConcatOp::inferResultType(
      static_cast<int64_t>(op.getDim()), op.getInputs().getTypes()));
  return op;
}

Operation *cma::refineTensorOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, Operation *>(op)
      .Case<tensor::EmptyOp, tensor::SplatOp, tensor::ExpandShapeOp,
            tensor::CollapseShapeOp, tensor::CastOp, tensor::ExtractSliceOp,
            tensor::InsertSliceOp, tensor::PadOp, tensor::ConcatOp>(
          [](auto known) { return refine(known); })
      .Default(op);
}
