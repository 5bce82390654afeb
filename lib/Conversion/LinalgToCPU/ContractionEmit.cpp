//===- ContractionEmit.cpp - Write register-tiled contractions ------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file emits the loops, panel copies and register tiles that
// planContraction chose.
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cma;

/// Rows of A that are used again and again should stay in L2 beside a panel.
static constexpr int64_t kRowTileBytes = 192 << 10;

/// Copies of more than this many elements are shared among threads.
static constexpr int64_t kMinParallelCopy = 1 << 17;

/// A buffer of more than this does not stay in the caches of a core, and what a
/// tile needs of it is fetched ahead: the hardware does not guess the rows.
static constexpr int64_t kNearBytes = 128 << 10;
static constexpr int64_t kLineBytes = 64;
static constexpr int64_t kMaxUnrolling = 8;
/// With more panels than this, the hardware has time to fetch the rows of A.
static constexpr int64_t kMaxFetchingPanels = 8;

namespace {
/// Where the three operands stand inside the loops around the kernel.
struct Origin {
  Value a, b, c;
};

class ContractionEmitter {
public:
  ContractionEmitter(const KernelModel &model, const ContractionKernel &plan,
                     Value initial);
  void emit();

private:
  //===--- Loops around the kernel ---===//
  void emitOuter(unsigned depth, const Origin &origin);
  Origin move(const Origin &origin, unsigned outer, Value iv);
  void emitKernel(const Origin &origin);
  /// Row blocks and panels of the given ranges.
  void emitBlocks(const Origin &origin, Value firstBlock, Value lastBlock,
                  Value firstPanel, Value lastPanel);
  using RowsBody = function_ref<void(Value firstRow, int64_t rows)>;
  void emitRowBlocks(Value first, Value last, RowsBody body);
  using PanelBody = function_ref<void(Value panel, int64_t lanes)>;
  void emitPanels(Value first, Value last, PanelBody body);

  //===--- Panels of B ---===//
  void packAll();
  void packOuter(KernelBuilder &p, unsigned depth, const FlatMemRef &source,
                 Value position, Value target);
  void packPanel(KernelBuilder &p, const FlatMemRef &source, Value position,
                 Value target, Value panel, int64_t lanes);
  /// Calls `body` with the position in B and in the packed panel of every k.
  void forEachK(KernelBuilder &p, unsigned depth, Value position, Value target,
                function_ref<void(Value, Value)> body);
  /// Where column number `column` starts, relative to column 0 of B.
  Value getColumnOffset(KernelBuilder &p, Value column);

  //===--- Elementwise ops on the way ---===//
  void emitRowMap(Value firstRow, int64_t rows);
  Value applyMap(const FusedMap &map, Value vector);

  //===--- The register tile ---===//
  void emitTile(const Origin &origin, Value firstRow, int64_t rows, Value panel,
                int64_t lanes);
  /// `next` is where the tile after this one stands in A, null if that is not
  /// fetched ahead.
  SmallVector<Value> emitSum(unsigned depth, Value a, Value next, Value b,
                             int64_t rows, int64_t lanes,
                             ValueRange accumulators);
  SmallVector<Value> emitFetchingSum(Value a, Value next, Value b, int64_t rows,
                                     int64_t lanes, ValueRange accumulators);
  SmallVector<Value> emitStep(Value a, Value b, int64_t rows, int64_t lanes,
                              ValueRange accumulators);

  int64_t getNumBlocks() const {
    return llvm::divideCeil(plan.m.extent, plan.maxRows);
  }
  VectorType getVectorType() const {
    return VectorType::get({plan.lanes}, plan.elementType);
  }
  bool isPacked() const { return plan.panels != PanelMode::Direct; }
  /// From the first element of a row of A that is summed to after the last one.
  int64_t getSpanOfK() const {
    int64_t span = 1;
    for (const ContractionLoop &loop : plan.k)
      span += (loop.extent - 1) * std::max<int64_t>(loop.a, 0);
    return span;
  }
  int64_t getLineElements() const {
    return kLineBytes * 8 / plan.elementType.getIntOrFloatBitWidth();
  }
  bool isFar(const FlatMemRef &row) const {
    return cast<MemRefType>(row.memref.getType()).getNumElements() *
               kLineBytes / getLineElements() >
           kNearBytes;
  }
  /// Whether the tile of the next rows is fetched from A during this one.
  bool fetchesA() const {
    return !plan.columnsOutside && !plan.rowMap && plan.m.a > 0 &&
           plan.k.back().a == 1 &&
           plan.k.back().extent >= 2 * getLineElements() &&
           plan.getNumPanels() <= kMaxFetchingPanels && isFar(rowA);
  }
  bool fetchesC() const { return plan.m.c > 0 && isFar(rowC); }

