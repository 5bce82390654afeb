//===- ReverseLoop.cpp - Reverse mode over scf.for ------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file differentiates loops of a constant trip count. The forward loop
// saves the values that enter each iteration, stacked along a new leading axis;
// the reverse loop goes through the iterations from last to first, computes an
// iteration anew from what was saved, and sweeps over it.
//
//===----------------------------------------------------------------------===//

#include "ReverseSweep.h"

#include "cma/Dialect/CMA/IR/CMABuilders.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace cma;

bool ReverseSweep::propagateLoop(scf::ForOp loop) {
  // To a fixed point: an iteration passes activity on to the next.
  auto pass = [&] {
    bool changed = false;
    for (auto [init, arg] :
         llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs()))
      if (isActive(init))
        changed |= active.insert(arg).second;
    changed |= propagate(getBodyOps(*loop.getBody()));
    for (auto [yielded, arg] :
         llvm::zip(loop.getYieldedValues(), loop.getRegionIterArgs()))
      if (isActive(yielded))
        changed |= active.insert(arg).second;
    return changed;
  };
  bool changed = false;
  while (pass())
    changed = true;
  for (auto [arg, result] :
       llvm::zip(loop.getRegionIterArgs(), loop.getResults()))
    if (isActive(arg))
      changed |= active.insert(result).second;
  return changed;
}

void ReverseSweep::forget(scf::ForOp loop) {
  for (Value value : loop.getResults()) {
    active.erase(value);
    cotangents.erase(value);
  }
  for (Value value : loop.getRegionIterArgs())
    active.erase(value);
}

//===----------------------------------------------------------------------===//
// Stacks of saved values
//===----------------------------------------------------------------------===//

/// Offsets, sizes and strides of entry `position` of a stack of `entry`s.
static void getEntrySlice(OpBuilder &builder, Value position,
                          RankedTensorType entry,
                          SmallVectorImpl<OpFoldResult> &offsets,
                          SmallVectorImpl<OpFoldResult> &sizes,
                          SmallVectorImpl<OpFoldResult> &strides) {
  offsets.assign(entry.getRank() + 1, builder.getIndexAttr(0));
  offsets[0] = position;
  sizes.assign(1, builder.getIndexAttr(1));
  llvm::append_range(
      sizes, getAsIndexOpFoldResult(builder.getContext(), entry.getShape()));
  strides.assign(entry.getRank() + 1, builder.getIndexAttr(1));
}

static Value saveEntry(OpBuilder &builder, Location loc, Value stack,
                       Value position, Value entry) {
  auto type = dyn_cast<RankedTensorType>(entry.getType());
  if (!type)
    return tensor::InsertOp::create(builder, loc, entry, stack, position);
  SmallVector<OpFoldResult> offsets, sizes, strides;
  getEntrySlice(builder, position, type, offsets, sizes, strides);
  return tensor::InsertSliceOp::create(builder, loc, entry, stack, offsets,
                                       sizes, strides);
}

static Value loadEntry(OpBuilder &builder, Location loc, Value stack,
                       Value position, Type entry) {
  auto type = dyn_cast<RankedTensorType>(entry);
  if (!type)
    return tensor::ExtractOp::create(builder, loc, stack, position);
  // A slice starts at an element of its source, also where it takes none.
  if (type.getNumElements() == 0)
    return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                   type.getElementType());
  SmallVector<OpFoldResult> offsets, sizes, strides;
  getEntrySlice(builder, position, type, offsets, sizes, strides);
  return tensor::ExtractSliceOp::create(builder, loc, type, stack, offsets,
                                        sizes, strides);
}

/// A stack of `trips` entries with undefined contents.
static tensor::EmptyOp createStack(OpBuilder &builder, Location loc,
                                   int64_t trips, Type entry) {
  SmallVector<int64_t> shape{trips};
  if (auto type = dyn_cast<RankedTensorType>(entry))
    llvm::append_range(shape, type.getShape());
  return tensor::EmptyOp::create(builder, loc, shape,
                                 getElementTypeOrSelf(entry));
}

