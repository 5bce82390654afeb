//===- LoopNestEmit.cpp - Write ops as vector loops -----------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file emits the loops that planLoopNest chose.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "LoopNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cma;

namespace {
/// A point of the nest: where every operand stands, and the value of every loop
/// that linalg.index reads.
struct Point {
  SmallVector<Value> positions;
  SmallVector<Value> indices;
};

class LoopNestEmitter {
public:
  LoopNestEmitter(const KernelModel &model, const LoopNestPlan &plan,
                  Value initial);
  void emit();

private:
  /// Loops from number `depth` of the parallel ones inwards.
  void emitParallel(unsigned depth, const Point &point);
  /// The parallel vector loop over whole vectors first .. last, or the tail.
  void emitVectors(const Point &point, Value first, Value last);
  void emitTail(const Point &point);
  /// Everything inside the parallel loops.
  void emitInner(const Point &point, int64_t lanes);
  SmallVector<Value> emitReductions(unsigned depth, const Point &point,
                                    int64_t lanes, ValueRange accumulators);
  SmallVector<Value> emitVectorReduction(const Point &point,
                                         ValueRange accumulators);
  void finishVectorReduction(const Point &point, Value accumulator);

  /// The body of the op; `lanes` of a vector hold elements.
  SmallVector<Value> evaluate(const Point &point, int64_t lanes,
                              ValueRange outputs);
  Value getIndex(const Point &point, unsigned dim);
  Value loadOperand(const Point &point, unsigned operand, int64_t lanes);
  void storeOutputs(const Point &point, int64_t lanes, ValueRange values);
  Value combine(Value a, Value b);

  Point move(const Point &point, unsigned number, Value iv, int64_t scale = 1);
  /// `type` as handled by one iteration.
  Type widen(Type type) const {
    return plan.width > 1 ? VectorType::get({plan.width}, type) : type;
  }
  std::optional<unsigned> getVectorLoop() const {
    if (plan.width == 1)
      return std::nullopt;
    return plan.vectorReduction ? plan.reductions.back() : plan.parallel.back();
  }
  Type getElementType(unsigned operand) const {
    return model.getBody()->getArgument(operand).getType();
  }

  const KernelModel &model;
  const LoopNestPlan &plan;
  Value initial;
  KernelBuilder b;
  SmallVector<FlatMemRef> rows; // null memref for a scalar operand
};
} // namespace

LoopNestEmitter::LoopNestEmitter(const KernelModel &model,
                                 const LoopNestPlan &plan, Value initial)
    : model(model), plan(plan), initial(initial),
      b(model.op, model.op->getLoc()) {
  for (Value operand : model.op->getOperands())
    rows.push_back(isa<MemRefType>(operand.getType()) ? b.flatten(operand)
                                                      : FlatMemRef());
}

void LoopNestEmitter::emit() {
  Point point;
  for (auto [row, constant] : llvm::zip_equal(rows, model.constants))
    point.positions.push_back(row.memref ? b.add(row.base, b.index(constant))
                                         : Value());
  point.indices.resize(model.op.getNumLoops());
  if (!plan.useThreads)
    return emitParallel(0, point);

  unsigned outermost = plan.parallel.front();
  int64_t extent = model.loops[outermost].extent;
  if (getVectorLoop() == outermost) {
    b.chunks(extent / plan.width, true, [&](Value, Value first, Value last) {
      emitVectors(point, first, last);
    });
    return emitTail(point);
  }
  b.chunks(extent, true, [&](Value, Value first, Value last) {
    b.loop(first, last, 1,
           [&](Value iv) { emitParallel(1, move(point, outermost, iv)); });
  });
}

