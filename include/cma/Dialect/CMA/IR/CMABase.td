//===- CMABase.td - Dialect and type constraints -----------*- tablegen -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file defines the dialect, the traits and the type constraints that the
// ops share.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_IR_CMABASE_TD
#define CMA_DIALECT_CMA_IR_CMABASE_TD

include "mlir/IR/OpBase.td"

def CMA_Dialect : Dialect {
  let name = "cma";
  let cppNamespace = "::cma";
  let summary = "Tensor-network layers and their training";
  let description = [{
    Values are ranked tensors. Elementwise maths is `arith` and `math` on
    tensors, reshapes are `tensor.expand_shape` and `tensor.collapse_shape`; the
    dialect has what those lack: contractions over labelled axes, layers whose
    gradient, precision or stable lowering belongs to the op, and optimizers.

    Every constraint of an op has a number, for example `contract_c3`. The number
    stands in the verifier beside the check and in the name of a negative test.
    These hold for every op of the dialect:

    * `cma_c1`: a tensor has at most 2^63 - 1 elements. Extents may be zero.
    * `cma_c2`: `cma.role` of an argument is "parameter", "state", "data", or,
      in functions that CMA's passes make, "lr", "step", "cotangent" or "view";
      of a
      result it is "loss", "logits", "metric", "gradient" or "found_inf".
    * `cma_c3`: `cma.name` is a non-empty string without NUL, unique in its
      function, and is required beside the roles "parameter" and "state".
    * `cma_c4`: `cma.init` is a `#cma.init` attribute and stands on a
      floating-point tensor argument, or, as zeros or a whole constant, on one of
      integers.
    * `cma_c5`: `cma.updates` of a result names an argument of the same type,
      which no other result updates.
    * `cma_c6`: a result of role "loss" is a scalar floating-point tensor, and
      there is at most one.
    * `cma_c7`: `cma.name` of a result or an op and `cma.gradient` of a result
      are such strings, too. The name of a contraction stands in reports.
    * `cma_c8`: `cma.precision` of an op is a `#cma.precision`, and the op has an
      operand or a result of floats.
    * `cma_c9`: `cma.scaled_by` of an argument names another argument, a scalar
      floating-point tensor: the loss scale in its values.
    * `cma_c10`: `cma.range` of an argument is a `#cma.range`, and the argument
      holds floats.
    * `cma_c11`: `cma.result_types` of an op is an array of one type for each
      result, the element type of tensors of floats.
    * `cma_c12`: `cma.view_of` of an argument of floats names another argument of
      floats, of role "parameter" and the same shape: what it is a copy of.
    * `cma_c13`: the dialect's attributes on an op are `cma.name`,
      `cma.precision`, `cma.result_types`, and what passes leave behind:
      `cma.result_range` and `cma.entry`.

    A float is f64, f32, f16, bf16, f8E4M3FN or f8E5M2. Arithmetic on the types
    below f32, of this dialect and of `arith` and `math`, extends each operand to
    f32, computes there, and rounds the result once, to nearest even.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

/// cma_c1: the size product of every ranked operand and result fits an int64.
def CMA_CheckedSizes : NativeOpTrait<"CheckedSizes"> {
  let cppNamespace = "::cma";
}

class CMA_Op<string mnemonic, list<Trait> traits = []>
    : Op<CMA_Dialect, mnemonic, traits # [CMA_CheckedSizes]>;

/// Types that tensors are stored in.
def CMA_Float : AnyTypeOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2],
                          "f64, f32, f16, bf16, f8E4M3FN or f8E5M2">;
def CMA_FloatTensor : RankedTensorOf<[CMA_Float]>;

/// Types for what must not be rounded further: losses, the optimizer's values.
def CMA_WideFloat : AnyTypeOf<[F32, F64], "32-bit or 64-bit float">;
def CMA_WideFloatTensor : RankedTensorOf<[CMA_WideFloat]>;
def CMA_ScalarWideFloatTensor
    : Type<And<[CMA_WideFloatTensor.predicate, HasAnyRankOfPred<[0]>]>,
           "scalar tensor of 32-bit or 64-bit float",
           "::mlir::RankedTensorType">;

/// Types that a contraction or broadcast may move.
def CMA_MovableTensor
    : RankedTensorOf<[CMA_Float, AnySignlessInteger, Index]>;

def CMA_LabelTensor : RankedTensorOf<[I32, I64]>;

#endif // CMA_DIALECT_CMA_IR_CMABASE_TD
