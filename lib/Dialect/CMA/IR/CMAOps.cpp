//===- CMAOps.cpp - Verifiers, parsers and builders of the ops -----------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the network, activation, loss and training ops; the
// layers are in CMALayerOps.cpp, folds in CMAFolds.cpp, the cast is in
// CMACastOp.cpp.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace cma;

#include "cma/Dialect/CMA/IR/CMAInterfaces.cpp.inc"

/// Parses an equation's string; an error points at the offending character.
static ParseResult parseEquation(OpAsmParser &parser, EinsumAttr &equation) {
  SMLoc loc = parser.getCurrentLocation();
  std::string text;
  if (parser.parseOptionalString(&text))
    return parser.emitError(loc, "expected an equation such as \"bi,ij->bj\"");
  equation = EinsumAttr::parseText(
      [&](size_t column) {
        return parser.emitError(
            SMLoc::getFromPointer(loc.getPointer() + 1 + column));
      },
      parser.getContext(), text);
  return success(static_cast<bool>(equation));
}

static void printEquation(OpAsmPrinter &printer, Operation *,
                          EinsumAttr equation) {
  printer << '"' << equation.getEquation() << "\" ";
}

/// `(tanh)`. The generated form would print a blank behind the parenthesis.
static ParseResult parseApproximation(OpAsmParser &parser,
                                      GeluApproximationAttr &approximate) {
  StringRef keyword;
  SMLoc loc;
  if (parser.parseLParen() || (loc = parser.getCurrentLocation(), false) ||
      parser.parseKeyword(&keyword) || parser.parseRParen())
    return failure();
  std::optional<GeluApproximation> form = symbolizeGeluApproximation(keyword);
  if (!form)
    return parser.emitError(loc)
           << "expected 'none' or 'tanh', got '" << keyword << "'";
  approximate = GeluApproximationAttr::get(parser.getContext(), *form);
  return success();
}

static void printApproximation(OpAsmPrinter &printer, Operation *,
                               GeluApproximationAttr approximate) {
  printer << "(" << stringifyGeluApproximation(approximate.getValue()) << ")";
}

/// The buffer and the new buffer have the parameter's type.
static ParseResult
parseSGDBufferTypes(OpAsmParser &,
                    std::optional<OpAsmParser::UnresolvedOperand> buffer,
                    Type parameter, Type &bufferType, Type &newBufferType) {
  if (buffer)
    bufferType = newBufferType = parameter;
  return success();
}

static void printSGDBufferTypes(OpAsmPrinter &, Operation *, Value, Type, Type,
                                Type) {}

/// The new tracker has the tracker's type.
static ParseResult
parseTrackerType(OpAsmParser &parser,
                 std::optional<OpAsmParser::UnresolvedOperand> tracker,
                 Type &type) {
  if (tracker)
    type = RankedTensorType::get({}, parser.getBuilder().getI32Type());
  return success();
}

static void printTrackerType(OpAsmPrinter &, Operation *, Value, Type) {}

/// Parses `(types)`. An empty list is the verifier's matter.
static ParseResult parseCoreTypes(OpAsmParser &parser,
                                  SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
    return parser.parseType(types.emplace_back());
  });
}

static void printCoreTypes(OpAsmPrinter &printer, Operation *,
                           TypeRange types) {
  printer << "(" << types << ")";
}

/// Parses the tail `[, gates(types)] [, type]` of a layer's types.
static ParseResult parseGateAndBiasTypes(OpAsmParser &parser,
                                         SmallVectorImpl<Type> &gates,
                                         Type &bias) {
  if (parser.parseOptionalComma())
    return success();
  if (succeeded(parser.parseOptionalKeyword("gates"))) {
    if (parser.parseLParen() || parser.parseTypeList(gates) ||
        parser.parseRParen())
      return failure();
    if (parser.parseOptionalComma())
      return success();
  }
  return parser.parseType(bias);
}

static void printGateAndBiasTypes(OpAsmPrinter &printer, Operation *,
                                  TypeRange gates, Type bias) {
  if (!gates.empty())
    printer << ", gates(" << gates << ")";
  if (bias)
    printer << ", " << bias;
}

//===----------------------------------------------------------------------===//
// Extents of labels
//===----------------------------------------------------------------------===//

namespace {
/// The first axis that gave a label its extent, for messages.
struct LabelExtents {
  explicit LabelExtents(const Einsum &einsum)
      : einsum(einsum), extents(einsum.labels.size(), ShapedType::kDynamic),
        sources(einsum.labels.size()) {}

