//===- CMANetworkOps.td - Contraction and broadcast --------*- tablegen -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file defines the network ops.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_IR_CMANETWORKOPS_TD
#define CMA_DIALECT_CMA_IR_CMANETWORKOPS_TD

include "cma/Dialect/CMA/IR/CMAAttributes.td"
include "cma/Dialect/CMA/IR/CMABase.td"
include "cma/Dialect/CMA/IR/CMAInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def CMA_PathStep : TypedArrayAttrBase<I64Attr, "step of a path">;
def CMA_Path : TypedArrayAttrBase<CMA_PathStep, "contraction path">;

def CMA_ContractOp : CMA_Op<"contract", [
    Pure, DeclareOpInterfaceMethods<DifferentiableOpInterface>]> {
  let summary = "Contract tensors over labelled axes";
  let description = [{
    An einsum over any number of operands: one (trace, sum, transpose), two (the
    form that is lowered), or more (which `cma-plan-contractions` splits).
    A label repeated within one operand takes the diagonal. A label that the
    result lacks is summed.

    ```mlir
    %y = cma.contract "bi,ij,jk->bk" (%x, %w, %v) {path = [[1, 2], [0, 1]]}
        : (tensor<8x4xf32>, tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<8x6xf32>
    ```

    `path` fixes the order in which operands are contracted, in linear form: each
    step names positions in the current list of operands, which are removed, and
    the step's result is appended. A step of one position sums the labels that
    only that operand has. `planned` marks a step that a planner made.

    Products are formed and summed in `accumulate`: f64 for f64, else f32, unless
    given. The result is rounded once, to nearest even; beyond the largest finite
    value it is infinity, or NaN in f8E4M3FN. An op that neither multiplies nor
    sums rounds only where its types differ.

    Constraints:
    * `contract_c1`: as many operands as the equation has, at least one.
    * `contract_c2`: an operand's rank is the number of its labels.
    * `contract_c3`: a label has one extent everywhere; extent 1 does not stretch.
    * `contract_c4`: the result's rank and extents are those of its labels.
    * `contract_c5`: result labels are distinct and each occurs in an operand.
    * `contract_c6`: all element types are equal, or all are floats of at most 32
      bits; they are floats unless the op has one operand and sums no label.
    * `contract_c7`: `path` is a valid path: steps of one or two distinct
      positions in range that leave one operand.
    * `contract_c8`: `planned` stands on at most two operands, without `path`.
    * `contract_c9`: `accumulate` is f32 or f64, f64 where the operands are, and
      stands on floats.
  }];
  let arguments = (ins
    CMA_EinsumAttr:$equation,
    Variadic<CMA_MovableTensor>:$inputs,
    OptionalAttr<CMA_Path>:$path,
    UnitAttr:$planned,
    OptionalAttr<TypeAttr>:$accumulate);
  let results = (outs CMA_MovableTensor:$result);
  let assemblyFormat = [{
    custom<Equation>($equation) `(` $inputs `)` attr-dict `:`
    functional-type($inputs, $result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "const Einsum &":$einsum,
                   "::mlir::ValueRange":$inputs)>,
    OpBuilder<(ins "::mlir::Type":$result, "::llvm::StringRef":$equation,
                   "::mlir::ValueRange":$inputs)>
  ];
  let extraClassDeclaration = [{
    Einsum getEinsum() { return getEquation().getEinsum(); }
    /// Extent of each label, in label order; ShapedType::kDynamic where no
    /// operand tells.
    ::llvm::SmallVector<int64_t> getLabelExtents();
    /// `path` as positions; empty where there is none.
    ::llvm::SmallVector<::llvm::SmallVector<int64_t>> getPathSteps();
    /// The type of products and sums; the element type of integers.
    ::mlir::Type getAccumulationType();
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def CMA_BroadcastOp : CMA_Op<"broadcast", [
    Pure, DeclareOpInterfaceMethods<DifferentiableOpInterface>]> {
  let summary = "Repeat a tensor along new axes or embed it in a diagonal";
  let description = [{
    The adjoint of the one-operand contraction. A result label that the operand
    lacks repeats the value along an axis of the extent that the result type
    gives; a repeated result label puts the value on the diagonal and zeros
    elsewhere.

    ```mlir
    %m = cma.broadcast "n->bn" (%bias) : (tensor<4xf32>) -> tensor<8x4xf32>
    %d = cma.broadcast "a->aa" (%v) : (tensor<4xf32>) -> tensor<4x4xf32>
    ```

    Constraints:
    * `broadcast_c1`: the equation has one operand, of distinct labels, each of
      which occurs in the result.
    * `broadcast_c2`: the operand's rank is the number of its labels.
    * `broadcast_c3`: the result's rank is the number of its labels, and a label
      has one extent everywhere.
    * `broadcast_c4`: the element types are equal.
  }];
  let arguments = (ins CMA_EinsumAttr:$equation, CMA_MovableTensor:$input);
  let results = (outs CMA_MovableTensor:$result);
  let assemblyFormat = [{
    custom<Equation>($equation) `(` $input `)` attr-dict `:`
    functional-type($input, $result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "const Einsum &":$einsum,
                   "::mlir::Value":$input)>,
    OpBuilder<(ins "::mlir::Type":$result, "::llvm::StringRef":$equation,
                   "::mlir::Value":$input)>
  ];
  let extraClassDeclaration = [{
    Einsum getEinsum() { return getEquation().getEinsum(); }
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

#endif // CMA_DIALECT_CMA_IR_CMANETWORKOPS_TD
