//===- Pipelines.h - From model to machine ----------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares CMA's pass pipelines and their options, for the tools and
// for a compiler that CMA is a part of.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_PIPELINES_PIPELINES_H
#define CMA_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace cma {

/// Options of `cma-train`; each is that of the pass it goes to.
struct TrainOptions : mlir::PassPipelineOptions<TrainOptions> {
  Option<int64_t> batch{*this, "batch",
                        llvm::cl::desc("Extent of the batch axis, at least 1"),
                        llvm::cl::init(1)};
  Option<std::string> function{
      *this, "function",
      llvm::cl::desc("The model (default: the only public function, else the "
                     "one with a loss)"),
      llvm::cl::init("")};
  Option<std::string> optimizer{*this, "optimizer",
                                llvm::cl::desc("sgd or adamw"),
                                llvm::cl::init("sgd")};
  Option<double> momentum{
      *this, "momentum",
      llvm::cl::desc("Momentum of sgd, at least 0 and below 1"),
      llvm::cl::init(0.0)};
  Option<double> beta1{*this, "beta1",
                       llvm::cl::desc("Decay of adamw's first moment, at least "
                                      "0 and below 1"),
                       llvm::cl::init(0.9)};
  Option<double> beta2{*this, "beta2",
                       llvm::cl::desc("Decay of adamw's second moment, at "
                                      "least 0 and below 1"),
                       llvm::cl::init(0.999)};
  Option<double> epsilon{
      *this, "epsilon",
      llvm::cl::desc("What adamw adds to the root of the second moment"),
      llvm::cl::init(1e-8)};
  Option<double> weightDecay{
      *this, "weight-decay",
      llvm::cl::desc("Decoupled weight decay, finite and at least 0"),
      llvm::cl::init(0.0)};
  Option<std::string> lossScale{
      *this, "loss-scale",
      llvm::cl::desc("none, static:VALUE, or dynamic, pytorch, keras, megatron "
                     "or deepspeed, which may be followed by :KEY=VALUE,..."),
      llvm::cl::init("none")};
  Option<double> clip{
      *this, "clip",
      llvm::cl::desc("Largest norm of all gradients together; 0: any"),
      llvm::cl::init(0.0)};
  Option<int64_t> accumulate{
      *this, "accumulate",
      llvm::cl::desc("Parts of a batch whose gradients are summed before an "
                     "update"),
      llvm::cl::init(1)};
  Option<std::string> objective{
      *this, "objective",
      llvm::cl::desc("What contraction orders minimise: time, flops, mults or "
                     "peak"),
      llvm::cl::init("time")};
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("Machine of the planner's time model: cpu, sm_75, sm_80, "
                     "sm_89, sm_90 or sm_100"),
      llvm::cl::init("cpu")};
  Option<std::string> report{
      *this, "report",
      llvm::cl::desc("File to write the planner's JSON report to"),
      llvm::cl::init("")};
  Option<std::string> precision{
      *this, "precision",
      llvm::cl::desc("Low type that the step may compute in: f32 (none), tf32, "
                     "f16 or bf16"),
      llvm::cl::init("f32")};
  Option<std::string> precisionSolver{
      *this, "precision-solver",
      llvm::cl::desc(
          "How the precision of ops that follow is decided: mincut or "
          "lists"),
      llvm::cl::init("mincut")};
  Option<std::string> precisionReport{
      *this, "precision-report",
      llvm::cl::desc("File to write the JSON report on precisions to"),
      llvm::cl::init("")};
  Option<std::string> castReport{
      *this, "cast-report",
      llvm::cl::desc("File to write the JSON report on casts to"),
      llvm::cl::init("")};
};

/// From a model to its training step `@<name>_step`, at the level of the cma
/// dialect: specialise, expand layers, plan contractions, differentiate, build
/// the step, assign precisions and insert casts.
void buildTrainPipeline(mlir::OpPassManager &pm, const TrainOptions &options);

/// Options of `cma-to-cpu`.
struct ToCPUOptions : mlir::PassPipelineOptions<ToCPUOptions> {
  Option<bool> fuse{*this, "fuse",
                    llvm::cl::desc("Fuse elementwise ops and batch loops"),
                    llvm::cl::init(true)};
  Option<bool> vectorize{
      *this, "vectorize",
      llvm::cl::desc("Tile for registers and vectorise; without it every op "
                     "becomes a plain loop nest"),
      llvm::cl::init(true)};
  Option<bool> threads{
      *this, "threads",
      llvm::cl::desc("Run parallel loops on the threads of OpenMP"),
      llvm::cl::init(true)};
  Option<bool> f16Instructions{
      *this, "f16-instructions",
      llvm::cl::desc("The target converts between f16 and f32 (F16C, AVX-512, "
                     "AArch64)"),
      llvm::cl::init(true)};
  Option<bool> approximateMath{
      *this, "approximate-math",
      llvm::cl::desc("Compute exp, tanh, erf and log of f32 by polynomials "
                     "(at most 5 ulp off) instead of libm"),
      llvm::cl::init(true)};
};

/// From a module of static shapes, at the level of the cma dialect (layers are
/// expanded and contractions planned where they are not) or of linalg on
/// tensors, to the LLVM dialect with one `cma_entry_<name>` per public function
/// (cma/Runtime/Entry.h).
void buildToCPUPipeline(mlir::OpPassManager &pm, const ToCPUOptions &options);

} // namespace cma

#endif // CMA_PIPELINES_PIPELINES_H