  /// Records `type` under `axes`; an error names both axes and extents.
  LogicalResult add(Operation *op, ArrayRef<LabelId> axes, ShapedType type,
                    const Twine &what) {
    if (type.getRank() != static_cast<int64_t>(axes.size()))
      return op->emitOpError()
             << "expected " << what << " to have rank " << axes.size()
             << " for '" << einsum.spell({axes.begin(), axes.end()})
             << "', got rank " << type.getRank() << " (" << type << ")";
    for (auto [i, label] : llvm::enumerate(axes)) {
      int64_t extent = type.getDimSize(i);
      if (ShapedType::isDynamic(extent))
        continue;
      std::string here = (what + " axis " + Twine(i)).str();
      if (ShapedType::isDynamic(extents[label])) {
        extents[label] = extent;
        sources[label] = std::move(here);
      } else if (extents[label] != extent) {
        return op->emitOpError()
               << "expected label '" << einsum.labels[label]
               << "' to have one extent, got " << extents[label] << " in "
               << sources[label] << " and " << extent << " in " << here;
      }
    }
    return success();
  }

  const Einsum &einsum;
  SmallVector<int64_t> extents;
  SmallVector<std::string> sources;
};
} // namespace

static LogicalResult verifyEquation(Operation *op, EinsumAttr equation,
                                    EinsumRules rules, Einsum &einsum) {
  EinsumError error;
  StringRef text = equation.getEquation();
  if (parseEinsum({text.data(), text.size()}, rules, einsum, error))
    return success();
  return op->emitOpError() << "invalid equation \"" << text << "\" at column "
                           << error.column << ": " << error.message;
}

//===----------------------------------------------------------------------===//
// ContractOp
//===----------------------------------------------------------------------===//

void ContractOp::build(OpBuilder &builder, OperationState &state, Type result,
                       const Einsum &einsum, ValueRange inputs) {
  build(builder, state, result, EinsumAttr::get(builder.getContext(), einsum),
        inputs, /*path=*/ArrayAttr(), /*planned=*/false,
        /*accumulate=*/TypeAttr());
}

void ContractOp::build(OpBuilder &builder, OperationState &state, Type result,
                       StringRef equation, ValueRange inputs) {
  build(builder, state, result, EinsumAttr::get(builder.getContext(), equation),
        inputs, /*path=*/ArrayAttr(), /*planned=*/false,
        /*accumulate=*/TypeAttr());
}

SmallVector<int64_t> ContractOp::getLabelExtents() {
  Einsum einsum = getEinsum();
  SmallVector<int64_t> extents(einsum.labels.size(), ShapedType::kDynamic);
  for (auto [axes, value] : llvm::zip(einsum.operands, getInputs()))
    for (auto [label, extent] :
         llvm::zip(axes, cast<ShapedType>(value.getType()).getShape()))
      if (!ShapedType::isDynamic(extent))
        extents[label] = extent;
  return extents;
}

SmallVector<SmallVector<int64_t>> ContractOp::getPathSteps() {
  SmallVector<SmallVector<int64_t>> steps;
  if (ArrayAttr path = getPathAttr())
    for (Attribute step : path) {
      steps.emplace_back();
      for (Attribute position : cast<ArrayAttr>(step))
        steps.back().push_back(cast<IntegerAttr>(position).getInt());
    }
  return steps;
}

/// contract_c7.
static LogicalResult verifyPath(ContractOp op) {
  if (!op.getPathAttr())
    return success();
  int64_t remaining = op.getInputs().size();
  for (auto [i, step] : llvm::enumerate(op.getPathSteps())) {
    if (step.empty() || step.size() > 2)
      return op.emitOpError()
             << "expected step " << i
             << " of 'path' to name 1 or 2 operands, got " << step.size();
    for (int64_t position : step)
      if (position < 0 || position >= remaining)
        return op.emitOpError()
               << "expected step " << i << " of 'path' to name positions below "
               << remaining << ", got " << position;
    if (step.size() == 2 && step[0] == step[1])
      return op.emitOpError() << "expected step " << i
                              << " of 'path' to name distinct positions, got "
                              << step[0] << " twice";
    remaining -= static_cast<int64_t>(step.size()) - 1;
  }
  if (remaining != 1)
    return op.emitOpError()
           << "expected 'path' to leave one operand, got " << remaining;
  return success();
}

Type ContractOp::getAccumulationType() {
  if (getAccumulate())
    return *getAccumulate();
  Type element = getResult().getType().getElementType();
  return isLowFloat(element) ? Float32Type::get(getContext()) : element;
}

