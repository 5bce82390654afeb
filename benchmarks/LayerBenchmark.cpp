//===- LayerBenchmark.cpp - Compiled layers against OpenBLAS --------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file times CoMERA's two tensor-train layers, forward and forward with
// all gradients, against (a) OpenBLAS calls in the same contraction order and
// (b) the dense layer in OpenBLAS. Before a layer is timed its results are
// compared with (a). The same layers with everything stored in f16 and bf16 are
// timed against the f32 form. The multiply-add peak of the machine is measured
// in the same run. benchmarks/run.py runs it for one and two threads and prints
// the ratios.
//
//===----------------------------------------------------------------------===//

#include "GemmSequence.h"
#include "MultiplyAddPeak.h"

#include "cma/Dialect/CMA/Transforms/Passes.h"
#include "cma/ExecutionEngine/CompiledModule.h"
#include "cma/ExecutionEngine/OpenMPRuntime.h"
#include "cma/Pipelines/Registration.h"
#include "cma/Runtime/AlignedBuffer.h"
#include "cma/Runtime/StorageType.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <benchmark/benchmark.h>
#include <cblas.h>
#include <cmath>
#include <random>

using namespace mlir;
using namespace cma;

namespace {

struct LayerShape {
  const char *name;
  std::vector<int64_t> inModes, outModes, ranks;

  static int64_t product(ArrayRef<int64_t> modes) {
    int64_t p = 1;
    for (int64_t mode : modes)
      p *= mode;
    return p;
  }
  int64_t in() const { return product(inModes); }
  int64_t out() const { return product(outModes); }
};

/// Modes and ranks of the released six-encoder CoMERA model.
const LayerShape kLayers[] = {
    {"768x768", {12, 8, 8}, {8, 8, 12}, {1, 12, 30, 30, 30, 12, 1}},
    {"768x3072", {12, 8, 8}, {12, 16, 16}, {1, 12, 30, 30, 30, 16, 1}},
};

[[noreturn]] void fail(const Twine &what) {
  llvm::errs() << "layer-benchmark: " << what << "\n";
  std::exit(1);
}

/// The layer as a function of its input and cores, in the dialect; all of them
/// have elements of type `element`.
std::string writeLayer(const LayerShape &layer, int64_t tokens,
                       StringRef element) {
  std::string arguments, inNames, outNames, inTypes, outTypes;
  size_t modes = layer.inModes.size();
  for (size_t k = 0; k + 1 < layer.ranks.size(); ++k) {
    bool input = k < modes;
    int64_t mode = input ? layer.inModes[k] : layer.outModes[k - modes];
    std::string type = "tensor<" + std::to_string(layer.ranks[k]) + "x" +
                       std::to_string(mode) + "x" +
                       std::to_string(layer.ranks[k + 1]) + "x" +
                       element.str() + ">";
    std::string name = "g" + std::to_string(k);
    arguments += ", %" + name + ": " + type + " {cma.role = \"parameter\", " +
                 "cma.name = \"" + name + "\"}";
    std::string &names = input ? inNames : outNames;
    std::string &types = input ? inTypes : outTypes;
    names += (names.empty() ? "%" : ", %") + name;
    types += (types.empty() ? "" : ", ") + type;
  }
  auto matrix = [&](int64_t features) {
    return "tensor<" + std::to_string(tokens) + "x" + std::to_string(features) +
           "x" + element.str() + ">";
  };
  return "func.func @layer(%x: " + matrix(layer.in()) +
         " {cma.role = \"data\", cma.name = \"x\"}" + arguments + ") -> " +
         matrix(layer.out()) + " {\n  %y = cma.tt_linear %x, (" + inNames +
         "), (" + outNames + ") : " + matrix(layer.in()) + ", (" + inTypes +
         "), (" + outTypes + ") -> " + matrix(layer.out()) +
         "\n  return %y : " + matrix(layer.out()) + "\n}\n";
}

void runPipeline(ModuleOp module, StringRef pipeline) {
  PassManager manager = PassManager::on<ModuleOp>(module.getContext());
  if (failed(parsePassPipeline(pipeline, manager)) ||
      failed(manager.run(module)))
    fail("pipeline failed: " + pipeline);
}

StringRef getFunction(bool backward) {
  return backward ? "layer_backward" : "layer";
}

/// The layer as planned contractions, forward or with all gradients.
OwningOpRef<ModuleOp> buildLayer(MLIRContext &context, const LayerShape &shape,
                                 int64_t tokens, bool backward,
                                 StringRef element) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(writeLayer(shape, tokens, element), &context);
  if (!module)
    fail("the layer does not parse");
  runPipeline(*module, backward
                           ? "cma-expand-layers,cma-plan-contractions{wanted="
                             "all},canonicalize,cse,cma-differentiate{wanted="
                             "x,g0,g1,g2,g3,g4,g5},canonicalize,cse"
                           : "cma-expand-layers,cma-plan-contractions{wanted="
                             "result},canonicalize,cse");
  return module;
}