//===----------------------------------------------------------------------===//
// The reverse loop
//===----------------------------------------------------------------------===//

namespace cma {
/// Differentiates one loop on behalf of the sweep around it.
class LoopReversal {
public:
  LoopReversal(ReverseSweep &sweep, scf::ForOp loop)
      : sweep(sweep), builder(sweep.builder), loop(loop), loc(loop.getLoc()) {}

  LogicalResult run();

private:
  LogicalResult check();
  void createReverseLoop();
  Value createOriginalIV(Value position);
  LogicalResult fillBody();
  void saveEntries();
  void distribute();

  ReverseSweep &sweep;
  OpBuilder &builder;
  scf::ForOp loop;
  Location loc;
  int64_t trips = 0;
  scf::ForOp reverse;
  /// Positions of the carried values that have cotangents.
  SmallVector<unsigned> carried;
  /// Active values that the body uses from outside.
  SmallVector<Value> captured;
  /// Per carried value a stack, null where the body does not use the value. A
  /// stand-in until it is known whether the reverse loop reads it.
  SmallVector<tensor::EmptyOp> stacks;
};
} // namespace cma

LogicalResult LoopReversal::run() {
  if (failed(check()))
    return failure();
  createReverseLoop();
  if (failed(fillBody()))
    return failure();
  distribute();
  saveEntries();
  return success();
}

LogicalResult LoopReversal::check() {
  std::optional<APInt> count = loop.getStaticTripCount();
  if (!count)
    return loop.emitOpError()
           << "expected a constant trip count to differentiate";
  trips = count->getSExtValue();
  for (auto [i, value] : llvm::enumerate(loop.getRegionIterArgs())) {
    Type type = value.getType();
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor ? tensor.hasStaticShape()
               : isa<FloatType, IntegerType, IndexType>(type))
      continue;
    return loop.emitOpError()
           << "expected carried value #" << i
           << " to be a number or a tensor of static shape to differentiate, "
              "got "
           << type;
  }
  return success();
}

void LoopReversal::createReverseLoop() {
  captured = sweep.getActiveCaptures(loop);
  SmallVector<Value> inits;
  for (auto [i, result] : llvm::enumerate(loop.getResults())) {
    if (!sweep.isActive(result))
      continue;
    carried.push_back(i);
    Value cotangent = sweep.getCotangent(result);
    inits.push_back(cotangent
                        ? cotangent
                        : createFilled(builder, loc, result.getType(), 0.0));
  }
  for (Value value : captured)
    inits.push_back(createFilled(builder, loc, value.getType(), 0.0));

  for (Value value : loop.getRegionIterArgs())
    stacks.push_back(value.use_empty()
                         ? tensor::EmptyOp()
                         : createStack(builder, loc, trips, value.getType()));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value end = arith::ConstantIndexOp::create(builder, loc, trips);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  reverse = scf::ForOp::create(builder, loc, zero, end, one, inits);
}

/// Lower bound + position * step, in the type of the forward loop's variable.
Value LoopReversal::createOriginalIV(Value position) {
  Type type = loop.getInductionVar().getType();
  Value iv = getValueOrCreateCastToIndexLike(builder, loc, type, position);
  iv = builder.createOrFold<arith::MulIOp>(loc, iv, loop.getStep());
  return builder.createOrFold<arith::AddIOp>(loc, iv, loop.getLowerBound());
}

