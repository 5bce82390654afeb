//===- ShapeRefinement.cpp - Static shapes, op by op ----------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file refines types in one pass over the ops, operands first.
//
//===----------------------------------------------------------------------===//

#include "ShapeRefinement.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;
using namespace cma;

static bool isDynamic(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && !shaped.hasStaticShape();
}

/// Replaces an op on index or integer scalars whose operands are constants,
/// such as the size of an axis that is now static.
static bool foldScalars(Operation *op) {
  if (op->getNumResults() == 0 || op->getNumRegions() != 0 ||
      !llvm::all_of(op->getResultTypes(), [](Type type) {
        return isa<IndexType, IntegerType>(type);
      }))
    return false;
  OpBuilder builder(op);
  SmallVector<Value> results;
  if (failed(builder.tryFold(op, results)) || results.empty())
    return false;
  op->replaceAllUsesWith(results);
  op->erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Ops of the dialect
//===----------------------------------------------------------------------===//

/// The input's leading axes and the result's last one, which is static.
static void refineLayer(Operation *op) {
  auto input = cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> shape(input.getShape().drop_back());
  shape.push_back(result.getShape().back());
  op->getResult(0).setType(withShape(result, shape));
}

static void refineContract(ContractOp op) {
  SmallVector<int64_t> extents = op.getLabelExtents(), shape;
  for (LabelId label : op.getEinsum().result)
    shape.push_back(extents[label]);
  op.getResult().setType(withShape(op.getType(), shape));
}

/// A label that neither operand nor result type explains is the batch.
static void refineBroadcast(BroadcastOp op, int64_t batch) {
  Einsum einsum = op.getEinsum();
  SmallVector<int64_t> extents(einsum.labels.size(), ShapedType::kDynamic);
  for (auto [label, extent] : llvm::zip(einsum.result, op.getType().getShape()))
    if (!ShapedType::isDynamic(extent))
      extents[label] = extent;
  for (auto [label, extent] :
       llvm::zip(einsum.operands[0],
                 cast<RankedTensorType>(op.getInput().getType()).getShape()))
    extents[label] = extent;
  SmallVector<int64_t> shape;
  for (LabelId label : einsum.result)
    shape.push_back(ShapedType::isDynamic(extents[label]) ? batch
                                                          : extents[label]);
  op.getResult().setType(withShape(op.getType(), shape));
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static LogicalResult checkYield(Operation *op, ValueRange yielded,
                                TypeRange expected) {
  for (auto [i, value] : llvm::enumerate(yielded))
    if (value.getType() != expected[i])
      return op->emitOpError() << "expected yielded value #" << i
                               << " to have one static type, got "
                               << value.getType() << " and " << expected[i];
  return success();
}

static LogicalResult refineFor(scf::ForOp op, int64_t batch) {
  for (auto [arg, result, init] :
       llvm::zip(op.getRegionIterArgs(), op.getResults(), op.getInitArgs())) {
    arg.setType(init.getType());
    result.setType(init.getType());
  }
  if (failed(refineShapes(*op.getBody(), batch)))
    return failure();
  return checkYield(op, op.getYieldedValues(), op->getResultTypes());
}

static LogicalResult refineIf(scf::IfOp op, int64_t batch) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(refineShapes(block, batch)))
        return failure();
  if (op.getNumResults() == 0)
    return success();
  for (auto [result, value] :
       llvm::zip(op.getResults(), op.thenYield().getOperands()))
    result.setType(value.getType());
  return checkYield(op, op.elseYield().getOperands(), op->getResultTypes());
}

//===----------------------------------------------------------------------===//
// Any op
//===----------------------------------------------------------------------===//

/// Result types by an interface or trait of the op.
static void refineByInterface(Operation *op) {
  if (auto infer = dyn_cast<InferTypeOpInterface>(op)) {
    SmallVector<Type> types;
    if (succeeded(infer.inferReturnTypes(
            op->getContext(), op->getLoc(), op->getOperands(),
            op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
            op->getRegions(), types)))
      for (auto [result, type] : llvm::zip(op->getResults(), types))
        result.setType(type);
  } else if (auto style = dyn_cast<DestinationStyleOpInterface>(op)) {
    for (OpOperand &init : style.getDpsInitsMutable())
      if (isa<RankedTensorType>(init.get().getType()))
        style.getTiedOpResult(&init).setType(init.get().getType());
  } else if (op->hasTrait<OpTrait::Elementwise>() &&
             op->getNumOperands() != 0) {
    auto like = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    for (Value result : op->getResults())
      if (like && isa<RankedTensorType>(result.getType()))
        result.setType(withShape(result.getType(), like.getShape()));
  }
}

static LogicalResult checkRefined(Operation *op) {
  for (auto [i, type] : llvm::enumerate(op->getResultTypes())) {
    if (isDynamic(type))
      return op->emitOpError() << "expected a shape that follows from the "
                                  "operands and the batch, got "
                               << type << " for result #" << i;
    auto shaped = dyn_cast<ShapedType>(type);
    if (shaped && !checkedProduct(shaped.getShape()))
      return op->emitOpError()
             << "expected result #" << i
             << " to have at most 2^63 - 1 elements, got " << type;
  }
  return success();
}

static LogicalResult refineOp(Operation *op, int64_t batch) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return refineFor(loop, batch);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return refineIf(branch, batch);
  bool hasDynamicResult = llvm::any_of(op->getResultTypes(), isDynamic);
  if (isa<tensor::TensorDialect>(op->getDialect())) {
    // An insertion has a static result and may have dynamic sizes.
    if (hasDynamicResult || isa<tensor::InsertSliceOp>(op))
      op = refineTensorOp(op);
    return op ? checkRefined(op) : success();
  }
  if (!hasDynamicResult)
    return success();
  if (isa<LayerOpInterface>(op))
    refineLayer(op);
  else if (auto contract = dyn_cast<ContractOp>(op))
    refineContract(contract);
  else if (auto broadcast = dyn_cast<BroadcastOp>(op))
    refineBroadcast(broadcast, batch);
  else if (auto cast = dyn_cast<cma::CastOp>(op))
    cast.getResult().setType(
        withShape(cast.getType(), cast.getInput().getType().getShape()));
  else
    refineByInterface(op);
  return checkRefined(op);
}

LogicalResult cma::refineShapes(Block &block, int64_t batch) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (!foldScalars(&op) && failed(refineOp(&op, batch)))
      return failure();
  return success();
}
