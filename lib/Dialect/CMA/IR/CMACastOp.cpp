//===- CMACastOp.cpp - Rounding ------------------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file parses, prints, verifies and folds the cast.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace cma;

Overflow CastOp::getDefaultOverflow(Type result) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(getElementTypeOrSelf(result))
             ? Overflow::Saturate
             : Overflow::IEEE;
}

void CastOp::build(OpBuilder &builder, OperationState &state, Type result,
                   Value input) {
  build(builder, state, result, input, Rounding::NearestEven,
        getDefaultOverflow(result));
}

void CastOp::build(OpBuilder &builder, OperationState &state, Type result,
                   Value input, Rounding round, Overflow overflow) {
  build(builder, state, result, input, /*step=*/Value(), round, overflow,
        /*tf32=*/false, /*seed=*/IntegerAttr(), /*stream=*/StringAttr());
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// Parses a keyword of an enum, of which `known` is the list.
template <typename Enum>
static ParseResult parseKeyword(OpAsmParser &parser, Enum &value,
                                std::optional<Enum> (*symbolize)(StringRef),
                                StringRef known) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Enum> found = symbolize(keyword);
  if (!found)
    return parser.emitError(loc)
           << "expected " << known << ", got '" << keyword << "'";
  value = *found;
  return success();
}

namespace {
/// What stands behind the operand.
struct CastClauses {
  bool tf32 = false;
  Rounding round = Rounding::NearestEven;
  std::optional<Overflow> overflow;
  std::optional<OpAsmParser::UnresolvedOperand> step;
  IntegerAttr seed;
  StringAttr stream;
};
} // namespace

/// `round(stochastic, %step, seed = 7, stream = "w")`, from the parenthesis.
static ParseResult parseRound(OpAsmParser &parser, CastClauses &clauses) {
  if (parser.parseLParen() ||
      parseKeyword<Rounding>(parser, clauses.round, symbolizeRounding,
                             "'nearest_even', 'toward_zero' or 'stochastic'"))
    return failure();
  if (clauses.round == Rounding::Stochastic) {
    int64_t seed;
    std::string stream;
    clauses.step.emplace();
    if (parser.parseComma() || parser.parseOperand(*clauses.step) ||
        parser.parseComma() || parser.parseKeyword("seed") ||
        parser.parseEqual() || parser.parseInteger(seed) ||
        parser.parseComma() || parser.parseKeyword("stream") ||
        parser.parseEqual() || parser.parseString(&stream))
      return failure();
    clauses.seed = parser.getBuilder().getI64IntegerAttr(seed);
    clauses.stream = parser.getBuilder().getStringAttr(stream);
  }
  return parser.parseRParen();
}

static ParseResult parseClauses(OpAsmParser &parser, CastClauses &clauses) {
  clauses.tf32 = succeeded(parser.parseOptionalKeyword("tf32"));
  if (succeeded(parser.parseOptionalKeyword("round")) &&
      parseRound(parser, clauses))
    return failure();
  if (failed(parser.parseOptionalKeyword("overflow")))
    return success();
  return failure(parser.parseLParen() ||
                 parseKeyword<Overflow>(parser, clauses.overflow.emplace(),
                                        symbolizeOverflow,
                                        "'ieee' or 'saturate'") ||
                 parser.parseRParen());
}

ParseResult CastOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand input;
  CastClauses clauses;
  Type from, to;
  if (parser.parseOperand(input) || parseClauses(parser, clauses) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(from) || parser.parseKeyword("to") ||
      parser.parseType(to) ||
      parser.resolveOperand(input, from, result.operands))
    return failure();
  Builder &builder = parser.getBuilder();
  if (clauses.step &&
      parser.resolveOperand(*clauses.step,
                            RankedTensorType::get({}, builder.getI64Type()),
                            result.operands))
    return failure();
  MLIRContext *context = builder.getContext();
  auto &properties = result.getOrAddProperties<CastOp::Properties>();
  properties.round = RoundingAttr::get(context, clauses.round);
  properties.overflow = OverflowAttr::get(
      context, clauses.overflow.value_or(getDefaultOverflow(to)));
  if (clauses.tf32)
    properties.tf32 = builder.getUnitAttr();
  properties.seed = clauses.seed;
  properties.stream = clauses.stream;
  result.addTypes(to);
  return success();
}

void CastOp::print(OpAsmPrinter &printer) {
  printer << " " << getInput();
  if (getTf32())
    printer << " tf32";
  if (getRound() == Rounding::Stochastic) {
    printer << " round(stochastic, " << getStep()
            << ", seed = " << getSeedAttr().getInt()
            << ", stream = " << getStreamAttr() << ")";
  } else if (getRound() != Rounding::NearestEven) {
    printer << " round(" << stringifyRounding(getRound()) << ")";
  }
  if (getOverflow() != getDefaultOverflow(getResult().getType()))
    printer << " overflow(" << stringifyOverflow(getOverflow()) << ")";
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getRoundAttrName(), getOverflowAttrName(),
                                 getTf32AttrName(), getSeedAttrName(),
                                 getStreamAttrName()});
  printer << " : " << getInput().getType() << " to " << getResult().getType();
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

