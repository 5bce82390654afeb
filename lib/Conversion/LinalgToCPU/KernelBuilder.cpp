//===- KernelBuilder.cpp - Building blocks of CPU kernels -----------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the helpers that emit CPU kernels.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cma;

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(*this, loc, value);
}

Value KernelBuilder::add(Value a, Value b) {
  return createOrFold<arith::AddIOp>(loc, a, b);
}

Value KernelBuilder::sub(Value a, Value b) {
  return createOrFold<arith::SubIOp>(loc, a, b);
}

Value KernelBuilder::mul(Value a, int64_t factor) {
  if (factor == 1)
    return a;
  return createOrFold<arith::MulIOp>(loc, a, index(factor));
}

Value KernelBuilder::min(Value a, Value b) {
  return createOrFold<arith::MinSIOp>(loc, a, b);
}

Value KernelBuilder::max(Value a, Value b) {
  return createOrFold<arith::MaxSIOp>(loc, a, b);
}

Value KernelBuilder::advance(Value base, Value iv, int64_t stride) {
  return stride == 0 ? base : add(base, mul(iv, stride));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Steps from a view to its source, adding the view's offset to `base`; fails
/// where `memref` is no view that keeps linear addresses.
static FailureOr<Value> lookThroughView(KernelBuilder &b, Value memref,
                                        Value &base) {
  Operation *def = memref.getDefiningOp();
  if (!def)
    return failure();
  if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp>(def))
    return def->getOperand(0);
  if (auto cast = dyn_cast<memref::ReinterpretCastOp>(def)) {
    // Its offset counts from the start of the buffer: only where that is also
    // the start of the source are the two the same.
    auto source = dyn_cast<MemRefType>(cast.getSource().getType());
    if (!source || !source.hasStaticShape() || !source.getLayout().isIdentity())
      return failure();
    base = b.add(base, getValueOrCreateConstantIndexOp(
                           b, b.loc, cast.getMixedOffsets().front()));
    return cast.getSource();
  }
  auto view = dyn_cast<memref::SubViewOp>(def);
  if (!view)
    return failure();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(view.getSourceType().getStridesAndOffset(strides, offset)) ||
      llvm::is_contained(strides, ShapedType::kDynamic))
    return failure();
  for (auto [first, stride] : llvm::zip_equal(view.getMixedOffsets(), strides))
    base = b.advance(base, getValueOrCreateConstantIndexOp(b, b.loc, first),
                     stride);
  return view.getSource();
}