  const KernelModel &model;
  const ContractionKernel &plan;
  Value initial;
  KernelBuilder b;
  FlatMemRef rowA, rowB, rowC;
  FlatMemRef mapped; // what the map of A reads
  /// Strides of the loops `plan.k` and `plan.outer` in B as the tile reads it.
  SmallVector<int64_t> strideK, strideOuter;
  int64_t panelStride;
};
} // namespace

/// How many steps of a sum are written without a jump: a divisor of `extent`,
/// so that none are left over.
static int64_t chooseUnrolling(int64_t extent) {
  for (int64_t steps = kMaxUnrolling; steps > 1; --steps)
    if (extent % steps == 0)
      return steps;
  return std::min<int64_t>(extent, kMaxUnrolling / 2);
}

ContractionEmitter::ContractionEmitter(const KernelModel &model,
                                       const ContractionKernel &plan,
                                       Value initial)
    : model(model), plan(plan), initial(initial),
      b(model.op, model.op->getLoc()) {
  panelStride = isPacked() ? plan.getK() * plan.lanes : plan.lanes;
  int64_t stride = plan.lanes;
  for (const ContractionLoop &loop : llvm::reverse(plan.k)) {
    strideK.insert(strideK.begin(), isPacked() ? stride : loop.b);
    stride *= loop.extent;
  }
  stride = panelStride * plan.getNumPanels();
  for (const ContractionLoop &loop : llvm::reverse(plan.outer)) {
    bool isWhole = plan.panels == PanelMode::Whole;
    strideOuter.insert(strideOuter.begin(),
                       isWhole && loop.b ? stride : loop.b);
    stride *= loop.b ? loop.extent : 1;
  }
}

void ContractionEmitter::emit() {
  auto getRow = [&](unsigned operand) {
    FlatMemRef row = b.flatten(model.op->getOperand(operand));
    row.base = b.add(row.base, b.index(model.constants[operand]));
    return row;
  };
  if (plan.rowMap)
    mapped = b.flatten(plan.rowMap->model.op->getOperand(0));
  rowA = plan.rowMap && plan.rowMap->isPrivate
             ? b.createScratch(plan.elementType, plan.maxRows * plan.getK())
             : getRow(plan.operandA);
  rowC = plan.resultMap ? b.flatten(plan.resultMap->model.op->getOperand(1))
                        : getRow(2);
  if (plan.panels == PanelMode::Whole)
    packAll();
  else
    rowB = getRow(plan.operandB);
  emitOuter(0, {rowA.base, rowB.base, rowC.base});
}

//===----------------------------------------------------------------------===//
// Loops around the kernel
//===----------------------------------------------------------------------===//

Origin ContractionEmitter::move(const Origin &origin, unsigned outer,
                                Value iv) {
  const ContractionLoop &loop = plan.outer[outer];
  return {b.advance(origin.a, iv, loop.a),
          b.advance(origin.b, iv, strideOuter[outer]),
          b.advance(origin.c, iv, loop.c)};
}

void ContractionEmitter::emitOuter(unsigned depth, const Origin &origin) {
  if (depth == plan.outer.size())
    return emitKernel(origin);
  int64_t extent = plan.outer[depth].extent;
  bool threads = plan.useThreads && depth == 0 && extent >= kNumChunks / 2;
  b.chunks(extent, threads, [&](Value, Value first, Value last) {
    b.loop(first, last, 1,
           [&](Value iv) { emitOuter(depth + 1, move(origin, depth, iv)); });
  });
}

void ContractionEmitter::emitKernel(const Origin &origin) {
  bool threads = plan.useThreads &&
                 !isInParallelLoop(b.getInsertionBlock()->getParentOp()) &&
                 !isa<scf::ParallelOp>(b.getInsertionBlock()->getParentOp());
  int64_t blocks = getNumBlocks(), panels = plan.getNumPanels();
  if (threads && blocks < kNumChunks && blocks < panels)
    return b.chunks(panels, true, [&](Value, Value first, Value last) {
      emitBlocks(origin, b.index(0), b.index(blocks), first, last);
    });
  int64_t elementBytes = plan.elementType.getIntOrFloatBitWidth() / 8;
  int64_t blockBytes = plan.getK() * plan.maxRows * elementBytes;
  int64_t step = std::max<int64_t>(4, kRowTileBytes / blockBytes);
  b.chunks(blocks, threads, [&](Value, Value first, Value last) {
    auto emitTile = [&](Value from, Value to) {
      emitBlocks(origin, from, to, b.index(0), b.index(panels));
    };
    if (!plan.columnsOutside || blocks <= 2 * step)
      return emitTile(first, last);
    b.loop(first, last, step, [&](Value from) {
      emitTile(from, b.min(last, b.add(from, b.index(step))));
    });
  });
}

