//===- CMAAttributes.cpp - Attributes of the dialect ---------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file parses, prints and verifies the attributes.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/IR/CMADialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cma;

#include "cma/Dialect/CMA/IR/CMAEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "cma/Dialect/CMA/IR/CMAAttributes.cpp.inc"

void CMADialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "cma/Dialect/CMA/IR/CMAAttributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// EinsumAttr
//===----------------------------------------------------------------------===//

/// `text` without control characters, for messages.
static std::string escape(StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream stream(escaped);
  llvm::printEscapedString(text, stream);
  return escaped;
}

EinsumAttr
EinsumAttr::parseText(function_ref<InFlightDiagnostic(size_t column)> emitError,
                      MLIRContext *context, StringRef text) {
  Einsum einsum;
  EinsumError error;
  if (!parseEinsum({text.data(), text.size()}, EinsumRules::Syntax, einsum,
                   error)) {
    emitError(error.column)
        << "invalid equation \"" << escape(text) << "\" at column "
        << error.column << ": " << error.message;
    return {};
  }
  return get(context, einsum);
}

EinsumAttr EinsumAttr::get(MLIRContext *context, const Einsum &einsum) {
  return Base::get(context, einsum.str());
}

LogicalResult EinsumAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef equation) {
  Einsum einsum;
  EinsumError error;
  if (parseEinsum({equation.data(), equation.size()}, EinsumRules::Syntax,
                  einsum, error))
    return success();
  return emitError() << "invalid equation \"" << escape(equation)
                     << "\" at column " << error.column << ": "
                     << error.message;
}

Einsum EinsumAttr::getEinsum() const {
  Einsum einsum;
  EinsumError error;
  bool ok = parseEinsum({getEquation().data(), getEquation().size()},
                        EinsumRules::Syntax, einsum, error);
  (void)ok; // verified at construction
  return einsum;
}

Attribute EinsumAttr::parse(AsmParser &parser, Type) {
  std::string text;
  SMLoc loc;
  if (parser.parseLess() || (loc = parser.getCurrentLocation(), false) ||
      parser.parseString(&text) || parser.parseGreater())
    return {};
  return parseText(
      [&](size_t column) {
        return parser.emitError(
            SMLoc::getFromPointer(loc.getPointer() + 1 + column));
      },
      parser.getContext(), text);
}

void EinsumAttr::print(AsmPrinter &printer) const {
  printer << "<\"" << getEquation() << "\">";
}

//===----------------------------------------------------------------------===//
// InitAttr
//===----------------------------------------------------------------------===//

/// Parses a float literal, the bits of a double in hexadecimal, or an integer
/// that stands for a float.
static ParseResult parseNumber(AsmParser &parser, APFloat &value) {
  StringRef text = parser.getCurrentLocation().getPointer();
  if (text.starts_with("0x"))
    return parser.parseFloat(APFloat::IEEEdouble(), value);
  double number;
  // The sign is taken first: parseOptionalInteger would, and then refuse a
  // float.
  bool isNegative = succeeded(parser.parseOptionalMinus());
  text = parser.getCurrentLocation().getPointer();
  if (text.starts_with("0x"))
    return parser.emitError(parser.getCurrentLocation())
           << "expected no sign before the bits of a number";
  int64_t integer;
  OptionalParseResult isInteger = parser.parseOptionalInteger(integer);
  if (isInteger.has_value()) {
    if (failed(*isInteger))
      return failure();
    number = static_cast<double>(integer);
  } else if (parser.parseFloat(number)) {
    return failure();
  }
  value = APFloat(isNegative ? -number : number);
  return success();
}

/// Parses `, <name> = <number>`.
static ParseResult parseField(AsmParser &parser, StringRef name,
                              APFloat &value) {
  return failure(parser.parseComma() || parser.parseKeyword(name) ||
                 parser.parseEqual() || parseNumber(parser, value));
}

Attribute InitAttr::parse(AsmParser &parser, Type) {
  StringRef keyword;
  SMLoc loc;
  if (parser.parseLess() || (loc = parser.getCurrentLocation(), false) ||
      parser.parseKeyword(&keyword))
    return {};
  std::optional<InitKind> kind = symbolizeInitKind(keyword);
  if (!kind) {
    parser.emitError(loc) << "expected 'zeros', 'constant', 'normal', "
                             "'uniform' or 'tt_core', got '"
                          << keyword << "'";
    return {};
  }
  APFloat first(0.0), second(0.0);
  int64_t cores = 0;
  ParseResult fields = success();
  switch (*kind) {
  case InitKind::Zeros:
    break;
  case InitKind::Constant:
    fields = parseField(parser, "value", first);
    break;
  case InitKind::Normal:
    fields = parseField(parser, "std", first);
    break;
  case InitKind::Uniform:
    fields = failure(parseField(parser, "low", first) ||
                     parseField(parser, "high", second));
    break;
  case InitKind::TTCore:
    fields = failure(parseField(parser, "std", first) || parser.parseComma() ||
                     parser.parseKeyword("cores") || parser.parseEqual() ||
                     parser.parseInteger(cores));
    break;
  }
  if (failed(fields) || parser.parseGreater())
    return {};
  return parser.getChecked<InitAttr>(loc, parser.getContext(), *kind, first,
                                     second, cores);
}

