//===- CMATrainingOps.cpp - Optimizers and loss scaling -------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file parses, types and verifies the ops of a training step but sgd.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace cma;

static bool isFiniteNotNegative(const APFloat &value) {
  return value.isFinite() && (!value.isNegative() || value.isZero());
}

//===----------------------------------------------------------------------===//
// AdamWOp
//===----------------------------------------------------------------------===//

LogicalResult AdamWOp::verify() {
  for (auto [name, value] :
       {std::pair("beta1", getBeta1()), std::pair("beta2", getBeta2())})
    if (!isFiniteNotNegative(value) || value.convertToDouble() >= 1) // adamw_c1
      return emitOpError() << "expected '" << name
                           << "' to be at least 0 and below 1, got "
                           << value.convertToDouble();
  for (auto [name, value] : {std::pair("epsilon", getEpsilon()),
                             std::pair("weight_decay", getWeightDecay())})
    if (!isFiniteNotNegative(value)) // adamw_c2
      return emitOpError() << "expected '" << name
                           << "' to be finite and not negative, got "
                           << value.convertToDouble();
  return success();
}

//===----------------------------------------------------------------------===//
// ClipByGlobalNormOp
//===----------------------------------------------------------------------===//

LogicalResult ClipByGlobalNormOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location>, ValueRange operands,
    DictionaryAttr, OpaqueProperties, RegionRange,
    SmallVectorImpl<Type> &types) {
  // clip_by_global_norm_c1
  Type norm = Float32Type::get(context);
  for (Type type : operands.getTypes()) {
    types.push_back(type);
    if (getElementTypeOrSelf(type).isF64())
      norm = Float64Type::get(context);
  }
  types.push_back(RankedTensorType::get({}, norm));
  return success();
}

LogicalResult ClipByGlobalNormOp::verify() {
  APFloat norm = getMaxNorm();
  if (!isFiniteNotNegative(norm) || norm.isZero()) // clip_by_global_norm_c2
    return emitOpError() << "expected 'max_norm' to be finite and above 0, got "
                         << norm.convertToDouble();
  return success();
}

//===----------------------------------------------------------------------===//
// UnscaleOp
//===----------------------------------------------------------------------===//

LogicalResult UnscaleOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location>,
                                          ValueRange operands, DictionaryAttr,
                                          OpaqueProperties, RegionRange,
                                          SmallVectorImpl<Type> &types) {
  // unscale_c1
  for (Type type : operands.drop_front().getTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    types.push_back(tensor.getElementType().isF64()
                        ? tensor
                        : tensor.clone(Float32Type::get(context)));
  }
  types.push_back(RankedTensorType::get({}, IntegerType::get(context, 1)));
  return success();
}

//===----------------------------------------------------------------------===//
// UpdateLossScaleOp
//===----------------------------------------------------------------------===//

/// update_loss_scale_c3.
static LogicalResult verifyCounts(UpdateLossScaleOp op) {
  auto check = [&](StringRef name, uint64_t value,
                   int64_t low) -> LogicalResult {
    auto count = static_cast<int64_t>(value);
    if (count >= low && count <= INT32_MAX)
      return success();
    return op.emitOpError() << "expected '" << name << "' to be from " << low
                            << " to 2^31 - 1, got " << count;
  };
  return success(succeeded(check("interval", op.getInterval(), 1)) &&
                 succeeded(check("hysteresis", op.getHysteresis(), 1)) &&
                 succeeded(check("delay", op.getDelay(), 0)));
}

LogicalResult UpdateLossScaleOp::verify() {
  APFloat growth = getGrowth(), backoff = getBackoff();
  if (!growth.isFinite() ||
      growth.convertToDouble() <= 1) // update_loss_scale_c1
    return emitOpError() << "expected 'growth' to be finite and above 1, got "
                         << growth.convertToDouble();
  double factor = backoff.convertToDouble();
  if (!(factor > 0 && factor < 1)) // update_loss_scale_c2
    return emitOpError() << "expected 'backoff' to be above 0 and below 1, got "
                         << factor;
  if (failed(verifyCounts(*this)))
    return failure();
  double low = getMinimum().convertToDouble();
  double high = getMaximum().convertToDouble();
  if (!(low >= 0x1p-126 && low <= high &&
        high <= 0x1p127)) // update_loss_scale_c4
    return emitOpError() << "expected 2^-126 <= 'minimum' <= 'maximum' <= "
                            "2^127, got "
                         << low << " and " << high;
  bool wanted = getHysteresis() > 1;
  if (wanted != static_cast<bool>(getTracker()) ||
      wanted != static_cast<bool>(getNewTracker())) // update_loss_scale_c5
    return emitOpError() << "expected a tracker and a new one exactly where "
                            "'hysteresis' is above 1, got "
                         << (getTracker() ? "a" : "no") << " tracker and "
                         << (getNewTracker() ? "a" : "no")
                         << " new one for hysteresis " << getHysteresis();
  return success();
}

//===----------------------------------------------------------------------===//
// GuardOp
//===----------------------------------------------------------------------===//

LogicalResult GuardOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                        ValueRange operands, DictionaryAttr,
                                        OpaqueProperties, RegionRange,
                                        SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.drop_front().getTypes()); // guard_c1
  return success();
}

LogicalResult GuardOp::verify() {
  Block &block = getBody().front();
  auto yield = dyn_cast_if_present<YieldOp>(
      block.empty() ? nullptr : &block.back()); // guard_c2
  if (!yield)
    return emitOpError("expected the region to end with a cma.yield");
  TypeRange yielded = yield.getValues().getTypes();
  TypeRange wanted = getOldValues().getTypes();
  if (yielded.size() != wanted.size()) // guard_c2
    return emitOpError() << "expected the region to yield " << wanted.size()
                         << " values, got " << yielded.size();
  for (auto [i, pair] : llvm::enumerate(llvm::zip(yielded, wanted)))
    if (std::get<0>(pair) != std::get<1>(pair)) // guard_c2
      return emitOpError() << "expected yielded value #" << i
                           << " to have the old value's type "
                           << std::get<1>(pair) << ", got "
                           << std::get<0>(pair);
  for (Operation &op : block.without_terminator())
    if (!isMemoryEffectFree(&op)) { // guard_c3
      InFlightDiagnostic error = emitOpError()
                                 << "expected ops without side effects";
      error.attachNote(op.getLoc()) << "'" << op.getName() << "' has some";
      return error;
    }
  return success();
}