void ContractionEmitter::emitRowBlocks(Value first, Value last, RowsBody body) {
  // Blocks that differ by one row at most: no block of one or two rows, which
  // would not keep the multipliers busy.
  int64_t blocks = getNumBlocks();
  int64_t rows = plan.m.extent / blocks, longer = plan.m.extent % blocks;
  if (longer != 0)
    b.loop(first, b.min(last, b.index(longer)), 1,
           [&](Value block) { body(b.mul(block, rows + 1), rows + 1); });
  Value start = longer ? b.max(first, b.index(longer)) : first;
  b.loop(start, last, 1, [&](Value block) {
    body(b.add(b.mul(block, rows), b.index(longer)), rows);
  });
}

void ContractionEmitter::emitPanels(Value first, Value last, PanelBody body) {
  int64_t full = plan.getN() / plan.lanes, tail = plan.getN() % plan.lanes;
  Value fullEnd = tail ? b.min(last, b.index(full)) : last;
  b.loop(first, fullEnd, 1, [&](Value panel) { body(panel, plan.lanes); });
  if (tail)
    b.loop(b.max(first, b.index(full)), last, 1,
           [&](Value panel) { body(panel, tail); });
}

void ContractionEmitter::emitBlocks(const Origin &origin, Value firstBlock,
                                    Value lastBlock, Value firstPanel,
                                    Value lastPanel) {
  if (!plan.columnsOutside)
    return emitRowBlocks(firstBlock, lastBlock, [&](Value row, int64_t rows) {
      if (plan.rowMap)
        emitRowMap(row, rows);
      emitPanels(firstPanel, lastPanel, [&](Value panel, int64_t lanes) {
        emitTile(origin, row, rows, panel, lanes);
      });
    });
  bool copies = plan.panels == PanelMode::PerPanel;
  FlatMemRef source = rowB, copy;
  if (copies)
    copy = b.createScratch(plan.elementType, panelStride);
  emitPanels(firstPanel, lastPanel, [&](Value panel, int64_t lanes) {
    Origin here = origin;
    Value inside = panel;
    if (copies) {
      rowB = copy;
      packPanel(b, source, origin.b, copy.base, panel, lanes);
      here.b = copy.base;
      inside = b.index(0);
    }
    emitRowBlocks(firstBlock, lastBlock, [&](Value row, int64_t rows) {
      Origin tile = here;
      if (copies) // the tile's panel is the copy, but its columns are C's
        tile.c = b.advance(origin.c, panel, plan.lanes);
      emitTile(tile, row, rows, inside, lanes);
    });
    rowB = source;
  });
}

//===----------------------------------------------------------------------===//
// Panels of B
//===----------------------------------------------------------------------===//

void ContractionEmitter::packAll() {
  KernelBuilder p(plan.packBefore, b.loc);
  Value memref = model.op->getOperand(plan.operandB);
  FlatMemRef source = p.flatten(memref);
  int64_t total = panelStride * plan.getNumPanels();
  for (const ContractionLoop &loop : plan.outer)
    total *= loop.b ? loop.extent : 1;
  rowB = p.createScratch(plan.elementType, total);
  Value position = p.add(source.base, p.index(model.constants[plan.operandB]));
  packOuter(p, 0, source, position, rowB.base);
}

void ContractionEmitter::packOuter(KernelBuilder &p, unsigned depth,
                                   const FlatMemRef &source, Value position,
                                   Value target) {
  if (depth < plan.outer.size()) {
    const ContractionLoop &loop = plan.outer[depth];
    return p.loop(0, loop.b ? loop.extent : 1, 1, [&](Value iv) {
      packOuter(p, depth + 1, source, p.advance(position, iv, loop.b),
                p.advance(target, iv, strideOuter[depth]));
    });
  }
  int64_t full = plan.getN() / plan.lanes, tail = plan.getN() % plan.lanes;
  bool threads = full * panelStride >= kMinParallelCopy &&
                 !isInParallelLoop(plan.packBefore) && depth == 0;
  auto pack = [&](Value panel, int64_t lanes) {
    packPanel(p, source, position, p.advance(target, panel, panelStride), panel,
              lanes);
  };
  p.chunks(full, threads, [&](Value, Value first, Value last) {
    p.loop(first, last, 1, [&](Value panel) { pack(panel, plan.lanes); });
  });
  if (tail)
    pack(p.index(full), tail);
}