void InitAttr::print(AsmPrinter &printer) const {
  auto number = [&](const APFloat &value) { printer.printFloat(value); };
  printer << "<" << stringifyInitKind(getKind());
  switch (getKind()) {
  case InitKind::Zeros:
    break;
  case InitKind::Constant:
    printer << ", value = ";
    number(getFirst());
    break;
  case InitKind::Normal:
    printer << ", std = ";
    number(getFirst());
    break;
  case InitKind::Uniform:
    printer << ", low = ";
    number(getFirst());
    printer << ", high = ";
    number(getSecond());
    break;
  case InitKind::TTCore:
    printer << ", std = ";
    number(getFirst());
    printer << ", cores = " << getCores();
    break;
  }
  printer << ">";
}

LogicalResult InitAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               InitKind kind, APFloat first, APFloat second,
                               int64_t cores) {
  double a = first.convertToDouble(), b = second.convertToDouble();
  switch (kind) {
  case InitKind::Zeros:
    return success();
  case InitKind::Constant:
    if (!first.isFinite()) // init_c3
      return emitError() << "expected 'value' to be finite, got " << a;
    return success();
  case InitKind::Uniform:
    if (!first.isFinite() || !second.isFinite() || a > b) // init_c2
      return emitError() << "expected finite 'low' <= 'high', got " << a
                         << " and " << b;
    return success();
  case InitKind::TTCore:
    if (cores < 1) // init_c4
      return emitError() << "expected 'cores' to be at least 1, got " << cores;
    [[fallthrough]];
  case InitKind::Normal:
    if (!first.isFinite() || a < 0) // init_c1
      return emitError() << "expected 'std' to be finite and not negative, got "
                         << a;
    return success();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// PrecisionAttr
//===----------------------------------------------------------------------===//

Type PrecisionAttr::getDefaultAccumulate(Type operand) {
  return operand.isF64() ? operand : Float32Type::get(operand.getContext());
}

Type PrecisionAttr::getDefaultResult(Type operand) {
  return operand.isTF32() ? Float32Type::get(operand.getContext()) : operand;
}

PrecisionAttr PrecisionAttr::get(Type operand) {
  return get(operand.getContext(), operand, getDefaultAccumulate(operand),
             getDefaultResult(operand));
}

/// Parses `<operand [, accumulate = type] [, result = type]>`.
Attribute PrecisionAttr::parse(AsmParser &parser, Type) {
  Type operand, accumulate, result;
  SMLoc loc;
  if (parser.parseLess() || (loc = parser.getCurrentLocation(), false) ||
      parser.parseType(operand))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef field;
    SMLoc fieldLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&field))
      return {};
    Type *type = llvm::StringSwitch<Type *>(field)
                     .Case("accumulate", &accumulate)
                     .Case("result", &result)
                     .Default(nullptr);
    if (!type || *type) {
      parser.emitError(fieldLoc)
          << "expected 'accumulate' or 'result', each at "
             "most once, got '"
          << field << "'";
      return {};
    }
    if (parser.parseEqual() || parser.parseType(*type))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<PrecisionAttr>(
      loc, parser.getContext(), operand,
      accumulate ? accumulate : getDefaultAccumulate(operand),
      result ? result : getDefaultResult(operand));
}

void PrecisionAttr::print(AsmPrinter &printer) const {
  printer << "<" << getOperand();
  if (getAccumulate() != getDefaultAccumulate(getOperand()))
    printer << ", accumulate = " << getAccumulate();
  if (getResult() != getDefaultResult(getOperand()))
    printer << ", result = " << getResult();
  printer << ">";
}

LogicalResult
PrecisionAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      Type operand, Type accumulate, Type result) {
  if (!isa<FloatTF32Type>(operand) && !isStorageFloat(operand)) // precision_c1
    return emitError()
           << "expected the operand type to be f64, f32, tf32, f16, "
              "bf16, f8E4M3FN or f8E5M2, got "
           << operand;
  if (!accumulate.isF64() && !(accumulate.isF32() && !operand.isF64()))
    return emitError() << "expected 'accumulate' to be " // precision_c2
                       << (operand.isF64() ? "f64" : "f32 or f64")
                       << " for operands of " << operand << ", got "
                       << accumulate;
  if (!isStorageFloat(result)) // precision_c3
    return emitError() << "expected 'result' to be f64, f32, f16, bf16, "
                          "f8E4M3FN or f8E5M2, got "
                       << result;
  return success();
}

//===----------------------------------------------------------------------===//
// RangeAttr
//===----------------------------------------------------------------------===//

Attribute RangeAttr::parse(AsmParser &parser, Type) {
  APFloat low(0.0), high(0.0);
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseNumber(parser, low) || parser.parseComma() ||
      parseNumber(parser, high) || parser.parseGreater())
    return {};
  return parser.getChecked<RangeAttr>(loc, parser.getContext(), low, high);
}

void RangeAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printFloat(getLow());
  printer << ", ";
  printer.printFloat(getHigh());
  printer << ">";
}

LogicalResult RangeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                APFloat low, APFloat high) {
  double a = low.convertToDouble(), b = high.convertToDouble();
  if (!low.isFinite() || !high.isFinite() || a > b) // range_c1
    return emitError() << "expected finite bounds, the first not above the "
                          "second, got "
                       << a << " and " << b;
  return success();
}