FlatMemRef KernelBuilder::flatten(Value memref) {
  Value base = index(0);
  while (true) {
    FailureOr<Value> source = lookThroughView(*this, memref, base);
    if (failed(source))
      break;
    memref = *source;
  }
  auto type = cast<MemRefType>(memref.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t span = 1;
  for (auto [extent, stride] : llvm::zip_equal(type.getShape(), strides))
    span += (extent - 1) * stride;
  if (type.getNumElements() == 0)
    span = 0;
  if (type.getRank() == 1 && type.getLayout().isIdentity())
    return {memref, base};

  OpFoldResult first = getIndexAttr(offset);
  if (ShapedType::isDynamic(offset))
    first = Value(memref::ExtractStridedMetadataOp::create(*this, loc, memref)
                      .getOffset());
  auto layout = StridedLayoutAttr::get(getContext(), offset, {1});
  auto rowType =
      MemRefType::get({span}, type.getElementType(),
                      offset == 0 ? MemRefLayoutAttrInterface()
                                  : MemRefLayoutAttrInterface(layout),
                      type.getMemorySpace());
  Value row = memref::ReinterpretCastOp::create(
      *this, loc, rowType, memref, first,
      ArrayRef<OpFoldResult>{getIndexAttr(span)},
      ArrayRef<OpFoldResult>{getIndexAttr(1)});
  return {row, base};
}

FlatMemRef KernelBuilder::createScratch(Type elementType, int64_t numElements) {
  // In a parallel loop every iteration gets a row of its own; in sequential
  // loops one row serves all of them.
  Operation *position = nullptr;
  for (Operation *op = getInsertionBlock()->getParentOp();
       isa<scf::ForOp, scf::IfOp>(op); op = op->getParentOp())
    position = op;
  OpBuilder::InsertionGuard guard(*this);
  if (position)
    setInsertionPoint(position);
  Value row = memref::AllocOp::create(
      *this, loc, MemRefType::get({numElements}, elementType),
      getI64IntegerAttr(64));
  return {row, index(0)};
}

/// A mask with the first `lanes` of `type` set.
static Value createLaneMask(KernelBuilder &b, VectorType type, int64_t lanes) {
  return vector::ConstantMaskOp::create(
      b, b.loc, VectorType::get(type.getShape(), b.getI1Type()),
      ArrayRef<int64_t>{lanes});
}

/// The lengths, powers of two from the longest down, that make up `lanes`, each
/// with its first lane.
static SmallVector<std::pair<int64_t, int64_t>> getPieces(int64_t lanes) {
  SmallVector<std::pair<int64_t, int64_t>> pieces;
  int64_t first = 0;
  for (int64_t piece = llvm::bit_floor(uint64_t(lanes)); piece >= 1; piece /= 2)
    if (lanes & piece) {
      pieces.push_back({first, piece});
      first += piece;
    }
  return pieces;
}

/// The first `lanes` of a vector, `rest` behind them. AVX2 has no masks for
/// elements below 32 bits: it would ask for each lane in turn.
static Value loadPieces(KernelBuilder &b, VectorType type,
                        const FlatMemRef &row, Value position, int64_t lanes,
                        Value rest) {
  for (auto [first, piece] : getPieces(lanes)) {
    Value part = vector::LoadOp::create(
        b, b.loc, VectorType::get({piece}, type.getElementType()), row.memref,
        b.add(position, b.index(first)));
    rest = vector::InsertStridedSliceOp::create(
        b, b.loc, part, rest, ArrayRef<int64_t>{first}, ArrayRef<int64_t>{1});
  }
  return rest;
}

Value KernelBuilder::load(Type type, const FlatMemRef &row, Value position,
                          int64_t lanes) {
  auto vectorType = dyn_cast<VectorType>(type);
  if (!vectorType)
    return memref::LoadOp::create(*this, loc, row.memref, position);
  if (lanes == vectorType.getNumElements())
    return vector::LoadOp::create(*this, loc, vectorType, row.memref, position);
  Value zero = arith::ConstantOp::create(*this, loc, getZeroAttr(vectorType));
  if (vectorType.getElementTypeBitWidth() < 32)
    return loadPieces(*this, vectorType, row, position, lanes, zero);
  return vector::MaskedLoadOp::create(
      *this, loc, vectorType, row.memref, position,
      createLaneMask(*this, vectorType, lanes), zero);
}

void KernelBuilder::store(Value value, const FlatMemRef &row, Value position,
                          int64_t lanes) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type) {
    memref::StoreOp::create(*this, loc, value, row.memref, position);
    return;
  }
  if (lanes == type.getNumElements()) {
    vector::StoreOp::create(*this, loc, value, row.memref, position);
    return;
  }
  // Masked stores are slow on AMD's cores; pieces of 8, 4, 2, 1 lanes are not.
  for (auto [first, piece] : getPieces(lanes)) {
    Value part = vector::ExtractStridedSliceOp::create(
        *this, loc, value, ArrayRef<int64_t>{first}, ArrayRef<int64_t>{piece},
        ArrayRef<int64_t>{1});
    vector::StoreOp::create(*this, loc, part, row.memref,
                            add(position, index(first)));
  }
}

Value KernelBuilder::getNear(const FlatMemRef &row, Value position,
                             int64_t span) {
  int64_t size = cast<MemRefType>(row.memref.getType()).getNumElements();
  return min(position, index(std::max<int64_t>(size - span, 0)));
}

void KernelBuilder::prefetch(const FlatMemRef &row, Value position,
                             bool forWriting) {
  memref::PrefetchOp::create(*this, loc, row.memref, position, forWriting,
                             /*localityHint=*/3, /*isDataCache=*/true);
}

