//===- Passes.td - Passes on the CMA dialect ---------------*- tablegen -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the passes on the CMA dialect, in the order in which a
// training pipeline runs them.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_TRANSFORMS_PASSES_TD
#define CMA_DIALECT_CMA_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CMASpecializePass : Pass<"cma-specialize", "::mlir::ModuleOp"> {
  let summary = "Give the batch axis an extent and inline private calls";
  let description = [{
    Replaces every `?` by `batch`. A `?` may only be the first axis of an
    argument; the types of all values that depend on it follow, also a `?` that
    an op introduces itself (a new label of `cma.broadcast`, for example). Calls
    are inlined first, and private functions that nothing calls any longer are
    erased. Names, roles, inits and updates stay.

    ```mlir
    func.func @model(%x: tensor<?x6xf32>, %w: tensor<6x4xf32>)
        -> tensor<?x4xf32> {
      %y = cma.linear %x, %w
          : tensor<?x6xf32>, tensor<6x4xf32> -> tensor<?x4xf32>
      return %y : tensor<?x4xf32>
    }
    ```
    becomes with `batch=32`
    ```mlir
    func.func @model(%x: tensor<32x6xf32>, %w: tensor<6x4xf32>)
        -> tensor<32x4xf32> {
      %y = cma.linear %x, %w
          : tensor<32x6xf32>, tensor<6x4xf32> -> tensor<32x4xf32>
      return %y : tensor<32x4xf32>
    }
    ```

    Refused: a `?` elsewhere than on the first axis of an argument, a call that
    is recursive or whose callee has no body, an op whose shape cannot be told.
  }];
  let options = [
    Option<"batch", "batch", "int64_t", /*default=*/"1",
           "Extent of the batch axis, at least 1">,
    Option<"function", "function", "std::string", /*default=*/"\"\"",
           "The function to specialise (default: every public one)">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def CMACreateMastersPass : Pass<"cma-create-masters", "::mlir::ModuleOp"> {
  let summary = "Keep parameters that are declared below f32 in f32";
  let description = [{
    Makes a parameter that is declared in f16, bf16 or f8 an f32 argument, the
    master, of which a cast at the entry has the declared type: an optimizer's
    steps are smaller than what the narrow type resolves. A function that another
    one calls stays as it is.

    ```mlir
    func.func @f(%x: tensor<8x4xf16>, %w: tensor<4x4xf16> {cma.name = "w",
        cma.role = "parameter"}) -> tensor<8x4xf16> {
      %y = cma.linear %x, %w
          : tensor<8x4xf16>, tensor<4x4xf16> -> tensor<8x4xf16>
      return %y : tensor<8x4xf16>
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: tensor<8x4xf16>, %w: tensor<4x4xf32> {cma.name = "w",
        cma.role = "parameter"}) -> tensor<8x4xf16> {
      %0 = cma.cast %w : tensor<4x4xf32> to tensor<4x4xf16>
      %y = cma.linear %x, %0
          : tensor<8x4xf16>, tensor<4x4xf16> -> tensor<8x4xf16>
      return %y : tensor<8x4xf16>
    }
    ```
  }];
  let dependentDialects = ["::cma::CMADialect"];
}

def CMAExpandLayersPass : Pass<"cma-expand-layers"> {
  let summary = "Rewrite linear layers as contractions";
  let description = [{
    Replaces every op with `LayerOpInterface` by one n-ary `cma.contract` of the
    input and all weights, reshapes, and the addition of the bias. The planner
    then sees the whole network. Needs static shapes (`cma-specialize`).

    ```mlir
    %y = cma.low_rank_linear %x, %u, %v
        : tensor<32x6xf32>, tensor<6x2xf32>, tensor<2x4xf32> -> tensor<32x4xf32>
    ```
    becomes
    ```mlir
    %y = cma.contract "ab,bc,cd->ad" (%x, %u, %v)
        : (tensor<32x6xf32>, tensor<6x2xf32>, tensor<2x4xf32>)
        -> tensor<32x4xf32>
    ```

    A rank above its useful cap (the smaller of the extents that the bond
    separates) is a warning: the layer is right, but holds more weights than a
    smaller rank needs to express the same matrix.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def CMAPlanContractionsPass
    : Pass<"cma-plan-contractions", "::mlir::ModuleOp"> {
  let summary = "Choose the order of contractions, for forward and backward together";
  let description = [{
    Replaces every `cma.contract` by steps of one or two operands that carry
    `planned`. The order has the smallest `objective` for all wanted targets
    together: the result and the gradients of operands are computed from one tree,
    whose steps `cma-differentiate` then reuses.

    ```mlir
    %y = cma.contract "bi,ij,jk->bk" (%x, %w, %v)
        : (tensor<8x4xf32>, tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<8x6xf32>
    ```
    becomes, with `wanted=result`,
    ```mlir
    %0 = cma.contract "bi,ij->bj" (%x, %w) {planned}
        : (tensor<8x4xf32>, tensor<4x5xf32>) -> tensor<8x5xf32>
    %y = cma.contract "bj,jk->bk" (%0, %v) {planned}
        : (tensor<8x5xf32>, tensor<5x6xf32>) -> tensor<8x6xf32>
    ```

    A contraction whose only use is another contraction of the same block becomes
    part of that network (`flatten`); operands are then numbered depth first, left
    to right. A contraction with `path` is a network of its own in the order that
    `path` gives, and steps with `planned` are left alone, so that planning twice
    equals planning once. Shapes must be static (`cma-specialize`).

    Up to `max-exact` operands the order is the best of all, outer products and
    sums of single operands included; up to 20 the search leaves out outer
    products, and beyond it is greedy with repeated improvement of parts.
    `objective=time` is a roofline model of `target`; `peak` counts the elements of
    results alive at once.

    `report` writes a JSON file, whole or not at all:
    `{"networks": [{...}, ...]}`, networks in module order, each with

    | member | meaning |
    |---|---|
    | `function`, `name` | where; `cma.name` of the op, else `<function>/<n>` |
    | `equation`, `sizes` | after flattening, operands in order of use |
    | `objective`, `wanted` | the latter a list such as `["result", 0, 2]` |
    | `path` | the order in opt_einsum's linear form; a step of one position sums every label that only that operand has. `[]` or `[[0]]` for one operand |
    | `mults`, `flops` | of the result: the product of the extents of a step's operands, diagonals free; `flops` counts a step twice where it sums a label |
    | `step_mults` | multiplications of all wanted targets together |
    | `largest_intermediate` | elements, the result included |
    | `peak` | most elements of results alive at once, inputs not counted |
    | `naive_mults`, `left_to_right_mults` | of one loop nest over all labels; of `[0, 1]` first, then the running result with the next operand |
    | `lower_bound`, `proved_optimal` | what the objective's value for all wanted targets cannot be below (picoseconds for `time`); whether it is that |
    | `saved_bytes` | intermediates that wanted gradients read |
    | `saturated` | whether a count goes beyond 2^128 - 1 and stays there |
    | `search_ms` | time of the search, the only member that differs between runs |
  }];
  let options = [
    Option<"objective", "objective", "std::string", /*default=*/"\"time\"",
           "What to minimise: time, flops, mults or peak">,
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "Machine of the time model: cpu, sm_75, sm_80, sm_89, sm_90 or sm_100">,
    Option<"computeType", "compute-type", "std::string", /*default=*/"\"\"",
           "Element type to plan for in place of the operands' own: f64, f32, "
           "tf32, f16, bf16, f8E4M3FN or f8E5M2">,
    Option<"wanted", "wanted", "std::string", /*default=*/"\"auto\"",
           "Targets: all, or a comma list of result and operand numbers, for "
           "every network; auto is the result, and every operand that depends on "
           "a parameter">,
    Option<"maxExact", "max-exact", "int64_t", /*default=*/"14",
           "Most operands of networks that are solved exactly, from 1 to 20">,
    Option<"flatten", "flatten", "bool", /*default=*/"true",
           "Plan a contraction together with those that only it uses">,
    Option<"seed", "seed", "int64_t", /*default=*/"0",
           "Of the noise in the search for large networks">,
    Option<"report", "report", "std::string", /*default=*/"\"\"",
           "File to write the JSON report to">,
  ];
}

def CMADifferentiatePass : Pass<"cma-differentiate", "::mlir::ModuleOp"> {
  let summary = "Build the backward function by reverse mode";
  let description = [{
    For function `@f` makes `@f_backward`, which takes the arguments of `@f` and
    the cotangent of the differentiated result, and returns the results of `@f`
    and one gradient a wanted argument, in argument order. Forward and reverse
    are one function, so that what forward computes is used again. `@f` stays.

    The differentiated result is the one of role "loss", else the only
    floating-point result. Wanted are by default the arguments of role
    "parameter", else all floating-point arguments. An argument on which the
    result does not depend has a gradient of zeros.

    ```mlir
    func.func @f(%x: tensor<8x6xf32>, %w: tensor<6x4xf32> {cma.name = "w",
        cma.role = "parameter"}) -> tensor<8x4xf32> {
      %y = cma.contract "bi,ij->bj" (%x, %w) {planned}
          : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
      return %y : tensor<8x4xf32>
    }
    ```
    adds
    ```mlir
    func.func @f_backward(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>
        {cma.name = "w", cma.role = "parameter"}, %dy: tensor<8x4xf32>
        {cma.name = "cotangent", cma.role = "cotangent"}) -> (tensor<8x4xf32>,
        tensor<6x4xf32> {cma.gradient = "w", cma.role = "gradient"}) {
      %y = cma.contract "bi,ij->bj" (%x, %w) {planned}
          : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
      %dw = cma.contract "bi,bj->ij" (%x, %dy) {planned}
          : (tensor<8x6xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
      return %y, %dw : tensor<8x4xf32>, tensor<6x4xf32>
    }
    ```

    Each op gives its own vector-Jacobian product through
    `DifferentiableOpInterface`; `arith`, `math` and `tensor` ops have external
    models. A chain of N pairwise contractions so costs 3 N contractions. Sums
    of cotangents are formed in the order of the sweep, and zeros only where a
    result needs them.

    `scf.for` with a constant trip count is differentiated by a loop in reverse:
    the forward loop stacks the values that enter each iteration along a new
    leading axis, as far as the reverse reads them, and the reverse loop computes
    each iteration anew from them.

    Refused: layers and contractions of three or more operands (expand and plan
    first), `?` (specialise first), an op without a derivative between a wanted
    argument and the result.
  }];
  let options = [
    Option<"function", "function", "std::string", /*default=*/"\"\"",
           "The function to differentiate (default: the only public one, else "
           "the one with a loss)">,
    ListOption<"wanted", "wanted", "std::string",
               "Arguments, by name or position, whose gradients are wanted "
               "(default: parameters, else all floating-point arguments)">
  ];
  let dependentDialects = ["::cma::CMADialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def CMABuildTrainStepPass : Pass<"cma-build-train-step", "::mlir::ModuleOp"> {
  let summary = "Build the training step from the backward function";
  let description = [{
    For a model `@f` with `@f_backward` makes `@f_step`, pure in its values:

    ```
    @f_step(parameters..., state..., data..., lr: tensor<f32>, step: tensor<i64>)
        -> (parameters..., state..., loss, logits..., metrics...)
    ```

    The backward function is inlined with a cotangent of 1, and every parameter
    is updated by `cma.sgd` or `cma.adamw`. A result that updates an argument
    carries `cma.updates` with its name. The optimizer's buffers are arguments of
    role "state" behind the model's own state, which start at zero:
    `<parameter>.momentum`, or `<parameter>.first_moment` and `.second_moment`.
    Results of the model that carry `cma.updates` pass through; a state that the
    model does not update is an argument only. `step` counts the updates so far.
    The learning rate is f32, and is extended for parameters that are wider.

    ```mlir
    func.func @f_backward(%w: tensor<4xf32> {cma.name = "w", cma.role =
        "parameter"}, %dl: tensor<f32> {cma.role = "cotangent"})
        -> (tensor<f32> {cma.role = "loss"}, tensor<4xf32>
            {cma.gradient = "w", cma.role = "gradient"})
    ```
    becomes
    ```mlir
    func.func @f_step(%w: tensor<4xf32> {cma.name = "w", cma.role =
        "parameter"}, %lr: tensor<f32> {cma.name = "lr", cma.role = "lr"},
        %step: tensor<i64> {cma.name = "step", cma.role = "step"})
        -> (tensor<4xf32> {cma.updates = "w"}, tensor<f32> {cma.role = "loss"})
    ```

    With `loss-scale` the cotangent is the state `loss_scale`, and the step
    unscales the gradients and looks for overflow (`cma.unscale`), clips them
    (`clip`), updates parameters and all state but the scale unless there was
    overflow (`cma.guard`), and adapts the scale (`cma.update_loss_scale`), in
    this order. A dynamic scale has a counter `loss_scale.good_steps`, and
    `loss_scale.hysteresis` where it is above 1. The result of role "found_inf"
    says whether the update was skipped; who calls then leaves `step` as it is.
    `loss-scale` is one of

    | text | initial scale | interval | hysteresis | minimum | delay |
    |---|---|---|---|---|---|
    | `none` | | | | | |
    | `static:VALUE` | VALUE, for ever | | | | |
    | `dynamic`, `pytorch` | 65536 | 2000 | 1 | 2^-126 | 0 |
    | `keras` | 32768 | 2000 | 1 | 2^-126 | 0 |
    | `megatron` | 2^32 | 1000 | 2 | 1 | 0 |
    | `deepspeed` | 65536 | 1000 | 2 | 1 | 1 |

    A dynamic one may be followed by `:KEY=VALUE,...` with the keys init, growth
    (2), backoff (0.5), interval, min, max (2^127), hysteresis, refill (growth or
    good) and delay, which are the attributes of `cma.update_loss_scale`:
    `loss-scale=pytorch:init=1024,interval=200`. Where init, growth or backoff is
    no power of two, scaling rounds, which is a remark. A loss below f32 takes a
    scale only if its type holds each scale that may come.

    With `accumulate=N` above 1 there are two functions in the place of the step:

    ```
    @f_accumulate(parameters..., state..., sums..., loss_scale, data...)
        -> (state..., sums..., loss, logits..., metrics...)
    @f_apply(parameters..., buffers..., sums..., loss scale's state...,
             lr: tensor<f32>, step: tensor<i64>)
        -> (parameters..., buffers..., sums..., loss scale's state..., found_inf)
    ```

    `@f_accumulate` adds the gradients, with the cotangent divided by N, to the
    states `<parameter>.gradient`. After N calls `@f_apply` updates by the sums,
    and sets them to zero. Overflow in one of the N is seen there, and skips the
    whole update.

    The functions replace `@f` and `@f_backward`, unless something else uses
    them; other functions stay. The weight decay is the same for every parameter.
  }];
  let options = [
    Option<"function", "function", "std::string", /*default=*/"\"\"",
           "The model (default: the only one with a backward function)">,
    Option<"optimizer", "optimizer", "std::string", /*default=*/"\"sgd\"",
           "sgd or adamw">,
    Option<"momentum", "momentum", "double", /*default=*/"0.0",
           "Momentum of sgd, at least 0 and below 1">,
    Option<"beta1", "beta1", "double", /*default=*/"0.9",
           "Decay of adamw's first moment, at least 0 and below 1">,
    Option<"beta2", "beta2", "double", /*default=*/"0.999",
           "Decay of adamw's second moment, at least 0 and below 1">,
    Option<"epsilon", "epsilon", "double", /*default=*/"1e-8",
           "What adamw adds to the root of the second moment">,
    Option<"weightDecay", "weight-decay", "double", /*default=*/"0.0",
           "Decoupled weight decay, finite and at least 0">,
    Option<"lossScale", "loss-scale", "std::string", /*default=*/"\"none\"",
           "none, static:VALUE, or dynamic, pytorch, keras, megatron or "
           "deepspeed, which may be followed by :KEY=VALUE,...">,
    Option<"clip", "clip", "double", /*default=*/"0.0",
           "Largest norm of all gradients together; 0: any">,
    Option<"accumulate", "accumulate", "int64_t", /*default=*/"1",
           "Parts of a batch whose gradients are summed before an update">
  ];
  let dependentDialects = ["::cma::CMADialect", "::mlir::arith::ArithDialect"];
}

def CMARangeAnalysisPass : Pass<"cma-range-analysis", "::mlir::ModuleOp"> {
  let summary = "Bound the values of functions";
  let description = [{
    Computes an interval for every float from bounds on the arguments: the option
    `ranges`, else `cma.range`. An interval holds for every execution on arguments
    within their bounds, whichever values are rounded to `low`. With `annotate`
    each op carries the bounds of its only float result as `cma.result_range`;
    nothing else changes.

    ```mlir
    func.func @f(%x: tensor<4xf32> {cma.range = #cma.range<-2.0, 3.0>})
        -> tensor<4xf32> {
      %y = arith.mulf %x, %x : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    ```
    becomes with `annotate`
    ```mlir
    func.func @f(%x: tensor<4xf32> {cma.range = #cma.range<-2.0, 3.0>})
        -> tensor<4xf32> {
      %y = arith.mulf %x, %x {cma.result_range = #cma.range<-6.0, 9.0>} : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    ```

    `report` writes a JSON file, whole or not at all: for each function, for each
    value its bounds (null where there are none) and whether it is proved to fit
    `low`; for those that are not, why; and `loss_scale`, the largest power of two
    for which every value that depends on the loss's cotangent (the argument of
    role "cotangent", or the state `loss_scale`) is proved to fit.
  }];
  let options = [
    Option<"low", "low", "std::string", /*default=*/"\"f16\"",
           "Type that values may be rounded to: f32, f16, bf16, f8E4M3FN or "
           "f8E5M2">,
    ListOption<"argumentRanges", "ranges", "std::string",
               "Bounds of arguments, as <name>:<low>:<high>">,
    Option<"annotate", "annotate", "bool", /*default=*/"false",
           "Write bounds to the ops">,
    Option<"report", "report", "std::string", /*default=*/"\"\"",
           "File to write the JSON report to">
  ];
  let dependentDialects = ["::cma::CMADialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def CMAAssignPrecisionPass
    : Pass<"cma-assign-precision", "::mlir::ModuleOp"> {
  let summary = "Decide which op runs in which precision";
  let description = [{
    Puts `cma.precision` on every op that reads or writes tensors of floats. Only
    f32 is lowered, to the type that the policy names; arguments and results of
    functions keep their types. An annotation that an op has already is kept, so
    that running the pass twice equals running it once.

    ```mlir
    func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>, %l: tensor<8xi64>)
        -> tensor<f32> {
      %h = cma.contract "bi,ij->bj" (%x, %w) {planned}
          : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
      %y = cma.relu %h : tensor<8x4xf32>
      %z = cma.contract "bi,ij->bj" (%y, %w) {planned}
          : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
      %loss = cma.cross_entropy %z, %l
          : tensor<8x4xf32>, tensor<8xi64> -> tensor<f32>
      return %loss : tensor<f32>
    }
    ```
    becomes with `policy=f16`
    ```mlir
    func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>, %l: tensor<8xi64>)
        -> tensor<f32> {
      %h = cma.contract "bi,ij->bj" (%x, %w) {cma.precision = #cma.precision<f16>,
          planned} : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
      %y = cma.relu %h {cma.precision = #cma.precision<f16>} : tensor<8x4xf32>
      %z = cma.contract "bi,ij->bj" (%y, %w) {cma.precision =
          #cma.precision<f16, result = f32>, planned}
          : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
      %loss = cma.cross_entropy %z, %l {cma.precision = #cma.precision<f32>}
          : tensor<8x4xf32>, tensor<8xi64> -> tensor<f32>
      return %loss : tensor<f32>
    }
    ```

    Contractions of two operands read the low type and sum in f32. Losses,
    optimizers, conversions of integers and ops on scalars stay in f32, as do,
    unless the low type is bf16, exp, log, pow, rsqrt and the like, except where
    their range is proved to fit. All other ops follow: `solver=mincut` chooses the
    types that need the fewest bytes of casts (written once for each value and
    type), among those the fewest casts, among those the fewest bytes of values;
    `solver=lists` computes in f32 where an operand is f32, as autocast does. The
    result of a contraction has its own type. Carried values of `scf.for` have one
    type, which is f32 where the body adds to them, and f64 where it was; where
    those of one loop differ, `cma.result_types` lists them.

    `allow`, `deny` and `follow` change the class of ops: `cma.gelu` or
    `+cma.gelu` puts an op into the list, `-cma.gelu` takes it out (into `deny`;
    out of `deny` into `follow`). With `policy=custom` all ops stay in f32 but
    those that `allow` and `follow` list, and `type` names the low type.

    Instructions for f8 sum 32 products at a time. With a `target` that has them, a
    contraction of which 32 does not divide the number of products it sums, as over
    a rank of 8, reads bf16 instead and gives f32. Grouped with other labels it may
    read f8.

    Bounds of the arguments (`ranges`, `cma.range`) show where a value would
    overflow the low type: such an op, or such a result of a contraction, stays in
    f32. With `require-proof` all do but those that are proved to fit.

    `report` writes a JSON file, whole or not at all: in `functions` for each
    `function` its `values`, each with `value`, `op`, `operand_type`, `type` and
    `reason`, which is `class`, `list`, `range`, `cost`, `shape` or `user`. Each
    decision is a remark, too, of the category `cma-assign-precision`.
  }];
  let options = [
    Option<"policy", "policy", "std::string", /*default=*/"\"f32\"",
           "Low type: f32 (nothing is lowered), tf32, f16, bf16, or custom">,
    Option<"type", "type", "std::string", /*default=*/"\"\"",
           "Low type of the policy custom: tf32, f16, bf16, f8E4M3FN or f8E5M2">,
    Option<"solver", "solver", "std::string", /*default=*/"\"mincut\"",
           "How ops that follow are decided: mincut or lists">,
    ListOption<"allow", "allow", "std::string",
               "Ops that read the low type, by name; '-' before a name removes it">,
    ListOption<"deny", "deny", "std::string",
               "Ops that stay in f32, by name; '-' before a name removes it">,
    ListOption<"follow", "follow", "std::string",
               "Ops that follow, by name; '-' before a name removes it">,
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "Machine that must have the low type: cpu, sm_75, sm_80, sm_89, sm_90 "
           "or sm_100">,
    ListOption<"argumentRanges", "ranges", "std::string",
               "Bounds of arguments, as <name>:<low>:<high>">,
    Option<"requireProof", "require-proof", "bool", /*default=*/"false",
           "Lower only what is proved not to overflow">,
    Option<"report", "report", "std::string", /*default=*/"\"\"",
           "File to write the JSON report to">
  ];
  let dependentDialects = ["::cma::CMADialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def CMAInsertCastsPass : Pass<"cma-insert-casts", "::mlir::ModuleOp"> {
  let summary = "Make precisions real: casts, masters and weight views";
  let description = [{
    Gives every value the type that `cma.precision` asks for, with one `cma.cast`
    for each value and type behind its definition, which all users share. The
    attribute then disappears; what differs from the default stays as the
    attribute `accumulate` of a contraction.

    ```mlir
    func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>) -> tensor<8x4xf32> {
      %y = cma.contract "bi,ij->bj" (%x, %w) {cma.precision =
          #cma.precision<f16>, planned}
          : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
      return %y : tensor<8x4xf32>
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>) -> tensor<8x4xf32> {
      %0 = cma.cast %x : tensor<8x4xf32> to tensor<8x4xf16>
      %1 = cma.cast %w : tensor<4x4xf32> to tensor<4x4xf16>
      %y = cma.contract "bi,ij->bj" (%0, %1) {planned}
          : (tensor<8x4xf16>, tensor<4x4xf16>) -> tensor<8x4xf16>
      %2 = cma.cast %y : tensor<8x4xf16> to tensor<8x4xf32>
      return %2 : tensor<8x4xf32>
    }
    ```

    A cast of a parameter is its weight view: it stands at the entry and is made
    once for each step. A parameter declared in a type below f32 becomes an f32
    argument, the master, of which the declared type is a view. Constants are
    written in the type that their use asks for. Function signatures otherwise
    keep their types. Refused: a function in which an op on tensors of floats has
    no precision.

    `report` writes a JSON file, whole or not at all: for each function the casts
    (value, types, bytes written), their number and bytes, the bytes of masters,
    of weight views and of saved activations (what the loss depends on and
    something beside it reads), the latter two also in f32.
  }];
  let options = [
    Option<"report", "report", "std::string", /*default=*/"\"\"",
           "File to write the JSON report to">
  ];
  let dependentDialects = ["::cma::CMADialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def CMAVerifyPrecisionPass
    : Pass<"cma-verify-precision", "::mlir::ModuleOp"> {
  let summary = "Check the invariants of mixed precision";
  let description = [{
    Fails where a module breaks one of these, which have numbers as constraints
    do; nothing changes:

    * `verify_precision_c1`: a contraction accumulates in f32 or wider.
    * `verify_precision_c2`: an op that may only be f32 or wider has no operand
      and no result below.
    * `verify_precision_c3`: an annotation lowers only f32; f64 stays.
    * `verify_precision_c4`: a block has one cast for each value, type and
      rounding, and no cast that changes nothing.
    * `verify_precision_c5`: parameters are f32 or wider, as are, by their ops,
      what an optimizer reads and keeps.
    * `verify_precision_c6`: with `target`, no op computes in a type that the
      target lacks; with `legalized`, none computes in f8 or reads tf32.
    * `verify_precision_c7`: no value is computed twice in different types from
      the same values.
    * `verify_precision_c8`: a value that a loop adds to is carried in f32 or
      wider.
    * `verify_precision_c9`: annotations are complete: where one op has a
      precision, all have.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "Machine whose types are legal: cpu, sm_75, sm_80, sm_89, sm_90 or "
           "sm_100">,
    Option<"legalized", "legalized", "bool", /*default=*/"false",
           "Whether cma-legalize-floats has run">
  ];
  let dependentDialects = ["::cma::CMADialect"];
}

def CMAVerifyScalesPass
    : Pass<"cma-verify-scales", "::mlir::func::FuncOp"> {
  let summary = "Prove that each loss scale is undone once";
  let description = [{
    Changes nothing. Follows the scales that `cma.unscale` takes away, and those
    that `cma.scaled_by` of an argument names, through all ops: products add
    powers, quotients subtract them, sums, choices and comparisons need operands
    of one scale, and zeros have any. An error names the values where

    * values of different scale are added, compared or chosen from,
    * `cma.unscale` gets a value that does not have its scale, because it was
      never scaled, or is unscaled already,
    * a value with a scale reaches an optimizer, clipping, or state whose argument
      has another scale.

    What is not linear in a value with a scale, such as its exponential, has an
    unknown scale, which agrees with no other: it may only be returned.

    ```mlir
    %u, %found_inf = cma.unscale %scale (%g) : tensor<f32>, tensor<4xf32>
    %sum = arith.addf %u, %g : tensor<4xf32>
    ```
    is the error `expected values of one loss scale, got '%unscaled' with no scale
    and '%g' with the scale '%scale'`.
  }];
}

def CMARetypePass : Pass<"cma-retype", "::mlir::ModuleOp"> {
  let summary = "Change a floating-point type everywhere";
  let description = [{
    Changes the element type `from` into `to` in every function: arguments,
    results, values and constants, whose values are rounded to the new type.
    Other types stay. With `from=f32 to=f64` any model can so be checked in
    double precision.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %c = arith.constant dense<0.5> : tensor<4xf32>
      %y = arith.mulf %x, %c : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: tensor<4xf64>) -> tensor<4xf64> {
      %c = arith.constant dense<0.5> : tensor<4xf64>
      %y = arith.mulf %x, %c : tensor<4xf64>
      return %y : tensor<4xf64>
    }
    ```

    A conversion between two types that are now equal disappears. Attributes
    that are numbers and not values (`epsilon`, `momentum`) stay. Refused: a type
    other than numbers, tensors, vectors, memrefs and functions that holds
    `from`.
  }];
  let options = [
    Option<"from", "from", "std::string", /*default=*/"\"f32\"",
           "Type to replace: f32 or f64">,
    Option<"to", "to", "std::string", /*default=*/"\"f64\"",
           "Type to put in its place: f32 or f64">
  ];
}

#endif // CMA_DIALECT_CMA_TRANSFORMS_PASSES_TD
