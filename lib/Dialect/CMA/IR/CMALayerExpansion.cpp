//===- CMALayerExpansion.cpp - Layers as contractions --------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file writes the linear layers as one contraction of the input and all
// weights, so that the planner sees the whole network.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cma;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// a ... z, A ... Z, then {l52} and so on.
static std::string spellLabel(LabelId id) {
  if (id < 26)
    return std::string(1, static_cast<char>('a' + id));
  if (id < 52)
    return std::string(1, static_cast<char>('A' + id - 26));
  return "l" + std::to_string(id);
}

namespace {
/// Collects the operands of one contraction and gives out labels.
class NetworkBuilder {
public:
  NetworkBuilder(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  LabelId newLabel() {
    auto id = static_cast<LabelId>(einsum.labels.size());
    einsum.labels.push_back(spellLabel(id));
    return id;
  }

  SmallVector<LabelId> newLabels(size_t count) {
    SmallVector<LabelId> labels;
    for (size_t i = 0; i < count; ++i)
      labels.push_back(newLabel());
    return labels;
  }

  void addOperand(Value value, ArrayRef<LabelId> axes) {
    einsum.operands.emplace_back(axes.begin(), axes.end());
    operands.push_back(value);
  }

  Value finish(ArrayRef<LabelId> axes, ArrayRef<int64_t> shape) {
    einsum.result.assign(axes.begin(), axes.end());
    auto type =
        RankedTensorType::get(shape, tensorType(operands[0]).getElementType());
    return ContractOp::create(builder, loc, type, einsum, operands);
  }

private:
  OpBuilder &builder;
  Location loc;
  Einsum einsum;
  SmallVector<Value> operands;
};
} // namespace

/// Groups for a reshape of the last axis into `modes` axes.
static SmallVector<ReassociationIndices> splitLast(int64_t rank,
                                                   int64_t modes) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i + 1 < rank; ++i)
    groups.push_back({i});
  ReassociationIndices last;
  for (int64_t i = 0; i < modes; ++i)
    last.push_back(rank - 1 + i);
  groups.push_back(last);
  return groups;
}

/// The input with its last axis split into `modes`.
static Value splitFeatures(OpBuilder &builder, Location loc, Value input,
                           ArrayRef<int64_t> modes) {
  if (modes.size() == 1)
    return input;
  RankedTensorType type = tensorType(input);
  SmallVector<int64_t> shape(type.getShape().drop_back());
  shape.append(modes.begin(), modes.end());
  return tensor::ExpandShapeOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), input,
      splitLast(type.getRank(), modes.size()));
}

/// `value` with its last `modes` axes joined into one.
static Value joinFeatures(OpBuilder &builder, Location loc, Value value,
                          RankedTensorType type, int64_t modes) {
  if (modes == 1)
    return value;
  return tensor::CollapseShapeOp::create(builder, loc, type, value,
                                         splitLast(type.getRank(), modes));
}

/// A core without its boundary axes of extent 1.
static Value dropBoundary(OpBuilder &builder, Location loc, Value core,
                          bool first, bool last) {
  if (!first && !last)
    return core;
  RankedTensorType type = tensorType(core);
  int64_t rank = type.getRank();
  SmallVector<int64_t> shape(type.getShape().drop_front(first).drop_back(last));
  SmallVector<ReassociationIndices> groups;
  for (int64_t axis = 0; axis < rank; ++axis) {
    bool dropped = (first && axis == 0) || (last && axis == rank - 1);
    // A boundary axis joins its neighbour's group.
    if (groups.empty() || !(dropped || (first && axis == 1)))
      groups.push_back({axis});
    else
      groups.back().push_back(axis);
  }
  return tensor::CollapseShapeOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), core,
      groups);
}

static Value addBias(OpBuilder &builder, Location loc, Value value,
                     Value bias) {
  if (!bias)
    return value;
  RankedTensorType type = tensorType(value);
  Einsum einsum;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    // The bias' label comes first: labels are numbered by first appearance.
    einsum.labels.push_back(spellLabel(i));
    einsum.result.push_back((i + 1) % type.getRank());
  }
  einsum.operands.push_back({0});
  Value repeated = BroadcastOp::create(builder, loc, type, einsum, bias);
  return arith::AddFOp::create(builder, loc, value, repeated);
}

Value LinearOp::expandLayer(OpBuilder &builder) {
  NetworkBuilder network(builder, getLoc());
  SmallVector<LabelId> in = network.newLabels(tensorType(getInput()).getRank());
  LabelId out = network.newLabel();
  network.addOperand(getInput(), in);
  network.addOperand(getWeight(), {in.back(), out});
  in.back() = out;
  Value y = network.finish(in, tensorType(getResult()).getShape());
  return addBias(builder, getLoc(), y, getBias());
}