/// contract_c6: floats mix with each other, but f64 does not.
static LogicalResult verifyElements(ContractOp op, const Einsum &einsum) {
  Type element = op.getResult().getType().getElementType();
  auto mixes = [](Type type) { return isLowFloat(type) || type.isF32(); };
  for (auto [i, value] : llvm::enumerate(op.getInputs())) {
    Type other = cast<ShapedType>(value.getType()).getElementType();
    if (other != element && !(mixes(other) && mixes(element)))
      return op.emitOpError() << "expected operand #" << i
                              << " to have the result's element type "
                              << element << ", got " << other;
  }
  if (isa<FloatType>(element))
    return success();
  SmallVector<bool> kept(einsum.labels.size());
  for (LabelId label : einsum.result)
    kept[label] = true;
  if (op.getInputs().size() == 1 &&
      llvm::all_of(kept, [](bool k) { return k; }))
    return success();
  return op.emitOpError() << "expected a floating-point element type where "
                             "values are multiplied or summed, got "
                          << element;
}

/// contract_c9.
static LogicalResult verifyAccumulate(ContractOp op) {
  if (!op.getAccumulate())
    return success();
  Type type = *op.getAccumulate();
  Type element = op.getResult().getType().getElementType();
  if (!isa<FloatType>(element))
    return op.emitOpError()
           << "expected no 'accumulate' for elements of " << element;
  if (type.isF64() || (type.isF32() && !element.isF64()))
    return success();
  return op.emitOpError() << "expected 'accumulate' to be "
                          << (element.isF64() ? "f64" : "f32 or f64")
                          << " for elements of " << element << ", got " << type;
}

LogicalResult ContractOp::verify() {
  Einsum einsum;
  if (failed(verifyEquation(*this, getEquation(), EinsumRules::Contract,
                            einsum))) // contract_c5
    return failure();
  if (einsum.operands.size() != getInputs().size()) // contract_c1
    return emitOpError() << "expected " << einsum.operands.size()
                         << " operands for \"" << getEquation().getEquation()
                         << "\", got " << getInputs().size();
  LabelExtents extents(einsum);
  for (auto [i, value] : llvm::enumerate(getInputs()))
    if (failed(extents.add(*this, einsum.operands[i],
                           cast<ShapedType>(value.getType()),
                           "operand #" + Twine(i)))) // contract_c2, contract_c3
      return failure();
  if (failed(extents.add(*this, einsum.result, getResult().getType(),
                         "the result"))) // contract_c4
    return failure();
  if (failed(verifyElements(*this, einsum)) ||
      failed(verifyAccumulate(*this)) || failed(verifyPath(*this)))
    return failure();
  if (getPlanned() && (getInputs().size() > 2 || getPathAttr())) // contract_c8
    return emitOpError() << "expected 'planned' on at most 2 operands without "
                            "'path', got "
                         << getInputs().size() << " operands"
                         << (getPathAttr() ? " and a path" : "");
  return success();
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

void BroadcastOp::build(OpBuilder &builder, OperationState &state, Type result,
                        const Einsum &einsum, Value input) {
  build(builder, state, result, EinsumAttr::get(builder.getContext(), einsum),
        input);
}

void BroadcastOp::build(OpBuilder &builder, OperationState &state, Type result,
                        StringRef equation, Value input) {
  build(builder, state, result, EinsumAttr::get(builder.getContext(), equation),
        input);
}

LogicalResult BroadcastOp::verify() {
  Einsum einsum;
  if (failed(verifyEquation(*this, getEquation(), EinsumRules::Broadcast,
                            einsum))) // broadcast_c1
    return failure();
  LabelExtents extents(einsum);
  if (failed(extents.add(*this, einsum.operands[0],
                         cast<ShapedType>(getInput().getType()),
                         "the operand")) || // broadcast_c2
      failed(extents.add(*this, einsum.result, getResult().getType(),
                         "the result"))) // broadcast_c3
    return failure();
  Type from = getElementTypeOrSelf(getInput().getType());
  Type to = getResult().getType().getElementType();
  if (from != to) // broadcast_c4
    return emitOpError() << "expected the result to have the operand's element "
                            "type "
                         << from << ", got " << to;
  return success();
}

//===----------------------------------------------------------------------===//
// Activations, norms and losses
//===----------------------------------------------------------------------===//

static LogicalResult verifyHasAxis(Operation *op, Value value, StringRef name) {
  if (cast<ShapedType>(value.getType()).getRank() > 0)
    return success();
  return op->emitOpError() << "expected '" << name
                           << "' to have at least one axis, got "
                           << value.getType();
}

/// Equal, or one of them dynamic.
static bool extentsAgree(int64_t a, int64_t b) {
  return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
}

LogicalResult SoftmaxOp::verify() {
  return verifyHasAxis(*this, getInput(), "input"); // softmax_c1
}

static LogicalResult verifyEpsilon(Operation *op, const APFloat &epsilon) {
  if (epsilon.isFinite() && !epsilon.isNegative())
    return success();
  return op->emitOpError()
         << "expected 'epsilon' to be finite and not negative, got "
         << epsilon.convertToDouble();
}

LogicalResult LayerNormOp::verify() {
  if (failed(verifyHasAxis(*this, getInput(), "input"))) // layer_norm_c1
    return failure();
  auto input = cast<RankedTensorType>(getInput().getType());
  auto check = [&](Value value, StringRef name) -> LogicalResult {
    if (!value)
      return success();
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getRank() == 1 &&
        extentsAgree(type.getDimSize(0), input.getShape().back()) &&
        type.getElementType() == input.getElementType())
      return success();
    return emitOpError() << "expected '" << name
                         << "' to have one axis, the last extent and the "
                            "element type of the input "
                         << input << ", got " << type;
  };
  if (failed(check(getScale(), "scale")) ||
      failed(check(getShift(), "shift"))) // layer_norm_c2
    return failure();
  return verifyEpsilon(*this, getEpsilon()); // layer_norm_c3
}

