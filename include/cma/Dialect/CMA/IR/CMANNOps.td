//===- CMANNOps.td - Activations, norms and losses ---------*- tablegen -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file defines activations, normalisation and losses. They are kept whole
// since their gradient, precision class and stable lowering belong to the op.
// Each computes in f32 or in the operand type where that is wider. Losses take
// no type below f32.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_IR_CMANNOPS_TD
#define CMA_DIALECT_CMA_IR_CMANNOPS_TD

include "cma/Dialect/CMA/IR/CMAAttributes.td"
include "cma/Dialect/CMA/IR/CMABase.td"
include "cma/Dialect/CMA/IR/CMAInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class CMA_UnaryOp<string mnemonic, list<Trait> traits = []>
    : CMA_Op<mnemonic, traits # [
        Pure, SameOperandsAndResultType,
        DeclareOpInterfaceMethods<DifferentiableOpInterface>]> {
  let arguments = (ins CMA_FloatTensor:$input);
  let results = (outs CMA_FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def CMA_ReluOp : CMA_UnaryOp<"relu"> {
  let summary = "max(x, 0)";
  let description = [{
    The gradient at 0 is 0. A NaN stays a NaN.

    ```mlir
    %y = cma.relu %x : tensor<8x4xf32>
    ```
  }];
}

def CMA_GeluOp : CMA_UnaryOp<"gelu"> {
  let summary = "Gaussian error linear unit";
  let description = [{
    x (1 + erf(x / sqrt 2)) / 2, or with `approximate(tanh)`
    x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2.

    ```mlir
    %y = cma.gelu %x : tensor<8x4xf32>
    %z = cma.gelu %x approximate(tanh) : tensor<8x4xf32>
    ```
  }];
  let arguments = (ins CMA_FloatTensor:$input,
    DefaultValuedAttr<CMA_GeluApproximationAttr,
                      "::cma::GeluApproximation::None">:$approximate);
  let assemblyFormat = [{
    $input (`approximate` `` custom<Approximation>($approximate)^)? attr-dict `:`
    type($input)
  }];
}

def CMA_GeluGradOp : CMA_Op<"gelu_grad", [Pure, SameOperandsAndResultType]> {
  let summary = "Gradient of gelu";
  let description = [{
    The product of the cotangent and gelu's derivative at the input, in one op,
    since both share the exponential.

    ```mlir
    %dx = cma.gelu_grad %x, %dy approximate(tanh) : tensor<8x4xf32>
    ```
  }];
  let arguments = (ins CMA_FloatTensor:$input, CMA_FloatTensor:$cotangent,
    DefaultValuedAttr<CMA_GeluApproximationAttr,
                      "::cma::GeluApproximation::None">:$approximate);
  let results = (outs CMA_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $cotangent (`approximate` `` custom<Approximation>($approximate)^)?
    attr-dict `:` type($input)
  }];
}

def CMA_SoftmaxOp : CMA_UnaryOp<"softmax"> {
  let summary = "Softmax over the last axis";
  let description = [{
    exp(x - max x) / sum exp(x - max x) along the last axis.

    ```mlir
    %y = cma.softmax %x : tensor<8x4xf32>
    ```

    Constraint `softmax_c1`: the input has at least one axis.
  }];
  let hasVerifier = 1;
}

def CMA_LayerNormOp : CMA_Op<"layer_norm", [
    Pure, AttrSizedOperandSegments, AllTypesMatch<["input", "result"]>,
    DeclareOpInterfaceMethods<DifferentiableOpInterface>]> {
  let summary = "Normalise the last axis to mean 0 and variance 1";
  let description = [{
    (x - mean) / sqrt(variance + epsilon) along the last axis, times `scale` and
    plus `shift` where given. The variance is the mean of the squared deviations.

    ```mlir
    %y = cma.layer_norm %x scale(%g) shift(%b) {epsilon = 1.0e-5 : f64}
        : tensor<8x4xf32> scale(tensor<4xf32>) shift(tensor<4xf32>)
    ```

    Constraints:
    * `layer_norm_c1`: the input has at least one axis.
    * `layer_norm_c2`: `scale` and `shift` have one axis, of the input's last
      extent, and the input's element type.
    * `layer_norm_c3`: `epsilon` is finite and not negative.
  }];
  let arguments = (ins CMA_FloatTensor:$input,
    Optional<CMA_FloatTensor>:$scale, Optional<CMA_FloatTensor>:$shift,
    DefaultValuedAttr<F64Attr, "1.0e-5">:$epsilon);
  let results = (outs CMA_FloatTensor:$result);
  let assemblyFormat = [{
    $input (`scale` `(` $scale^ `)`)? (`shift` `(` $shift^ `)`)? attr-dict `:`
    type($input) (`scale` `(` type($scale)^ `)`)?
    (`shift` `(` type($shift)^ `)`)?
  }];
  let hasVerifier = 1;
}

def CMA_LayerNormGradOp
    : CMA_Op<"layer_norm_grad", [Pure, SameOperandsAndResultType]> {
  let summary = "Gradient of layer_norm without scale and shift";
  let description = [{
    With h the normalised input and v the variance along the last axis:
    (dy - mean(dy) - h mean(dy h)) / sqrt(v + epsilon). One op, since forming it
    from the parts reads the input four times and cancels badly.

    ```mlir
    %dx = cma.layer_norm_grad %x, %dy {epsilon = 1.0e-5 : f64} : tensor<8x4xf32>
    ```

    Constraints: `layer_norm_grad_c1`: the input has at least one axis;
    `layer_norm_grad_c2`: `epsilon` is finite and not negative.
  }];
  let arguments = (ins CMA_FloatTensor:$input, CMA_FloatTensor:$cotangent,
                       DefaultValuedAttr<F64Attr, "1.0e-5">:$epsilon);
  let results = (outs CMA_FloatTensor:$result);
  let assemblyFormat = "$input `,` $cotangent attr-dict `:` type($input)";
  let hasVerifier = 1;
}

def CMA_MSEOp : CMA_Op<"mse", [
    Pure, AllTypesMatch<["prediction", "target"]>,
    DeclareOpInterfaceMethods<DifferentiableOpInterface>]> {
  let summary = "Mean squared error";
  let description = [{
    The mean over all elements of (prediction - target)^2; 0 where there are no
    elements.

    ```mlir
    %loss = cma.mse %p, %t : tensor<8x4xf32> -> tensor<f32>
    ```

    Constraint `mse_c1`: the result has the operands' element type.
  }];
  let arguments = (ins CMA_WideFloatTensor:$prediction,
                       CMA_WideFloatTensor:$target);
  let results = (outs CMA_ScalarWideFloatTensor:$loss);
  let assemblyFormat = [{
    $prediction `,` $target attr-dict `:` type($prediction) `->` type($loss)
  }];
  let hasVerifier = 1;
}

def CMA_CrossEntropyOp : CMA_Op<"cross_entropy", [
    Pure, DeclareOpInterfaceMethods<DifferentiableOpInterface>]> {
  let summary = "Cross entropy of integer labels";
  let description = [{
    The mean over the counted rows of log(sum exp(logits)) - logits[label], along
    the last axis. A row whose label is `ignore_index` is not counted; where no
    row counts, the loss and its gradient are 0. A label outside
    0 ... classes - 1 that is not `ignore_index` stops the call before anything
    is written.

    ```mlir
    %loss = cma.cross_entropy %logits, %labels {ignore_index = -100 : i64}
        : tensor<8x10xf32>, tensor<8xi64> -> tensor<f32>
    ```

    Constraints:
    * `cross_entropy_c1`: the logits have at least one axis.
    * `cross_entropy_c2`: the labels have the shape of the logits without the
      last axis.
    * `cross_entropy_c3`: the result has the logits' element type.
  }];
  let arguments = (ins CMA_WideFloatTensor:$logits, CMA_LabelTensor:$labels,
                       OptionalAttr<I64Attr>:$ignore_index);
  let results = (outs CMA_ScalarWideFloatTensor:$loss);
  let assemblyFormat = [{
    $logits `,` $labels attr-dict `:` type($logits) `,` type($labels) `->`
    type($loss)
  }];
  let hasVerifier = 1;
}

def CMA_CrossEntropyGradOp : CMA_Op<"cross_entropy_grad", [
    Pure, AllTypesMatch<["logits", "result"]>]> {
  let summary = "Gradient of cross_entropy";
  let description = [{
    cotangent / counted rows * (softmax(logits) - onehot(label)) in counted rows,
    0 in the others.

    ```mlir
    %d = cma.cross_entropy_grad %logits, %labels, %cotangent
        : tensor<8x10xf32>, tensor<8xi64>, tensor<f32>
    ```

    Constraints:
    * `cross_entropy_grad_c1`: the logits have at least one axis.
    * `cross_entropy_grad_c2`: the labels have the shape of the logits without
      the last axis.
    * `cross_entropy_grad_c3`: the cotangent has the logits' element type.
  }];
  let arguments = (ins CMA_WideFloatTensor:$logits, CMA_LabelTensor:$labels,
                       CMA_ScalarWideFloatTensor:$cotangent,
                       OptionalAttr<I64Attr>:$ignore_index);
  let results = (outs CMA_WideFloatTensor:$result);
  let assemblyFormat = [{
    $logits `,` $labels `,` $cotangent attr-dict `:` type($logits) `,`
    type($labels) `,` type($cotangent)
  }];
  let hasVerifier = 1;
}

def CMA_LabelResource : Resource<"::cma::LabelCheckResource">;

def CMA_CheckLabelsOp : CMA_Op<"check_labels", [
    MemoryEffects<[MemWrite<CMA_LabelResource>]>]> {
  let summary = "Stop the call where a label is out of range";
  let description = [{
    Ends the call with a status that holds the lowest offending position where a
    label lies outside 0 ... num_classes - 1 and is not `ignore_index`. Made by
    `convert-cma-to-linalg` for the ops that index by label; everything after it
    may rely on the labels.

    ```mlir
    cma.check_labels %labels {num_classes = 10 : i64, argument = "label"}
        : tensor<8xi64>
    ```

    Constraint `check_labels_c1`: `num_classes` is not negative.
  }];
  let arguments = (ins
    AnyTypeOf<[CMA_LabelTensor, MemRefOf<[I32, I64]>]>:$labels,
    I64Attr:$num_classes, OptionalAttr<I64Attr>:$ignore_index,
    DefaultValuedAttr<StrAttr, "\"\"">:$argument);
  let assemblyFormat = "$labels attr-dict `:` type($labels)";
  let hasVerifier = 1;
}

#endif // CMA_DIALECT_CMA_IR_CMANNOPS_TD
