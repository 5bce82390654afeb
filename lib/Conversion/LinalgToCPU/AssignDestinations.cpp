//===- AssignDestinations.cpp - Compute results where they belong ---------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the cma-assign-destinations pass.
//
//===----------------------------------------------------------------------===//

#include "cma/Conversion/Passes.h"
#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/SetVector.h"

namespace cma {
#define GEN_PASS_DEF_ASSIGNDESTINATIONSPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

namespace {
/// How a returned value comes into being.
struct Origin {
  /// The value is in the destination's own buffer already.
  bool inPlace = false;
  /// Else the operand to put the destination in; null where there is none.
  OpOperand *init = nullptr;
  /// The values computed in that buffer, and the reshapes among their ops, from
  /// the returned value backwards.
  SmallVector<Value> path;
  SmallVector<Operation *> reshapes;
};

/// Brings the returned values of one function into their buffers.
class DestinationAssigner {
public:
  explicit DestinationAssigner(func::FuncOp func);

  void assign(bufferization::MaterializeInDestinationOp op);

private:
  Value getBufferTensor(Value buffer);
  Origin findOrigin(Value value, Value destination);
  Value copyTo(Value value, Value destination);
  bool fillAtEnd(bufferization::MaterializeInDestinationOp op,
                 Value destination);

  Block &block;
  CheckLabelsOp lastCheck;
  /// The first write to a buffer; everything is computed before it.
  Operation *firstWrite = nullptr;
  /// Values that are in a result's buffer.
  llvm::SmallSetVector<Value, 16> claimed;
};
} // namespace

DestinationAssigner::DestinationAssigner(func::FuncOp func)
    : block(func.getBody().front()) {
  for (auto check : block.getOps<CheckLabelsOp>())
    lastCheck = check;
  for (auto write : block.getOps<bufferization::MaterializeInDestinationOp>()) {
    firstWrite = write;
    break;
  }
}

/// The tensor that `buffer`, an argument of the function, holds at the start.
/// It stands before everything that may be computed in it; constants do, too.
Value DestinationAssigner::getBufferTensor(Value buffer) {
  for (Operation *user : buffer.getUsers())
    if (auto tensor = dyn_cast<bufferization::ToTensorOp>(user)) {
      tensor->moveBefore(&block, block.begin());
      return tensor;
    }
  auto type = cast<MemRefType>(buffer.getType());
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  return bufferization::ToTensorOp::create(
      builder, buffer.getLoc(),
      RankedTensorType::get(type.getShape(), type.getElementType()), buffer,
      /*restrict=*/true, /*writable=*/true);
}

/// The operand whose buffer `value`, a result of `op`, is computed in.
static OpOperand *getTiedInit(Operation *op, OpResult value) {
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    return dps.getTiedOpOperand(value);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loop.getTiedLoopInit(value);
  return nullptr;
}

/// Whether the old contents of `init` matter to `op`.
static bool readsInit(Operation *op, OpOperand &init) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return !linalgOp || linalgOp.payloadUsesValueFromOperand(&init);
}

/// Follows `value` backwards through the buffers that it is computed in, to an
/// operand whose contents do not matter. There is none where the value is an
/// argument, a constant, or in the buffer of another result.
Origin DestinationAssigner::findOrigin(Value value, Value destination) {
  Origin origin;
  while (!claimed.contains(value)) {
    if (value == destination) {
      origin.inPlace = true;
      break;
    }
    Operation *def = value.getDefiningOp();
    // Nothing may be written before all labels were checked.
    if (!def || def->getBlock() != &block ||
        (lastCheck && def->isBeforeInBlock(lastCheck)))
      break;
    origin.path.push_back(value);
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(def)) {
      origin.reshapes.push_back(def);
      value = def->getOperand(0);
      continue;
    }
    OpOperand *init = getTiedInit(def, cast<OpResult>(value));
    if (!init)
      break;
    if (!readsInit(def, *init) ||
        init->get().getDefiningOp<tensor::EmptyOp>()) {
      origin.init = init;
      break;
    }
    // A zero that several sums start from is made for each of them.
    if (auto fill = init->get().getDefiningOp<linalg::FillOp>();
        fill && !fill->hasOneUse())
      init->set(OpBuilder(def).clone(*fill)->getResult(0));
    value = init->get();
  }
  return origin;
}

/// `tensor` in the shape that `reshape` was given.
static Value undoReshape(OpBuilder &builder, Operation *reshape, Value tensor) {
  Type type = reshape->getOperand(0).getType();
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(reshape))
    return tensor::CollapseShapeOp::create(builder, reshape->getLoc(), type,
                                           tensor,
                                           expand.getReassociationIndices());
  auto collapse = cast<tensor::CollapseShapeOp>(reshape);
  return tensor::ExpandShapeOp::create(builder, reshape->getLoc(), type, tensor,
                                       collapse.getReassociationIndices());
}

/// A copy of `value` in the buffer of `destination`.
Value DestinationAssigner::copyTo(Value value, Value destination) {
  OpBuilder builder(firstWrite);
  unsigned rank = cast<RankedTensorType>(value.getType()).getRank();
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  return linalg::GenericOp::create(
             builder, value.getLoc(), destination.getType(), value, destination,
             ArrayRef<AffineMap>{identity, identity},
             SmallVector<utils::IteratorType>(rank,
                                              utils::IteratorType::parallel),
             [](OpBuilder &nested, Location loc, ValueRange arguments) {
               linalg::YieldOp::create(nested, loc, arguments.front());
             })
      .getResult(0);
}

/// Fills a buffer that is read, such as a sum that starts at zero again, after
/// everything else: filled where the value stands, it would need a copy.
bool DestinationAssigner::fillAtEnd(
    bufferization::MaterializeInDestinationOp op, Value destination) {
  auto fill = op.getSource().getDefiningOp<linalg::FillOp>();
  if (!fill || destination.use_empty())
    return false;
  OpBuilder builder(firstWrite);
  op.getSourceMutable().assign(linalg::FillOp::create(builder, fill.getLoc(),
                                                      fill.getInputs().front(),
                                                      destination)
                                   .getResult(0));
  if (fill->use_empty())
    fill.erase();
  return true;
}

void DestinationAssigner::assign(bufferization::MaterializeInDestinationOp op) {
  Value destination = getBufferTensor(op.getDest());
  if (fillAtEnd(op, destination))
    return;
  Origin origin = findOrigin(op.getSource(), destination);
  if (!origin.init && !origin.inPlace) {
    op.getSourceMutable().assign(copyTo(op.getSource(), destination));
    return;
  }
  claimed.insert_range(origin.path);
  if (origin.inPlace)
    return;
  OpBuilder builder(destination.getContext());
  builder.setInsertionPointAfterValue(destination);
  for (Operation *reshape : origin.reshapes)
    destination = undoReshape(builder, reshape, destination);
  origin.init->set(destination);
}

namespace {
struct AssignDestinations
    : cma::impl::AssignDestinationsPassBase<AssignDestinations> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isDeclaration())
      return;
    DestinationAssigner assigner(func);
    for (auto op : func.getBody()
                       .front()
                       .getOps<bufferization::MaterializeInDestinationOp>())
      if (isa<BlockArgument>(op.getDest()) &&
          isa<MemRefType>(op.getDest().getType()))
        assigner.assign(op);
  }
};
} // namespace
