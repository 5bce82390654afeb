//===- CMAAttributes.td - Attributes -----------------------*- tablegen -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file defines the attributes of the dialect.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_IR_CMAATTRIBUTES_TD
#define CMA_DIALECT_CMA_IR_CMAATTRIBUTES_TD

include "cma/Dialect/CMA/IR/CMABase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class CMA_Attr<string name, string attrMnemonic>
    : AttrDef<CMA_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def CMA_EinsumAttr : CMA_Attr<"Einsum", "einsum"> {
  let summary = "An einsum equation";
  let description = [{
    Labels are ASCII letters or `{name}` with letters, digits and underscores.
    The arrow is required, blanks are not significant and are dropped. An
    ellipsis is refused.

    ```mlir
    #cma.einsum<"bi,ij->bj">
    #cma.einsum<"{row}{col},{col}->{row}">
    ```
  }];
  let parameters = (ins StringRefParameter<"the equation in canonical spelling">:$equation);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Parses `text` under the syntax alone; null with an error at `emitError`.
    static EinsumAttr parseText(
        ::llvm::function_ref<::mlir::InFlightDiagnostic(size_t column)> emitError,
        ::mlir::MLIRContext *context, ::llvm::StringRef text);
    static EinsumAttr get(::mlir::MLIRContext *context, const Einsum &einsum);

    /// The equation, parsed.
    Einsum getEinsum() const;
  }];
}

def CMA_InitKind : I32EnumAttr<"InitKind", "how a parameter starts", [
    I32EnumAttrCase<"Zeros", 0, "zeros">,
    I32EnumAttrCase<"Constant", 1, "constant">,
    I32EnumAttrCase<"Normal", 2, "normal">,
    I32EnumAttrCase<"Uniform", 3, "uniform">,
    I32EnumAttrCase<"TTCore", 4, "tt_core">]> {
  let cppNamespace = "::cma";
  let genSpecializedAttr = 0;
}

def CMA_InitAttr : CMA_Attr<"Init", "init"> {
  let summary = "How an argument is initialised";
  let description = [{
    ```mlir
    #cma.init<zeros>
    #cma.init<constant, value = 1.0>
    #cma.init<normal, std = 0.02>             // mean 0
    #cma.init<uniform, low = -0.1, high = 0.1>
    #cma.init<tt_core, std = 0.05, cores = 4> // one core of a tensor train
    ```

    `tt_core` draws each element of a core from a normal distribution of standard
    deviation std^(1/cores) / sqrt(r), r the core's last extent. Where every core
    of a tensor train (or TT-matrix) has this init, an element of the product is
    a sum over all bond indices of products of one element a core, so its
    variance is std^2: the factors 1/r cancel the number of terms.

    Constraints: `init_c1`: `std` is finite and not negative; `init_c2`: `low` is
    finite and at most `high`, which is finite; `init_c3`: `value` is finite;
    `init_c4`: `cores` is at least 1.
  }];
  let parameters = (ins
    EnumParameter<CMA_InitKind>:$kind,
    APFloatParameter<"value, std or low">:$first,
    APFloatParameter<"high">:$second,
    "int64_t":$cores);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    double getValue() const { return getFirst().convertToDouble(); }
    double getStd() const { return getFirst().convertToDouble(); }
    double getLow() const { return getFirst().convertToDouble(); }
    double getHigh() const { return getSecond().convertToDouble(); }
  }];
}

def CMA_GeluApproximation : I32EnumAttr<"GeluApproximation", "form of gelu", [
    I32EnumAttrCase<"None", 0, "none">,
    I32EnumAttrCase<"Tanh", 1, "tanh">]> {
  let cppNamespace = "::cma";
  let genSpecializedAttr = 0;
}

def CMA_GeluApproximationAttr
    : EnumAttr<CMA_Dialect, CMA_GeluApproximation, "gelu_approximation">;

def CMA_Rounding : I32EnumAttr<"Rounding", "which neighbour a cast takes", [
    I32EnumAttrCase<"NearestEven", 0, "nearest_even">,
    I32EnumAttrCase<"TowardZero", 1, "toward_zero">,
    I32EnumAttrCase<"Stochastic", 2, "stochastic">]> {
  let cppNamespace = "::cma";
  let genSpecializedAttr = 0;
}

def CMA_RoundingAttr : EnumAttr<CMA_Dialect, CMA_Rounding, "rounding"> {
  let assemblyFormat = "`<` $value `>`";
}

def CMA_Overflow : I32EnumAttr<"Overflow", "what a cast makes of large values", [
    I32EnumAttrCase<"IEEE", 0, "ieee">,
    I32EnumAttrCase<"Saturate", 1, "saturate">]> {
  let cppNamespace = "::cma";
  let genSpecializedAttr = 0;
}

def CMA_OverflowAttr : EnumAttr<CMA_Dialect, CMA_Overflow, "overflow"> {
  let assemblyFormat = "`<` $value `>`";
}

def CMA_PrecisionAttr : CMA_Attr<"Precision", "precision"> {
  let summary = "Types in which an op computes";
  let description = [{
    The type that the op's operands are rounded to, the type that it sums in, and
    the type of its result. As the discardable attribute `cma.precision` it tells
    `cma-insert-casts` where to round.

    ```mlir
    #cma.precision<f16>
    #cma.precision<tf32>
    #cma.precision<bf16, accumulate = f64, result = f32>
    ```

    `accumulate` is f64 for f64 and f32 otherwise unless given, `result` is the
    operand type, or f32 for tf32.

    Constraints: `precision_c1`: the operand type is f64, f32, tf32, f16, bf16,
    f8E4M3FN or f8E5M2; `precision_c2`: `accumulate` is f32 or f64, and f64 where
    the operand type is; `precision_c3`: `result` is one of the operand types
    other than tf32.
  }];
  let parameters = (ins "::mlir::Type":$operand, "::mlir::Type":$accumulate,
                        "::mlir::Type":$result);
  let builders = [
    AttrBuilderWithInferredContext<(ins "::mlir::Type":$operand)>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// What `accumulate` and `result` are for `operand` unless given.
    static ::mlir::Type getDefaultAccumulate(::mlir::Type operand);
    static ::mlir::Type getDefaultResult(::mlir::Type operand);
  }];
}

def CMA_RangeAttr : CMA_Attr<"Range", "range"> {
  let summary = "Bounds of the values of an argument";
  let description = [{
    As the argument attribute `cma.range`: every element is a number from the
    first bound to the second. Analyses rely on it; nothing checks it at run time.

    ```mlir
    #cma.range<-1.0, 1.0>
    ```

    Constraint `range_c1`: both bounds are finite, and the first is not above the
    second.
  }];
  let parameters = (ins APFloatParameter<"lowest value">:$low,
                        APFloatParameter<"highest value">:$high);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // CMA_DIALECT_CMA_IR_CMAATTRIBUTES_TD