Value LowRankLinearOp::expandLayer(OpBuilder &builder) {
  NetworkBuilder network(builder, getLoc());
  SmallVector<LabelId> in = network.newLabels(tensorType(getInput()).getRank());
  LabelId bond = network.newLabel(), out = network.newLabel();
  network.addOperand(getInput(), in);
  network.addOperand(getLeft(), {in.back(), bond});
  network.addOperand(getRight(), {bond, out});
  in.back() = out;
  Value y = network.finish(in, tensorType(getResult()).getShape());
  return addBias(builder, getLoc(), y, getBias());
}

/// Contracts `input`, whose modes stand last, with a train of cores. Core k
/// carries the mode labels `coreModes[k]`; `outModes` are the result's.
static Value contractTrain(OpBuilder &builder, Location loc,
                           NetworkBuilder &network, ValueRange cores,
                           ValueRange gates,
                           ArrayRef<SmallVector<LabelId>> coreModes,
                           ArrayRef<LabelId> result, ArrayRef<int64_t> shape) {
  SmallVector<LabelId> bonds = network.newLabels(cores.size() - 1);
  for (auto [k, core] : llvm::enumerate(cores)) {
    bool first = k == 0, last = k + 1 == cores.size();
    SmallVector<LabelId> axes;
    if (!first)
      axes.push_back(bonds[k - 1]);
    axes.append(coreModes[k]);
    if (!last)
      axes.push_back(bonds[k]);
    network.addOperand(dropBoundary(builder, loc, core, first, last), axes);
    if (!gates.empty() && !last)
      network.addOperand(gates[k], {bonds[k]});
  }
  return network.finish(result, shape);
}

/// What the two kinds of train differ in: the extents of the input and output
/// modes, and the modes on each core.
static Value
expandTrain(OpBuilder &builder, Operation *op, Value input, ValueRange cores,
            ValueRange gates, Value bias, ArrayRef<int64_t> inModes,
            ArrayRef<int64_t> outModes,
            function_ref<SmallVector<LabelId>(size_t core, ArrayRef<LabelId> in,
                                              ArrayRef<LabelId> out)>
                modesOfCore) {
  Location loc = op->getLoc();
  NetworkBuilder network(builder, loc);
  int64_t batchAxes = tensorType(input).getRank() - 1;
  SmallVector<LabelId> batch = network.newLabels(batchAxes);
  SmallVector<LabelId> in = network.newLabels(inModes.size());
  SmallVector<LabelId> out = network.newLabels(outModes.size());

  SmallVector<LabelId> inputAxes(batch), resultAxes(batch);
  inputAxes.append(in);
  resultAxes.append(out);
  network.addOperand(splitFeatures(builder, loc, input, inModes), inputAxes);

  SmallVector<SmallVector<LabelId>> coreModes;
  for (size_t k = 0; k < cores.size(); ++k)
    coreModes.push_back(modesOfCore(k, in, out));
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> shape(resultType.getShape().drop_back());
  shape.append(outModes.begin(), outModes.end());
  Value y = contractTrain(builder, loc, network, cores, gates, coreModes,
                          resultAxes, shape);
  y = joinFeatures(builder, loc, y, resultType, outModes.size());
  return addBias(builder, loc, y, bias);
}

Value TTLinearOp::expandLayer(OpBuilder &builder) {
  SmallVector<Value> cores(getInputCores());
  cores.append(getOutputCores().begin(), getOutputCores().end());
  SmallVector<int64_t> inModes, outModes;
  for (Value core : getInputCores())
    inModes.push_back(tensorType(core).getDimSize(1));
  for (Value core : getOutputCores())
    outModes.push_back(tensorType(core).getDimSize(1));
  return expandTrain(
      builder, *this, getInput(), cores, getGates(), getBias(), inModes,
      outModes, [&](size_t k, ArrayRef<LabelId> in, ArrayRef<LabelId> out) {
        return SmallVector<LabelId>{k < in.size() ? in[k] : out[k - in.size()]};
      });
}

Value TTMLinearOp::expandLayer(OpBuilder &builder) {
  SmallVector<int64_t> inModes, outModes;
  for (Value core : getCores()) {
    inModes.push_back(tensorType(core).getDimSize(1));
    outModes.push_back(tensorType(core).getDimSize(2));
  }
  return expandTrain(builder, *this, getInput(), getCores(), getGates(),
                     getBias(), inModes, outModes,
                     [](size_t k, ArrayRef<LabelId> in, ArrayRef<LabelId> out) {
                       return SmallVector<LabelId>{in[k], out[k]};
                     });
}