AlignedBuffer allocate(int64_t bytes) {
  StatusOr<AlignedBuffer> buffer = AlignedBuffer::create(bytes);
  if (buffer.failed())
    fail(buffer.message());
  return std::move(*buffer);
}

/// Standard normal values, the same in every run.
AlignedBuffer makeData(int64_t count, unsigned seed, float scale) {
  AlignedBuffer buffer = allocate(count * sizeof(float));
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(0.0f, scale);
  for (int64_t i = 0; i < count; ++i)
    buffer.as<float>()[i] = normal(generator);
  return buffer;
}

/// A compiled function with its buffers.
class CompiledFunction {
public:
  void compile(ModuleOp module, StringRef name, ArrayRef<void *> arguments) {
    runPipeline(module, "cma-to-cpu");
    auto result = CompiledModule::create(module);
    if (!result)
      fail(llvm::toString(result.takeError()));
    compiled = std::move(*result);
    auto found = compiled->lookup(name);
    if (!found)
      fail(llvm::toString(found.takeError()));
    entry = *found;
    buffers.assign(arguments.begin(), arguments.end());
    for (int32_t i = entry->num_arguments; i < entry->num_buffers; ++i) {
      const cma_buffer_info &info = entry->buffers[i];
      outputs.push_back(allocate(getCount(info) *
                                 getElementSize(*getStorageType(info.dtype))));
      buffers.push_back(outputs.back().data());
    }
    workspace = allocate(entry->workspace_bytes);
  }

  void call() {
    cma_status status = {};
    if (entry->call(buffers.data(), workspace.data(), &status) != 0)
      fail("the compiled layer failed");
  }

  int32_t getNumResults() const { return entry->num_results; }
  void *getResult(int32_t i) const { return buffers[entry->result_buffers[i]]; }
  int64_t getResultSize(int32_t i) const {
    return getCount(entry->buffers[entry->result_buffers[i]]);
  }

private:
  static int64_t getCount(const cma_buffer_info &info) {
    return LayerShape::product({info.shape, size_t(info.rank)});
  }

  std::unique_ptr<CompiledModule> compiled;
  const cma_entry *entry = nullptr;
  std::vector<void *> buffers;
  std::vector<AlignedBuffer> outputs;
  AlignedBuffer workspace;
};

/// One layer, compiled by CMA and as BLAS calls, on the same inputs.
class LayerCase {
public:
  LayerCase(MLIRContext &context, const LayerShape &shape, int64_t tokens,
            bool backward)
      : shape(shape), tokens(tokens), backward(backward) {
    OwningOpRef<ModuleOp> module =
        buildLayer(context, shape, tokens, backward, "f32");
    auto func = module->lookupSymbol<func::FuncOp>(getFunction(backward));
    if (!func)
      fail("no function " + getFunction(backward));
    makeInputs(func);
    makeRival(func);
    SmallVector<void *> arguments;
    for (AlignedBuffer &input : inputs)
      arguments.push_back(input.data());
    compiled.compile(*module, getFunction(backward), arguments);
    denseWeight = makeData(shape.in() * shape.out(), 99, 0.03f);
    denseResult = makeData(tokens * shape.out(), 98, 1.0f);
    denseInputGradient = makeData(tokens * shape.in(), 97, 1.0f);
    denseGradient = makeData(shape.in() * shape.out(), 96, 1.0f);
    check();
  }