Point LoopNestEmitter::move(const Point &point, unsigned number, Value iv,
                            int64_t scale) {
  const KernelLoop &loop = model.loops[number];
  Point moved = point;
  for (auto [position, stride] : llvm::zip_equal(moved.positions, loop.strides))
    if (position)
      position = b.advance(position, iv, scale * stride);
  if (loop.indexedDim)
    moved.indices[*loop.indexedDim] = b.mul(iv, scale);
  return moved;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void LoopNestEmitter::emitParallel(unsigned depth, const Point &point) {
  if (depth == plan.parallel.size())
    return emitInner(point, plan.width);
  unsigned number = plan.parallel[depth];
  int64_t extent = model.loops[number].extent;
  if (getVectorLoop() == number) {
    emitVectors(point, b.index(0), b.index(extent / plan.width));
    return emitTail(point);
  }
  b.loop(0, extent, 1,
         [&](Value iv) { emitParallel(depth + 1, move(point, number, iv)); });
}

void LoopNestEmitter::emitVectors(const Point &point, Value first, Value last) {
  b.loop(first, last, 1, [&](Value iv) {
    emitInner(move(point, plan.parallel.back(), iv, plan.width), plan.width);
  });
}

void LoopNestEmitter::emitTail(const Point &point) {
  unsigned number = plan.parallel.back();
  int64_t extent = model.loops[number].extent;
  if (int64_t lanes = extent % plan.width)
    emitInner(move(point, number, b.index(extent / plan.width), plan.width),
              lanes);
}

void LoopNestEmitter::emitInner(const Point &point, int64_t lanes) {
  unsigned numInputs = model.numInputs;
  SmallVector<Value> outputs;
  for (BlockArgument argument : model.op.getRegionOutputArgs()) {
    Value output;
    if (plan.vectorReduction && plan.width > 1) {
      Operation *combiner = getReductionCombiner(model.op);
      TypedAttr neutral = *arith::getNeutralElement(combiner);
      output = b.splat(arith::ConstantOp::create(b, b.loc, neutral),
                       widen(argument.getType()));
    } else if (initial) {
      output = b.splat(initial, widen(argument.getType()));
    } else if (!argument.use_empty()) {
      output = loadOperand(point, numInputs + outputs.size(), lanes);
    }
    outputs.push_back(output);
  }
  if (plan.reductions.empty())
    return storeOutputs(point, lanes, evaluate(point, lanes, outputs));
  // An output that the body never reads holds its last value.
  for (auto [number, output] : llvm::enumerate(outputs))
    if (!output)
      output = loadOperand(point, numInputs + number, lanes);
  outputs = emitReductions(0, point, lanes, outputs);
  if (plan.vectorReduction && plan.width > 1)
    return finishVectorReduction(point, outputs.front());
  storeOutputs(point, lanes, outputs);
}

SmallVector<Value> LoopNestEmitter::emitReductions(unsigned depth,
                                                   const Point &point,
                                                   int64_t lanes,
                                                   ValueRange accumulators) {
  if (depth == plan.reductions.size())
    return evaluate(point, lanes, accumulators);
  unsigned number = plan.reductions[depth];
  if (getVectorLoop() == number)
    return emitVectorReduction(point, accumulators);
  return b.loop(model.loops[number].extent, accumulators,
                [&](Value iv, ValueRange carried) {
                  return emitReductions(depth + 1, move(point, number, iv),
                                        lanes, carried);
                });
}

SmallVector<Value>
LoopNestEmitter::emitVectorReduction(const Point &point,
                                     ValueRange accumulators) {
  unsigned number = plan.reductions.back();
  int64_t extent = model.loops[number].extent, width = plan.width;
  SmallVector<Value> sums = llvm::to_vector(accumulators);
  if (extent >= width)
    sums = b.loop(extent / width, sums, [&](Value iv, ValueRange carried) {
      return evaluate(move(point, number, iv, width), width, carried);
    });
  int64_t lanes = extent % width;
  if (lanes == 0)
    return sums;
  Point tail = move(point, number, b.index(extent / width), width);
  Value sum = evaluate(tail, lanes, sums).front();
  // Lanes past the end computed on zeros: they keep their old value.
  Value mask = vector::ConstantMaskOp::create(
      b, b.loc, VectorType::get({width}, b.getI1Type()),
      ArrayRef<int64_t>{lanes});
  return {arith::SelectOp::create(b, b.loc, mask, sum, sums.front())};
}

void LoopNestEmitter::finishVectorReduction(const Point &point,
                                            Value accumulator) {
  // Halve the vector until one lane is left: the order is fixed by the shape.
  int64_t width = plan.width;
  while (width > 1) {
    width /= 2;
    auto getHalf = [&](int64_t first) -> Value {
      return vector::ExtractStridedSliceOp::create(
          b, b.loc, accumulator, ArrayRef<int64_t>{first},
          ArrayRef<int64_t>{width}, ArrayRef<int64_t>{1});
    };
    Value low = getHalf(0), high = getHalf(width);
    accumulator = combine(low, high);
  }
  Value total =
      vector::ExtractOp::create(b, b.loc, accumulator, ArrayRef<int64_t>{0});
  unsigned output = model.numInputs;
  const FlatMemRef &row = rows[output];
  Value position = point.positions[output];
  Value old =
      initial ? initial : b.load(getElementType(output), row, position, 1);
  b.store(combine(old, total), row, position, 1);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

Value LoopNestEmitter::combine(Value first, Value second) {
  Operation *combiner = getReductionCombiner(model.op);
  Operation *op = b.clone(*combiner);
  op->setOperands({first, second});
  op->getResult(0).setType(first.getType());
  return op->getResult(0);
}

Value LoopNestEmitter::loadOperand(const Point &point, unsigned operand,
                                   int64_t lanes) {
  Type type = getElementType(operand);
  if (!rows[operand].memref)
    return b.splat(model.op->getOperand(operand), widen(type));
  std::optional<unsigned> vectorLoop = getVectorLoop();
  if (vectorLoop && model.loops[*vectorLoop].strides[operand] == 1)
    return b.load(widen(type), rows[operand], point.positions[operand], lanes);
  return b.splat(b.load(type, rows[operand], point.positions[operand], 1),
                 widen(type));
}

Value LoopNestEmitter::getIndex(const Point &point, unsigned dim) {
  Value value = point.indices[dim];
  std::optional<unsigned> vectorLoop = getVectorLoop();
  if (!vectorLoop)
    return value;
  auto type = VectorType::get({plan.width}, b.getIndexType());
  value = b.splat(value, type);
  if (model.loops[*vectorLoop].indexedDim == dim)
    value = arith::AddIOp::create(b, b.loc, value,
                                  vector::StepOp::create(b, b.loc, type));
  return value;
}

SmallVector<Value> LoopNestEmitter::evaluate(const Point &point, int64_t lanes,
                                             ValueRange outputs) {
  IRMapping mapping;
  Block *body = model.getBody();
  for (unsigned input = 0; input < model.numInputs; ++input)
    if (!body->getArgument(input).use_empty())
      mapping.map(body->getArgument(input), loadOperand(point, input, lanes));
  for (auto [argument, output] :
       llvm::zip_equal(model.op.getRegionOutputArgs(), outputs))
    if (output)
      mapping.map(argument, output);

  for (Operation &op : body->without_terminator())
    if (auto index = dyn_cast<linalg::IndexOp>(op))
      mapping.map(index.getResult(), getIndex(point, index.getDim()));
  return cloneBody(b, *body, mapping, plan.width, [&](Operation *clone) {
    // An index inside a nested region; such a body is never vectorised.
    clone->walk([&](linalg::IndexOp index) {
      index.replaceAllUsesWith(point.indices[index.getDim()]);
      index.erase();
    });
  });
}

void LoopNestEmitter::storeOutputs(const Point &point, int64_t lanes,
                                   ValueRange values) {
  for (auto [number, value] : llvm::enumerate(values)) {
    unsigned operand = model.numInputs + number;
    b.store(value, rows[operand], point.positions[operand], lanes);
  }
}

void cma::emitLoopNest(const KernelModel &model, const LoopNestPlan &plan,
                       Value initial) {
  LoopNestEmitter(model, plan, initial).emit();
}
