//===- ModelSummary.cpp - Layers, sizes and labels of a model -------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file analyses a model function.
//
//===----------------------------------------------------------------------===//

#include "ModelSummary.h"

#include "cma/Dialect/CMA/IR/CMADialect.h"
#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cma;
using namespace cma::run;

static int64_t countElementsOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

/// Bias of a layer: neither its input, which is the first operand, nor a
/// weight.
static bool isBiasUse(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<cma::CastOp>(op))
    return llvm::all_of(op->getResult(0).getUses(), isBiasUse);
  if (auto norm = dyn_cast<LayerNormOp>(op))
    return use.get() == norm.getShift() && use.get() != norm.getScale();
  auto layer = dyn_cast<LayerOpInterface>(op);
  return layer && use.getOperandNumber() != 0 &&
         !llvm::is_contained(layer.getLayerWeights(), use.get());
}

/// The argument that a weight is, or is a copy of in another type; null if it
/// is none.
static BlockArgument traceWeight(Value weight) {
  while (auto cast = weight.getDefiningOp<cma::CastOp>())
    weight = cast.getInput();
  return dyn_cast<BlockArgument>(weight);
}

/// What the names have in front of their last dot in common, "fc1" for "fc1.g0"
/// and "fc1.g1"; a name without a dot stands for itself.
static StringRef commonOwner(ArrayRef<StringRef> names) {
  StringRef owner;
  for (StringRef name : names) {
    StringRef front = name.contains('.') ? name.rsplit('.').first : name;
    if (!owner.empty() && front != owner)
      return "";
    owner = front;
  }
  return owner;
}

/// The layer's cma.name, else the owner of its weights, else its place.
static std::string nameOf(LayerOpInterface layer, const FunctionInfo &info,
                          size_t position) {
  if (auto name = layer->getAttrOfType<StringAttr>(kNameAttr))
    return name.str();
  SmallVector<StringRef> names;
  for (Value weight : layer.getLayerWeights())
    if (BlockArgument argument = traceWeight(weight))
      names.push_back(info.arguments[argument.getArgNumber()].name);
  if (StringRef owner = commonOwner(names); !owner.empty())
    return owner.str();
  return info.name + "/" + std::to_string(position);
}

/// The argument whose elements, in order, `labels` are; null if it is none.
static BlockArgument traceLabels(Value labels) {
  while (Operation *op = labels.getDefiningOp()) {
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
             arith::ExtSIOp>(op))
      return nullptr;
    labels = op->getOperand(0);
  }
  return cast<BlockArgument>(labels);
}

static std::optional<LabelSource> findLabels(func::FuncOp function,
                                             const FunctionInfo &info) {
  std::optional<LabelSource> source;
  function.walk([&](CrossEntropyOp op) {
    BlockArgument argument = traceLabels(op.getLabels());
    if (source || !argument ||
        argument.getOwner() != &function.getBody().front())
      return;
    source = LabelSource{info.arguments[argument.getArgNumber()].name, {}};
    if (std::optional<uint64_t> ignored = op.getIgnoreIndex())
      source->ignoreIndex = static_cast<int64_t>(*ignored);
  });
  return source;
}

static void summariseParameters(func::FuncOp function, const FunctionInfo &info,
                                ModelSummary &summary) {
  for (auto [argument, block] :
       llvm::zip_equal(info.arguments, function.getArguments())) {
    if (!argument.isTrained())
      continue;
    ParameterSummary parameter{argument.name, argument.shape,
                               countElementsOf(block)};
    parameter.isBias =
        !block.use_empty() && llvm::all_of(block.getUses(), isBiasUse);
    if (!parameter.isBias)
      summary.parameterCount += parameter.count;
    summary.parameters.push_back(std::move(parameter));
  }
}

static void summariseLayers(func::FuncOp function, const FunctionInfo &info,
                            ModelSummary &summary) {
  llvm::SetVector<Value> replaced;
  SmallVector<SmallVector<Value>> seen;
  function.walk([&](LayerOpInterface layer) {
    SmallVector<Value> weights = layer.getLayerWeights();
    LayerSummary entry;
    entry.name = nameOf(layer, info, summary.layers.size());
    entry.kind = layer.getLayerKind().str();
    for (Value weight : weights)
      entry.count += countElementsOf(weight);
    entry.denseCount = layer.getDenseWeightCount();
    summary.layers.push_back(entry);
    if (llvm::is_contained(seen, weights))
      return;
    seen.push_back(weights);
    summary.denseParameterCount += entry.denseCount;
    for (Value weight : weights)
      replaced.insert(weight);
  });
  summary.denseParameterCount += summary.parameterCount;
  for (Value weight : replaced)
    if (BlockArgument argument = traceWeight(weight))
      if (info.arguments[argument.getArgNumber()].isTrained())
        summary.denseParameterCount -= countElementsOf(weight);
}

llvm::Expected<ModelSummary> ModelSummary::get(func::FuncOp function) {
  llvm::Expected<FunctionInfo> info = FunctionInfo::get(function);
  if (!info)
    return info.takeError();
  ModelSummary summary;
  summariseParameters(function, *info, summary);
  summariseLayers(function, *info, summary);
  summary.labels = findLabels(function, *info);
  return summary;
}