LogicalResult LayerNormGradOp::verify() {
  if (failed(verifyHasAxis(*this, getInput(), "input"))) // layer_norm_grad_c1
    return failure();
  return verifyEpsilon(*this, getEpsilon()); // layer_norm_grad_c2
}

static LogicalResult verifyElementType(Operation *op, Value value,
                                       StringRef name, Value like,
                                       StringRef likeName) {
  Type got = getElementTypeOrSelf(value.getType());
  Type want = getElementTypeOrSelf(like.getType());
  if (got == want)
    return success();
  return op->emitOpError() << "expected '" << name
                           << "' to have the element type of '" << likeName
                           << "', " << want << ", got " << got;
}

LogicalResult MSEOp::verify() {
  return verifyElementType(*this, getLoss(), "loss", getPrediction(),
                           "prediction"); // mse_c1
}

static LogicalResult verifyLabels(Operation *op, Value logits, Value labels) {
  if (failed(verifyHasAxis(
          op, logits, "logits"))) // cross_entropy_c1, cross_entropy_grad_c1
    return failure();
  auto rows = cast<ShapedType>(logits.getType()).getShape().drop_back();
  auto shape = cast<ShapedType>(labels.getType()).getShape();
  if (rows.size() == shape.size() &&
      llvm::all_of(llvm::zip(rows, shape), [](auto pair) {
        return extentsAgree(std::get<0>(pair), std::get<1>(pair));
      }))
    return success();
  return op->emitOpError() // cross_entropy_c2, cross_entropy_grad_c2
         << "expected 'labels' to have the shape of 'logits' without its last "
            "axis, got "
         << labels.getType() << " for " << logits.getType();
}

LogicalResult CrossEntropyOp::verify() {
  if (failed(verifyLabels(*this, getLogits(), getLabels())))
    return failure();
  return verifyElementType(*this, getLoss(), "loss", getLogits(),
                           "logits"); // cross_entropy_c3
}

LogicalResult CrossEntropyGradOp::verify() {
  if (failed(verifyLabels(*this, getLogits(), getLabels())))
    return failure();
  return verifyElementType(*this, getCotangent(), "cotangent", getLogits(),
                           "logits"); // cross_entropy_grad_c3
}

LogicalResult CheckLabelsOp::verify() {
  int64_t classes = getNumClasses();
  if (classes < 0) // check_labels_c1
    return emitOpError() << "expected 'num_classes' to be at least 0, got "
                         << classes;
  return success();
}

//===----------------------------------------------------------------------===//
// SGDOp
//===----------------------------------------------------------------------===//

LogicalResult SGDOp::verify() {
  double momentum = getMomentum().convertToDouble();
  if (!(momentum >= 0 && momentum < 1)) // sgd_c1
    return emitOpError()
           << "expected 'momentum' to be at least 0 and below 1, got "
           << momentum;
  if (momentum != 0 && !getBuffer()) // sgd_c1
    return emitOpError() << "expected a momentum buffer for 'momentum' "
                         << momentum;
  APFloat decay = getWeightDecay();
  if (!decay.isFinite() || decay.convertToDouble() < 0) // sgd_c2
    return emitOpError()
           << "expected 'weight_decay' to be finite and not negative, got "
           << decay.convertToDouble();
  Type parameter = getParameter().getType();
  if (static_cast<bool>(getBuffer()) != static_cast<bool>(getNewBuffer()))
    return emitOpError() << "expected a new buffer exactly where there is a "
                            "buffer"; // sgd_c3
  if (getBuffer() && (getBuffer().getType() != parameter ||
                      getNewBuffer().getType() != parameter)) // sgd_c3
    return emitOpError() << "expected the buffers to have the parameter's type "
                         << parameter << ", got " << getBuffer().getType()
                         << " and " << getNewBuffer().getType();
  return success();
}

#define GET_OP_CLASSES
#include "cma/Dialect/CMA/IR/CMAOps.cpp.inc"
