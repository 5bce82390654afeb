//===- CMAInterfaces.td - Op interfaces --------------------*- tablegen -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file defines the interfaces through which passes reach ops, so that
// adding an op touches one place.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_IR_CMAINTERFACES_TD
#define CMA_DIALECT_CMA_IR_CMAINTERFACES_TD

include "mlir/IR/OpBase.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::cma";
  let description = [{
    An op that reverse mode can differentiate.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the vector-Jacobian product at the builder's insertion point.
      `cotangents` holds one value per result, null where the cotangent is zero
      (at least one is not null); each has its result's type. `wanted` says, per
      operand, whether its gradient is asked for. Sets `gradients[i]`, a value of
      operand i's type, for every wanted operand on which the result depends
      differentiably; null means zero. Fails, after an error at the op, where
      the op cannot be differentiated as it stands.
    }],
    "::llvm::LogicalResult", "buildVJP",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$cotangents,
         "::llvm::ArrayRef<bool>":$wanted,
         "::llvm::MutableArrayRef<::mlir::Value>":$gradients)>
  ];
}

def LayerOpInterface : OpInterface<"LayerOpInterface"> {
  let cppNamespace = "::cma";
  let description = [{
    A linear layer that `cma-expand-layers` rewrites into contractions.
  }];
  let methods = [
    InterfaceMethod<"Name of the parametrisation, for reports, e.g. `tt_linear`.",
      "::llvm::StringRef", "getLayerKind", (ins), "", [{
        return $_op->getName().stripDialect();
      }]>,
    InterfaceMethod<"Operands that hold weights: cores and gates, not the bias.",
      "::llvm::SmallVector<::mlir::Value>", "getLayerWeights">,
    InterfaceMethod<[{
      Elements of the dense matrix that the weights stand for: input features
      times output features. The verifier has checked that it fits.
    }], "int64_t", "getDenseWeightCount">,
    InterfaceMethod<[{
      Builds the layer from contractions, `arith` and `tensor` ops at the
      builder's insertion point and returns the replacement of its result. The
      operand types are static.
    }], "::mlir::Value", "expandLayer", (ins "::mlir::OpBuilder &":$builder)>
  ];
}

def PrecisionOpInterface : OpInterface<"PrecisionOpInterface"> {
  let cppNamespace = "::cma";
  let description = [{
    An op on tensors of floats that may run in a type below the one in which it
    was written. Terminators and ops that carry values through regions have no
    class; passes treat them by their structure.
  }];
  let methods = [
    InterfaceMethod<"What becomes of the op where the low type is `low`.",
      "::cma::PrecisionClass", "getPrecisionClass", (ins "::mlir::Type":$low)>,
    InterfaceMethod<[{
      Whether an op that is denied `low` follows its operands after all where
      every operand and result is proved to fit that type.
    }], "bool", "isSafeInRange", (ins), "", "return false;">,
    InterfaceMethod<"Whether operands and results may have element type `type`.",
      "bool", "isLegalPrecision", (ins "::mlir::Type":$type), "",
      "return isStorageFloat(type);">,
    InterfaceMethod<[{
      Whether the type of the result is independent of that of the operands,
      since the op rounds what it has summed in an accumulator.
    }], "bool", "hasFreeResult", (ins), "", "return false;">,
    InterfaceMethod<[{
      Intervals of the results, before they are rounded, from those of the
      operands (integers are unbounded). `results` comes unbounded.
    }], "void", "inferRange",
    (ins "::llvm::ArrayRef<::cma::Interval>":$operands,
         "::llvm::MutableArrayRef<::cma::Interval>":$results), "", "">
  ];
}

#endif // CMA_DIALECT_CMA_IR_CMAINTERFACES_TD