  void runCMA() { compiled.call(); }
  void runSameOrder() { rival->run(); }

  void runDense() {
    int64_t in = shape.in(), out = shape.out();
    const float *x = inputs[0].as<float>();
    float *w = denseWeight.as<float>(), *y = denseResult.as<float>();
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, tokens, out, in, 1,
                x, in, w, out, 0, y, out);
    if (!backward)
      return;
    const float *dy = inputs.back().as<float>();
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, tokens, in, out, 1, dy,
                out, w, out, 0, denseInputGradient.as<float>(), in);
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, in, out, tokens, 1, x,
                in, dy, out, 0, denseGradient.as<float>(), out);
  }

  ArrayRef<AlignedBuffer> getInputs() const { return inputs; }
  const CompiledFunction &getCompiled() const { return compiled; }

  /// Useful operations, without padding.
  double getFlops() const { return rival->getFlops(); }
  double getDenseFlops() const {
    return 2.0 * tokens * shape.in() * shape.out() * (backward ? 3 : 1);
  }

private:
  void makeInputs(func::FuncOp func) {
    for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
      inputs.push_back(makeData(cast<ShapedType>(type).getNumElements(), i,
                                i == 0 ? 1.0f : 0.3f));
  }

  void makeRival(func::FuncOp func) {
    SmallVector<float *> arguments;
    for (AlignedBuffer &input : inputs)
      arguments.push_back(input.as<float>());
    auto sequence = GemmSequence::create(func, arguments);
    if (!sequence)
      fail(llvm::toString(sequence.takeError()));
    rival = std::make_unique<GemmSequence>(std::move(*sequence));
  }

  /// Both compute the same values, up to the rounding of sums in another order.
  void check() {
    runCMA();
    runSameOrder();
    for (int32_t i = 0; i < compiled.getNumResults(); ++i) {
      const float *got = static_cast<const float *>(compiled.getResult(i));
      const float *want = rival->getResults()[i];
      double worst = 0, largest = 0;
      for (int64_t j = 0; j < rival->getResultSizes()[i]; ++j) {
        worst = std::max<double>(worst, std::fabs(double(got[j]) - want[j]));
        largest = std::max<double>(largest, std::fabs(want[j]));
      }
      if (!(worst <= 1e-4 * largest))
        fail("result " + Twine(i) + " of " + shape.name + " at " +
             Twine(tokens) + " tokens differs by " + std::to_string(worst) +
             " where the largest is " + std::to_string(largest));
    }
  }

  const LayerShape &shape;
  int64_t tokens;
  bool backward;
  std::vector<AlignedBuffer> inputs;
  std::unique_ptr<GemmSequence> rival;
  CompiledFunction compiled;
  AlignedBuffer denseWeight, denseResult, denseInputGradient, denseGradient;
};

/// The same layer with operands, results and everything in between stored in a
/// type below f32.
class LowCase {
public:
  LowCase(MLIRContext &context, const LayerShape &shape, int64_t tokens,
          bool backward, FloatType element, const LayerCase &reference)
      : semantics(element.getFloatSemantics()) {
    std::string spelled;
    llvm::raw_string_ostream(spelled) << element;
    OwningOpRef<ModuleOp> module =
        buildLayer(context, shape, tokens, backward, spelled);
    SmallVector<void *> arguments;
    for (const AlignedBuffer &input : reference.getInputs()) {
      inputs.push_back(round(input));
      arguments.push_back(inputs.back().data());
    }
    compiled.compile(*module, getFunction(backward), arguments);
    check(reference.getCompiled());
  }