void ContractionEmitter::packPanel(KernelBuilder &p, const FlatMemRef &source,
                                   Value position, Value target, Value panel,
                                   int64_t lanes) {
  FlatMemRef packed = rowB;
  VectorType type = getVectorType();
  Value firstColumn = p.mul(panel, plan.lanes);
  bool unitStride = plan.n.size() == 1 && plan.n.front().b == 1;
  if (unitStride) {
    // The panel after this one comes from the same rows.
    bool fetches = plan.panels == PanelMode::PerPanel && isFar(source);
    // A masked load leaves zeros in the lanes past the last column.
    forEachK(
        p, 0, p.add(position, firstColumn), target, [&](Value from, Value to) {
          if (fetches) {
            Value next = p.add(from, p.index(plan.lanes));
            p.prefetch(source, p.getNear(source, next, 1), false);
          }
          p.store(p.load(type, source, from, lanes), packed, to, plan.lanes);
        });
    return;
  }
  Value zero = arith::ConstantOp::create(p, p.loc, p.getZeroAttr(type));
  forEachK(p, 0, position, target, [&](Value from, Value to) {
    if (lanes != plan.lanes)
      p.store(zero, packed, to, plan.lanes);
    p.loop(0, lanes, 1, [&](Value lane) {
      Value column = getColumnOffset(p, p.add(firstColumn, lane));
      Value element = p.load(plan.elementType, source, p.add(from, column), 1);
      p.store(element, packed, p.add(to, lane), 1);
    });
  });
}

void ContractionEmitter::forEachK(KernelBuilder &p, unsigned depth,
                                  Value position, Value target,
                                  function_ref<void(Value, Value)> body) {
  if (depth == plan.k.size())
    return body(position, target);
  const ContractionLoop &loop = plan.k[depth];
  p.loop(0, loop.extent, 1, [&](Value iv) {
    forEachK(p, depth + 1, p.advance(position, iv, loop.b),
             p.advance(target, iv, strideK[depth]), body);
  });
}

Value ContractionEmitter::getColumnOffset(KernelBuilder &p, Value column) {
  Value offset = p.index(0);
  for (const ContractionLoop &loop :
       llvm::reverse(ArrayRef(plan.n).drop_front())) {
    Value extent = p.index(loop.extent);
    Value digit = p.createOrFold<arith::RemUIOp>(p.loc, column, extent);
    offset = p.advance(offset, digit, loop.b);
    column = p.createOrFold<arith::DivUIOp>(p.loc, column, extent);
  }
  return p.advance(offset, column, plan.n.front().b);
}

//===----------------------------------------------------------------------===//
// Elementwise ops on the way
//===----------------------------------------------------------------------===//

Value ContractionEmitter::applyMap(const FusedMap &map, Value vector) {
  Block *body = map.model.getBody();
  IRMapping mapping;
  mapping.map(body->getArgument(0), vector);
  return cloneBody(b, *body, mapping,
                   cast<VectorType>(vector.getType()).getNumElements())
      .front();
}

void ContractionEmitter::emitRowMap(Value firstRow, int64_t rows) {
  const RowMap &map = *plan.rowMap;
  int64_t width = getLineElements(), whole = plan.getK() / width;
  auto type = VectorType::get({width}, map.getInputType());
  auto emitVector = [&](Value from, Value to, int64_t lanes) {
    Value in = b.load(type, mapped, from, lanes);
    b.store(applyMap(map, in), rowA, to, lanes);
  };
  b.loop(0, rows, 1, [&](Value row) {
    Value from = b.advance(mapped.base, b.add(firstRow, row), map.rowStride);
    Value to = b.advance(rowA.base, map.isPrivate ? row : b.add(firstRow, row),
                         plan.m.a);
    b.loop(0, whole, 1, [&](Value iv) {
      emitVector(b.advance(from, iv, width), b.advance(to, iv, width), width);
    });
    if (int64_t lanes = plan.getK() % width) {
      Value last = b.index(whole * width);
      emitVector(b.add(from, last), b.add(to, last), lanes);
    }
  });
}

//===----------------------------------------------------------------------===//
// The register tile
//===----------------------------------------------------------------------===//