LogicalResult CastOp::verify() {
  auto from = cast<RankedTensorType>(getInput().getType());
  RankedTensorType to = getResult().getType();
  if (from.getShape() != to.getShape() ||
      from.getEncoding() != to.getEncoding()) // cast_c1
    return emitOpError() << "expected the result to have the operand's shape, "
                            "got "
                         << to << " for " << from;
  if (getTf32() && !(from.getElementType().isF32() &&
                     to.getElementType().isF32())) // cast_c2
    return emitOpError() << "expected f32 tensors for tf32, got " << from
                         << " and " << to;
  bool isStochastic = getRound() == Rounding::Stochastic;
  auto check = [&](bool given, StringRef what) -> LogicalResult {
    if (given == isStochastic)
      return success();
    return emitOpError() << "expected " << (isStochastic ? "a " : "no ") << what
                         << " for the rounding '"
                         << stringifyRounding(getRound()) << "'";
  };
  if (failed(check(static_cast<bool>(getStep()), "step")) ||
      failed(check(static_cast<bool>(getSeedAttr()), "seed")) ||
      failed(check(static_cast<bool>(getStreamAttr()), "stream"))) // cast_c3
    return failure();
  if (isStochastic && (getStreamAttr().empty() ||
                       getStreamAttr().getValue().contains('\0'))) // cast_c4
    return emitOpError()
           << "expected the stream to be a non-empty string without NUL, got "
           << getStreamAttr();
  return success();
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

/// Whether every finite value of `from` is one of `to`.
static bool represents(const llvm::fltSemantics &to,
                       const llvm::fltSemantics &from) {
  return APFloat::isRepresentableBy(from, to);
}

static const llvm::fltSemantics &semanticsOf(Type type) {
  return cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
}

/// What the result is a subset of.
static const llvm::fltSemantics &targetSemantics(CastOp op) {
  return op.getTf32() ? APFloat::FloatTF32()
                      : semanticsOf(op.getResult().getType());
}

static bool hasInfinity(const llvm::fltSemantics &semantics) {
  return APFloat::semanticsHasInf(semantics);
}

bool CastOp::isExact() {
  const llvm::fltSemantics &from = semanticsOf(getInput().getType());
  const llvm::fltSemantics &to = targetSemantics(*this);
  if (!represents(to, from))
    return false;
  return !hasInfinity(from) ||
         (getOverflow() == Overflow::IEEE && hasInfinity(to));
}

/// The operand of an exact cast that `op` undoes, or whose values `op` keeps as
/// they are in the same type; null where there is none.
static Value lookThrough(CastOp op) {
  auto inner = op.getInput().getDefiningOp<CastOp>();
  if (!inner)
    return {};
  bool keepsInfinity = op.getOverflow() == Overflow::IEEE;
  Type type = op.getResult().getType();
  // Wider and back again.
  if (inner.getInput().getType() == type && !op.getTf32() && inner.isExact() &&
      (keepsInfinity || !hasInfinity(semanticsOf(type))))
    return inner.getInput();
  // What a cast made, and tf32 holds anyway.
  const llvm::fltSemantics &made =
      inner.getTf32() ? targetSemantics(inner)
                      : semanticsOf(inner.getInput().getType());
  if (op.getTf32() && keepsInfinity && represents(targetSemantics(op), made) &&
      (inner.getTf32() || inner.isExact()))
    return op.getInput();
  return {};
}

/// `value` in the semantics of the result; nothing where it would change.
static std::optional<APFloat> convertExactly(CastOp op, APFloat value) {
  if (!value.isFinite())
    return std::nullopt;
  bool losesInfo;
  value.convert(targetSemantics(op), APFloat::rmNearestTiesToEven, &losesInfo);
  if (losesInfo)
    return std::nullopt;
  value.convert(semanticsOf(op.getResult().getType()),
                APFloat::rmNearestTiesToEven, &losesInfo);
  return value;
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getResult().getType() && !getTf32() && isExact())
    return getInput();
  if (Value source = lookThrough(*this))
    return source;
  auto constant = dyn_cast_if_present<DenseFPElementsAttr>(adaptor.getInput());
  if (!constant)
    return {};
  // Only a repeated value: converting every element of a large constant at each
  // fold costs more than it gains.
  if (!constant.isSplat())
    return {};
  std::optional<APFloat> value =
      convertExactly(*this, constant.getSplatValue<APFloat>());
  if (!value)
    return {};
  return DenseElementsAttr::get(getResult().getType(), *value);
}