  void run() { compiled.call(); }

private:
  AlignedBuffer round(const AlignedBuffer &from) const {
    int64_t count = from.size() / sizeof(float);
    AlignedBuffer to = allocate(count * sizeof(uint16_t));
    for (int64_t i = 0; i < count; ++i) {
      APFloat value(from.as<float>()[i]);
      bool losesInfo;
      value.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
      to.as<uint16_t>()[i] =
          static_cast<uint16_t>(value.bitcastToAPInt().getZExtValue());
    }
    return to;
  }

  /// The values are those of f32, up to a few roundings.
  void check(const CompiledFunction &reference) {
    compiled.call();
    for (int32_t i = 0; i < compiled.getNumResults(); ++i) {
      const auto *got = static_cast<const uint16_t *>(compiled.getResult(i));
      const auto *want = static_cast<const float *>(reference.getResult(i));
      double worst = 0, largest = 0;
      for (int64_t j = 0; j < compiled.getResultSize(i); ++j) {
        APFloat value(semantics, llvm::APInt(16, got[j]));
        double difference = value.convertToDouble() - want[j];
        worst = std::max(worst, std::fabs(difference));
        largest = std::max<double>(largest, std::fabs(want[j]));
      }
      if (!(worst <= 0.05 * largest))
        fail("result " + Twine(i) + " of a low type differs by " +
             std::to_string(worst) + " where the largest is " +
             std::to_string(largest));
    }
  }

  const llvm::fltSemantics &semantics;
  std::vector<AlignedBuffer> inputs;
  CompiledFunction compiled;
};

void addBenchmark(const std::string &name, double flops,
                  std::function<void()> run) {
  benchmark::RegisterBenchmark(
      name.c_str(),
      [=](benchmark::State &state) {
        for (auto _ : state) {
          run();
          benchmark::ClobberMemory();
        }
        state.counters["flops"] = benchmark::Counter(
            flops, benchmark::Counter::kIsIterationInvariantRate);
      })
      ->UseRealTime()
      ->Unit(benchmark::kMicrosecond);
}

} // namespace

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  auto openmp = OpenMPRuntime::get();
  if (!openmp)
    fail(llvm::toString(openmp.takeError()));
  int threads = openmp->getMaxThreads();
  if (openblas_get_num_threads() != threads)
    fail("OMP_NUM_THREADS gives " + Twine(threads) +
         " threads and OPENBLAS_NUM_THREADS " +
         Twine(openblas_get_num_threads()));
  benchmark::AddCustomContext("openblas", openblas_get_config());
  benchmark::AddCustomContext("openblas_core", openblas_get_corename());
  benchmark::AddCustomContext("threads", std::to_string(threads));

  registerCMAPasses();
  registerCMAPipelines();
  mlir::registerTransformsPasses();
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerCMADialects(registry);
  MLIRContext context(registry);

  addBenchmark("peak", getMultiplyAddFlops() * threads,
               [=] { runMultiplyAdds(threads); });
  for (const LayerShape &shape : kLayers)
    for (int64_t tokens : {128, 4096})
      for (bool backward : {false, true}) {
        // Lives until the process ends: the benchmarks hold on to it.
        auto *layer = new LayerCase(context, shape, tokens, backward);
        std::string name = std::string(shape.name) + "/" +
                           std::to_string(tokens) + "/" +
                           (backward ? "forward+backward" : "forward");
        addBenchmark(name + "/cma", layer->getFlops(),
                     [=] { layer->runCMA(); });
        for (FloatType element : {FloatType(Float16Type::get(&context)),
                                  FloatType(BFloat16Type::get(&context))}) {
          auto *low =
              new LowCase(context, shape, tokens, backward, element, *layer);
          addBenchmark(name + (element.isF16() ? "/f16" : "/bf16"),
                       layer->getFlops(), [=] { low->run(); });
        }
        addBenchmark(name + "/openblas-same-order", layer->getFlops(),
                     [=] { layer->runSameOrder(); });
        addBenchmark(name + "/openblas-dense", layer->getDenseFlops(),
                     [=] { layer->runDense(); });
      }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