void ContractionEmitter::emitTile(const Origin &origin, Value firstRow,
                                  int64_t rows, Value panel, int64_t lanes) {
  Value c =
      b.advance(b.advance(origin.c, firstRow, plan.m.c), panel, plan.lanes);
  bool oneBlock = plan.rowMap && plan.rowMap->isPrivate;
  Value a = oneBlock ? origin.a : b.advance(origin.a, firstRow, plan.m.a);
  Value nextA;
  if (fetchesA())
    nextA = b.getNear(rowA, b.add(a, b.index(rows * plan.m.a)),
                      (rows - 1) * plan.m.a + getSpanOfK());
  // The tile that follows in the outer of the two loops over tiles.
  if (fetchesC()) {
    int64_t step = plan.columnsOutside ? plan.lanes : rows * plan.m.c;
    Value next = b.getNear(rowC, b.add(c, b.index(step)),
                           (rows - 1) * plan.m.c + plan.lanes);
    for (int64_t row = 0; row < rows; ++row)
      b.prefetch(rowC, b.add(next, b.index(row * plan.m.c)), true);
  }
  SmallVector<Value> positions, accumulators;
  for (int64_t row = 0; row < rows; ++row) {
    positions.push_back(b.add(c, b.index(row * plan.m.c)));
    accumulators.push_back(
        initial ? b.splat(initial, getVectorType())
                : b.load(getVectorType(), rowC, positions.back(), lanes));
  }
  accumulators = emitSum(0, a, nextA, b.advance(origin.b, panel, panelStride),
                         rows, lanes, accumulators);
  for (auto [position, sum] : llvm::zip_equal(positions, accumulators))
    b.store(plan.resultMap ? applyMap(*plan.resultMap, sum) : sum, rowC,
            position, lanes);
}

SmallVector<Value> ContractionEmitter::emitSum(unsigned depth, Value a,
                                               Value next, Value position,
                                               int64_t rows, int64_t lanes,
                                               ValueRange accumulators) {
  if (depth == plan.k.size())
    return emitStep(a, position, rows, lanes, accumulators);
  bool innermost = depth + 1 == plan.k.size();
  if (innermost && next)
    return emitFetchingSum(a, next, position, rows, lanes, accumulators);
  const ContractionLoop &loop = plan.k[depth];
  return b.loop(
      loop.extent, accumulators,
      [&](Value iv, ValueRange carried) {
        return emitSum(depth + 1, b.advance(a, iv, loop.a),
                       next ? b.advance(next, iv, loop.a) : Value(),
                       b.advance(position, iv, strideK[depth]), rows, lanes,
                       carried);
      },
      innermost ? chooseUnrolling(loop.extent) : 1);
}

SmallVector<Value>
ContractionEmitter::emitFetchingSum(Value a, Value next, Value position,
                                    int64_t rows, int64_t lanes,
                                    ValueRange accumulators) {
  int64_t extent = plan.k.back().extent, line = getLineElements();
  auto emitSteps = [&](Value first, int64_t count, ValueRange carried) {
    Value a0 = b.add(a, first);
    Value b0 = b.advance(position, first, strideK.back());
    return b.loop(
        count, carried,
        [&](Value iv, ValueRange inner) {
          return emitStep(b.add(a0, iv), b.advance(b0, iv, strideK.back()),
                          rows, lanes, inner);
        },
        chooseUnrolling(count));
  };
  SmallVector<Value> sums =
      b.loop(extent / line, accumulators, [&](Value iv, ValueRange carried) {
        Value first = b.mul(iv, line);
        for (int64_t row = 0; row < rows; ++row)
          b.prefetch(rowA, b.add(b.add(next, first), b.index(row * plan.m.a)),
                     false);
        return emitSteps(first, line, carried);
      });
  if (extent % line == 0)
    return sums;
  return emitSteps(b.index(extent - extent % line), extent % line, sums);
}

SmallVector<Value> ContractionEmitter::emitStep(Value a, Value position,
                                                int64_t rows, int64_t lanes,
                                                ValueRange accumulators) {
  VectorType type = getVectorType();
  Value column = b.load(type, rowB, position, isPacked() ? plan.lanes : lanes);
  SmallVector<Value> sums;
  for (int64_t row = 0; row < rows; ++row) {
    Value element =
        b.load(plan.elementType, rowA, b.add(a, b.index(row * plan.m.a)), 1);
    sums.push_back(vector::FMAOp::create(b, b.loc, b.splat(element, type),
                                         column, accumulators[row]));
  }
  return sums;
}

void cma::emitContraction(const KernelModel &model,
                          const ContractionKernel &plan, Value initial) {
  ContractionEmitter(model, plan, initial).emit();
}