LogicalResult LoopReversal::fillBody() {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(reverse.getBody());
  Value last = arith::ConstantIndexOp::create(builder, loc, trips - 1);
  Value position =
      arith::SubIOp::create(builder, loc, last, reverse.getInductionVar());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), createOriginalIV(position));
  for (auto [arg, stack] : llvm::zip(loop.getRegionIterArgs(), stacks))
    if (stack)
      mapping.map(arg, loadEntry(builder, loc, stack, position, arg.getType()));

  SmallVector<Operation *> body;
  for (Operation *op : getBodyOps(*loop.getBody()))
    body.push_back(builder.clone(*op, mapping));

  ReverseSweep inner(builder, &sweep);
  for (BlockArgument arg : loop.getRegionIterArgs())
    if (sweep.isActive(arg) && mapping.contains(arg))
      inner.activate(mapping.lookup(arg));
  inner.propagate(body);
  auto incoming = reverse.getRegionIterArgs();
  for (auto [i, index] : llvm::enumerate(carried))
    if (Value yielded = mapping.lookupOrDefault(loop.getYieldedValues()[index]);
        inner.isActive(yielded))
      inner.addCotangent(yielded, incoming[i]);
  // The running sums are what the sweep adds to.
  for (auto [value, sum] :
       llvm::zip(captured, incoming.drop_front(carried.size())))
    inner.addCotangent(value, sum);
  if (failed(inner.run(body)))
    return failure();

  SmallVector<Value> outgoing;
  for (unsigned index : carried) {
    BlockArgument arg = loop.getRegionIterArgs()[index];
    Value cotangent;
    if (mapping.contains(arg))
      cotangent = inner.getCotangent(mapping.lookup(arg));
    outgoing.push_back(
        cotangent ? cotangent : createFilled(builder, loc, arg.getType(), 0.0));
  }
  for (Value value : captured)
    outgoing.push_back(inner.getCotangent(value));
  scf::YieldOp::create(builder, loc, outgoing);
  eraseDeadOps(*reverse.getBody());
  return success();
}

void LoopReversal::distribute() {
  for (auto [i, index] : llvm::enumerate(carried)) {
    Value init = loop.getInitArgs()[index];
    if (sweep.isActive(init))
      sweep.addCotangent(init, reverse.getResult(i));
  }
  for (auto [i, value] : llvm::enumerate(captured))
    sweep.addCotangent(value, reverse.getResult(carried.size() + i));
}

/// Makes the forward loop fill the stacks that the reverse loop reads.
void LoopReversal::saveEntries() {
  IRRewriter rewriter(loop);
  SmallVector<unsigned> saved;
  SmallVector<Value> inits;
  for (auto [i, stack] : llvm::enumerate(stacks)) {
    if (!stack)
      continue;
    if (!stack->use_empty()) {
      saved.push_back(i);
      inits.push_back(createStack(rewriter, loc, trips,
                                  loop.getRegionIterArgs()[i].getType()));
    } else {
      stack.erase();
    }
  }
  if (saved.empty())
    return;

  sweep.forget(loop);
  unsigned originals = loop.getNumResults();
  auto save = [&](OpBuilder &b, Location, ArrayRef<BlockArgument> added) {
    // The number of the iteration, counted from 0.
    auto owner = cast<scf::ForOp>(b.getInsertionBlock()->getParentOp());
    Value offset = b.createOrFold<arith::SubIOp>(loc, owner.getInductionVar(),
                                                 owner.getLowerBound());
    Value position =
        b.createOrFold<arith::DivUIOp>(loc, offset, owner.getStep());
    position =
        getValueOrCreateCastToIndexLike(b, loc, b.getIndexType(), position);
    SmallVector<Value> values;
    for (auto [index, stack] : llvm::zip(saved, added))
      values.push_back(
          saveEntry(b, loc, stack, position, owner.getRegionIterArgs()[index]));
    return values;
  };
  auto replaced = loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, save);
  assert(succeeded(replaced) && "a loop takes further carried values");
  loop = cast<scf::ForOp>(replaced->getOperation());
  for (auto [k, index] : llvm::enumerate(saved)) {
    stacks[index].replaceAllUsesWith(loop.getResult(originals + k));
    stacks[index].erase();
  }
}

LogicalResult ReverseSweep::differentiateLoop(scf::ForOp loop) {
  return LoopReversal(*this, loop).run();
}
