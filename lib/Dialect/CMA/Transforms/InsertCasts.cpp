//===- InsertCasts.cpp - Casts, masters and weight views ------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements cma-insert-casts.
//
//===----------------------------------------------------------------------===//

#include "CastReport.h"
#include "JsonReport.h"
#include "Precision.h"
#include "WeightViews.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Dialect/CMA/Transforms/Functions.h"
#include "cma/Dialect/CMA/Transforms/Passes.h"
#include "cma/Dialect/CMA/Transforms/PrecisionOpModels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/JSON.h"

namespace cma {
#define GEN_PASS_DEF_CMAINSERTCASTSPASS
#include "cma/Dialect/CMA/Transforms/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

namespace {
/// Rewrites one function. Operands are first noted with the types that they are
/// wanted in, while values still have the types in which they were written.
class CastInserter {
public:
  explicit CastInserter(func::FuncOp func)
      : func(func), builder(func.getContext()) {}

  LogicalResult run();

private:
  struct Wanted {
    OpOperand *operand;
    Type element;
  };

  LogicalResult check();
  void makeMasters();
  void collect(Operation *op);
  void want(OpOperand &operand, Type element);
  void retype(Value value, Type element);
  void setTypes();
  Value convert(Value value, Type element);
  Value convertConstant(arith::ConstantOp constant, Type element);
  void setInsertionPointFor(Value value);
  Value getCastAnchor(Value value);
  Value createCast(Value value, Type element);

