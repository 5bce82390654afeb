//===- PlannerBenchmark.cpp - Time of the contraction search --------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file times the planner, bounds and all costs of the report included. The
// argument of a benchmark is the number of operands.
//
//===----------------------------------------------------------------------===//

#include "cma/Analysis/ContractionPlanner.h"

#include "benchmark/benchmark.h"

using namespace cma;

namespace {

/// Operands in a ring of bonds, each with a free axis of the result, as in a
/// closed tensor train.
ContractionNetwork makeRing(LabelId count) {
  ContractionNetwork network;
  for (LabelId i = 0; i < count; ++i) {
    network.operands.push_back({i, count + i, (i + 1) % count});
    network.result.push_back(count + i);
  }
  for (LabelId i = 0; i < 2 * count; ++i)
    network.extents.push_back(i < count ? 8 + i % 5 : 2 + i % 3);
  return network;
}

/// A ring with chords: every operand has bonds with four others.
ContractionNetwork makeFourRegular(LabelId count) {
  ContractionNetwork network;
  network.operands.resize(count);
  for (LabelId distance : {1u, 3u})
    for (LabelId i = 0; i < count; ++i) {
      auto label = static_cast<LabelId>(network.extents.size());
      network.operands[i].push_back(label);
      network.operands[(i + distance) % count].push_back(label);
      network.extents.push_back(2 + (7 * i + distance) % 5);
    }
  return network;
}

struct Search {
  const char *name;
  ContractionNetwork (*make)(LabelId);
  Objective objective;
  bool allTargets;
  std::vector<int64_t> sizes;
};

void run(benchmark::State &state, const Search &search) {
  ContractionNetwork network =
      search.make(static_cast<LabelId>(state.range(0)));
  if (search.allTargets)
    network.wanted = WantedTargets::all(network.operands.size());
  PlannerOptions options;
  options.objective = search.objective;
  ContractionPlanner planner(options);
  bool proved = true;
  for (auto iteration : state) {
    (void)iteration;
    proved &= planner.plan(network).provedOptimal;
  }
  state.SetLabel(proved ? "proved optimal" : "not proved");
}

} // namespace

int main(int argc, char **argv) {
  const std::vector<int64_t> exact = {8, 10, 12, 14}, large = {18, 40, 200};
  const Search searches[] = {
      {"ring/mults", makeRing, Objective::Mults, false, exact},
      {"4-regular/mults", makeFourRegular, Objective::Mults, false, exact},
      {"ring/flops/all-targets", makeRing, Objective::Flops, true, exact},
      {"ring/time/all-targets", makeRing, Objective::Time, true, exact},
      {"ring/peak", makeRing, Objective::Peak, false, exact},
      {"ring/mults", makeRing, Objective::Mults, false, large},
      {"4-regular/mults", makeFourRegular, Objective::Mults, false, large},
  };
  for (const Search &search : searches)
    for (int64_t size : search.sizes)
      benchmark::RegisterBenchmark(
          search.name, [&](benchmark::State &state) { run(state, search); })
          ->Arg(size)
          ->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
}