Value KernelBuilder::splat(Value scalar, Type type) {
  if (!isa<VectorType>(type) || isa<VectorType>(scalar.getType()))
    return scalar;
  return vector::BroadcastOp::create(*this, loc, type, scalar);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void KernelBuilder::loop(Value lower, Value upper, int64_t step,
                         LoopBody body) {
  auto first = getConstantIntValue(lower), last = getConstantIntValue(upper);
  if (first && last) {
    if (*first >= *last)
      return;
    if (*last - *first <= step)
      return body(lower);
  }
  auto loop = scf::ForOp::create(*this, loc, lower, upper, index(step));
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void KernelBuilder::loop(int64_t lower, int64_t upper, int64_t step,
                         LoopBody body) {
  loop(index(lower), index(upper), step, body);
}

/// Makes LLVM write the body of `loop` `count` times.
static void setUnrolling(scf::ForOp loop, int64_t count) {
  MLIRContext *context = loop.getContext();
  LLVM::LoopUnrollAttr unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/nullptr,
      IntegerAttr::get(IntegerType::get(context, 32), count), nullptr, nullptr,
      nullptr, nullptr, nullptr);
  loop->setAttr(kLoopAnnotation,
                LLVM::LoopAnnotationAttr::get(
                    context, nullptr, nullptr, nullptr, unroll, nullptr,
                    nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                    nullptr, nullptr, nullptr, {}));
}

SmallVector<Value> KernelBuilder::loop(int64_t extent, ValueRange inits,
                                       CarryingLoopBody body,
                                       int64_t unrolling) {
  if (extent == 1)
    return body(index(0), inits);
  auto loop =
      scf::ForOp::create(*this, loc, index(0), index(extent), index(1), inits);
  if (unrolling > 1)
    setUnrolling(loop, unrolling);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  SmallVector<Value> carried =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!inits.empty())
    scf::YieldOp::create(*this, loc, carried);
  return llvm::to_vector(ValueRange(loop.getResults()));
}

void KernelBuilder::chunks(int64_t extent, bool parallel, ChunkBody body) {
  int64_t count = std::min(extent, kNumChunks);
  if (!parallel || count <= 1)
    return body(index(0), index(0), index(extent));
  auto loop =
      scf::ParallelOp::create(*this, loc, ValueRange{index(0)},
                              ValueRange{index(count)}, ValueRange{index(1)});
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  // Chunk c covers c * extent / count up to (c + 1) * extent / count.
  Value chunk = loop.getInductionVars().front();
  auto getBound = [&](Value number) {
    if (extent % count == 0)
      return mul(number, extent / count);
    return createOrFold<arith::DivUIOp>(loc, mul(number, extent), index(count));
  };
  Value first = getBound(chunk);
  body(chunk, first, getBound(add(chunk, index(1))));
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

SmallVector<Value> cma::cloneBody(KernelBuilder &b, Block &body,
                                  IRMapping &mapping, int64_t width,
                                  function_ref<void(Operation *)> onClone) {
  auto widen = [&](Type type) -> Type {
    return width > 1 ? VectorType::get({width}, type) : type;
  };
  auto getOperand = [&](Value value) {
    value = mapping.lookupOrDefault(value);
    return width > 1 ? b.splat(value, widen(value.getType())) : value;
  };
  for (Operation &op : body.without_terminator()) {
    if (op.getNumResults() != 0 && mapping.contains(op.getResult(0)))
      continue;
    if (width > 1)
      for (Value operand : op.getOperands())
        mapping.map(operand, getOperand(operand));
    Operation *clone = b.clone(op, mapping);
    if (width > 1 && !isa<arith::ConstantOp>(op))
      for (OpResult result : clone->getResults())
        result.setType(widen(result.getType()));
    if (onClone)
      onClone(clone);
  }
  SmallVector<Value> results;
  for (Value yielded : body.getTerminator()->getOperands())
    results.push_back(getOperand(yielded));
  return results;
}

bool cma::isInParallelLoop(Operation *op) {
  return op->getParentOfType<scf::ParallelOp>() ||
         op->getParentOfType<scf::ForallOp>();
}