  func::FuncOp func;
  OpBuilder builder;
  std::vector<Wanted> wanted;
  std::vector<std::pair<Value, Type>> retyped;
  /// Type per value and wanted element type; the key alone orders nothing.
  DenseMap<std::pair<Value, Type>, Value> casts;
  /// The last cast behind a value, so that casts stand in order of use.
  DenseMap<Value, Operation *> lastCasts;
};
} // namespace

static Type cloneWith(Type type, Type element) {
  return cast<RankedTensorType>(type).clone(
      element.isTF32() ? Type(Float32Type::get(element.getContext()))
                       : element);
}

LogicalResult CastInserter::check() {
  WalkResult result = func.walk([&](Operation *op) {
    if (op != func && failed(checkAnnotations(op)))
      return WalkResult::interrupt();
    if (op != func && needsPrecision(op) && !getPrecision(op)) {
      op->emitOpError() << "expected a '" << kPrecisionAttr
                        << "' on every op with tensors of floats; run "
                           "cma-assign-precision first";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// A cast as this pass makes them.
static bool isPlain(cma::CastOp cast) {
  return cast.getRound() == Rounding::NearestEven && !cast.getTf32() &&
         cast.getOverflow() == cma::CastOp::getDefaultOverflow(cast.getType());
}

/// The views that createMasters() makes, and the user's own casts of arguments,
/// are casts that all uses share, so they move to the entry. A call's operands
/// have the types that were declared.
void CastInserter::makeMasters() {
  if (SymbolTable::symbolKnownUseEmpty(func, func->getParentOp()))
    createMasters(func);
  Block &entry = func.getBody().front();
  for (auto cast : llvm::make_early_inc_range(entry.getOps<cma::CastOp>())) {
    auto argument = dyn_cast<BlockArgument>(cast.getInput());
    if (!argument || !isPlain(cast) || argument.getOwner() != &entry)
      continue;
    casts.try_emplace({argument, getTensorFloat(cast.getResult())},
                      cast.getResult());
    Operation *&last = lastCasts[Value()];
    if (last)
      cast->moveAfter(last);
    else
      cast->moveBefore(&entry.front());
    last = cast;
  }
}

void CastInserter::want(OpOperand &operand, Type element) {
  wanted.push_back({&operand, element});
}

void CastInserter::retype(Value value, Type element) {
  retyped.push_back({value, element});
}

/// Notes what `op` asks of its operands, and the types of its results.
void CastInserter::collect(Operation *op) {
  if (carriesValues(op)) {
    for (auto [i, result] : llvm::enumerate(op->getResults())) {
      FloatType written = getTensorFloat(result);
      if (!written)
        continue;
      Type element = written.isF32() ? getCarriedType(op, i) : Type(written);
      for (OpOperand *operand : getCarriedOperands(op, i))
        want(*operand, element);
      if (Value argument = getCarriedArgument(op, i))
        retype(argument, element);
      retype(result, element);
    }
    return;
  }
  // Constants follow their uses; what loops yield was noted with the loop.
  bool isYield =
      op->hasTrait<OpTrait::IsTerminator>() && carriesValues(op->getParentOp());
  if (isFreeConstant(op) || isYield)
    return;
  PrecisionAttr attr = getPrecision(op);
  bool lowers = attr && needsPrecision(op) && isLowerable(op);
  for (OpOperand &operand : op->getOpOperands())
    if (FloatType written = getTensorFloat(operand.get()))
      want(operand,
           lowers && written.isF32() ? attr.getOperand() : Type(written));
  for (Value result : op->getResults())
    if (FloatType written = getTensorFloat(result);
        written && lowers && written.isF32())
      retype(result, attr.getResult());
}

/// The number in another type, rounded to nearest; f8 saturates, as by a cast.
static APFloat convertNumber(APFloat value, Type element) {
  bool losesInfo;
  const llvm::fltSemantics &semantics =
      cast<FloatType>(element).getFloatSemantics();
  bool isNegative = value.isNegative(), isNumber = !value.isNaN();
  value.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  if (isF8(element) && isNumber && !value.isFinite())
    return APFloat::getLargest(semantics, isNegative);
  return value;
}

/// A scalar in another type, as cma.cast converts tensors.
static Value convertScalar(OpBuilder &builder, Location loc, Value value,
                           FloatType element) {
  auto create = [&](const APFloat &number, FloatType type) -> Value {
    return arith::ConstantFloatOp::create(builder, loc, type, number);
  };
  FloatAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return create(convertNumber(constant.getValue(), element), element);
  auto type = cast<FloatType>(value.getType());
  if (type.getWidth() < element.getWidth())
    return arith::ExtFOp::create(builder, loc, element, value);
  if (isF8(element))
    for (bool isNegative : {false, true}) {
      APFloat largest =
          APFloat::getLargest(element.getFloatSemantics(), isNegative);
      Value limit = create(convertNumber(largest, type), type);
      value = isNegative ? arith::MaximumFOp::create(builder, loc, value, limit)
                               .getResult()
                         : arith::MinimumFOp::create(builder, loc, value, limit)
                               .getResult();
    }
  return arith::TruncFOp::create(builder, loc, element, value);
}

/// What the bodies of tensor.pad and tensor.generate yield has the element type
/// of the result.
static void retypeYield(Operation *op, OpBuilder &builder) {
  auto yield = cast<tensor::YieldOp>(op->getRegion(0).front().getTerminator());
  FloatType element = getTensorFloat(op->getResult(0));
  Value value = yield.getValue();
  if (!element || value.getType() == element)
    return;
  builder.setInsertionPoint(yield);
  yield.getValueMutable().assign(
      convertScalar(builder, op->getLoc(), value, element));
}

void CastInserter::setTypes() {
  for (auto [value, element] : retyped)
    value.setType(cloneWith(value.getType(), element));
  func.walk([&](Operation *op) {
    PrecisionAttr attr = getPrecision(op);
    auto contract = dyn_cast<ContractOp>(op);
    if (contract && attr && !contract.getAccumulateAttr() &&
        attr.getAccumulate() !=
            PrecisionAttr::getDefaultAccumulate(attr.getOperand()))
      contract.setAccumulateAttr(TypeAttr::get(attr.getAccumulate()));
    op->removeAttr(kPrecisionAttr);
    op->removeAttr(kResultTypesAttr);
    if (isa<tensor::PadOp, tensor::GenerateOp>(op))
      retypeYield(op, builder);
  });
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// The constant in another type, rounded to nearest; beside the first.
Value CastInserter::convertConstant(arith::ConstantOp constant, Type element) {
  auto dense = dyn_cast<DenseFPElementsAttr>(constant.getValue());
  if (!dense)
    return {};
  Type stored = element.isTF32() ? Type(builder.getF32Type()) : element;
  auto round = [&](const APFloat &value) {
    APFloat rounded = convertNumber(value, element);
    return convertNumber(rounded, stored).bitcastToAPInt();
  };
  auto value = cast<DenseElementsAttr>(dense.mapValues(stored, round));
  builder.setInsertionPointAfter(constant);
  return arith::ConstantOp::create(builder, constant.getLoc(), value);
}

/// Behind the definition and the casts made so far; those of arguments stand at
/// the entry, in the order of use.
void CastInserter::setInsertionPointFor(Value value) {
  Operation *last = lastCasts.lookup(getCastAnchor(value));
  if (!last)
    last = value.getDefiningOp();
  if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(value.getParentBlock());
}

/// All arguments of the function share one place, under a null value.
Value CastInserter::getCastAnchor(Value value) {
  bool isArgument = isa<BlockArgument>(value) &&
                    value.getParentBlock() == &func.getBody().front();
  return isArgument ? Value() : value;
}

Value CastInserter::createCast(Value value, Type element) {
  setInsertionPointFor(value);
  auto created = cma::CastOp::create(
      builder, value.getLoc(), cloneWith(value.getType(), element), value);
  // What has no more bits than tf32 is extended without rounding.
  if (element.isTF32() && getTensorFloat(value).isF32())
    created.setTf32(true);
  lastCasts[getCastAnchor(value)] = created;
  return created.getResult();
}

Value CastInserter::convert(Value value, Type element) {
  // tf32 is made of f32.
  if (element.isTF32() && getTensorFloat(value).isF64())
    value = convert(value, builder.getF32Type());
  if (getTensorFloat(value) == element)
    return value;
  if (Value known = casts.lookup({value, element}))
    return known;
  Value made;
  if (auto constant = value.getDefiningOp<arith::ConstantOp>()) {
    made = convertConstant(constant, element);
  } else if (auto empty = value.getDefiningOp<tensor::EmptyOp>()) {
    builder.setInsertionPointAfter(empty);
    made = tensor::EmptyOp::create(builder, empty.getLoc(),
                                   cloneWith(empty.getType(), element),
                                   empty.getDynamicSizes());
  }
  if (!made)
    made = createCast(value, element);
  casts[{value, element}] = made;
  return made;
}

LogicalResult CastInserter::run() {
  if (failed(check()))
    return failure();
  makeMasters();
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != func)
      collect(op);
  });
  setTypes();
  for (const Wanted &use : wanted)
    use.operand->set(convert(use.operand->get(), use.element));
  // The user's own casts of values that are cast anyway.
  func.walk([&](cma::CastOp cast) {
    Value shared =
        casts.lookup({cast.getInput(), getTensorFloat(cast.getResult())});
    if (!shared || shared == cast.getResult() || !isPlain(cast) ||
        shared.getParentBlock() != cast->getBlock())
      return;
    cast.replaceAllUsesWith(shared);
    cast.erase();
  });
  // Constants that were only read in other types.
  func.walk([](Operation *op) {
    if (isFreeConstant(op) && op->use_empty())
      op->erase();
  });
  return success();
}

namespace {
struct InsertCastsPass : cma::impl::CMAInsertCastsPassBase<InsertCastsPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerPrecisionOpModels(registry);
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

  LogicalResult run() {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> functions;
    for (auto func : module.getOps<func::FuncOp>())
      if (!func.isDeclaration())
        functions.push_back(func);
    for (func::FuncOp func : functions)
      if (failed(CastInserter(func).run()))
        return failure();
    createWeightViews(module);
    return report.empty() ? success() : writeReport(functions);
  }

  LogicalResult writeReport(ArrayRef<func::FuncOp> functions) {
    return writeJsonReport(
        getOperation().getLoc(), report, [&](llvm::json::OStream &json) {
          for (func::FuncOp func : functions)
            json.object([&] { writeCastReport(func, json); });
          return success();
        });
  }
};
} // namespace
