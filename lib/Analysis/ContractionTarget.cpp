//===- ContractionTarget.cpp - Machines that plans are made for -----------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file holds the table of machines and the roofline model of a step. GPU
// figures are the vendor's nominal dense rates for one usual part of each
// architecture: T4, A100 80 GB, L40S, H100 SXM, B200. The CPU is two cores with
// AVX2 and FMA.
//
//===----------------------------------------------------------------------===//

#include "cma/Analysis/ContractionTarget.h"

#include <algorithm>
#include <cmath>

using namespace cma;

namespace {
constexpr double giga = 1e9, tera = 1e12, mega = 1e6, micro = 1e-6;
constexpr double picosecondsPerSecond = 1e12;

/// What a well-tuned kernel reaches of the nominal rate and bandwidth.
constexpr double reachableRate = 0.8, reachableBandwidth = 0.85;
} // namespace

static constexpr std::array<double, numElementTypes>
teras(double f64, double f32, double tf32, double f16, double bf16, double f8e4,
      double f8e5) {
  return {f64 * tera,  f32 * tera,  tf32 * tera, f16 * tera,
          bf16 * tera, f8e4 * tera, f8e5 * tera};
}

namespace {
/// Types without a unit of their own compute at the rate of f32. On the CPU the
/// register tile takes the place of a matrix instruction.
const TargetModel targets[] = {
    {"cpu", 2, teras(0.04, 0.08, 0.08, 0.08, 0.08, 0.08, 0.08),
     teras(0.02, 0.04, 0.04, 0.04, 0.04, 0.04, 0.04), 4, 16, 1, 64, 16,
     20 * giga, 100 * giga, 8 * mega, 1 * micro},
    {"sm_75", 40, teras(0, 0, 0, 65, 0, 0, 0),
     teras(0.25, 8.1, 8.1, 8.1, 8.1, 8.1, 8.1), 16, 8, 8, 64, 64, 320 * giga,
     1200 * giga, 4 * mega, 3 * micro},
    {"sm_80", 108, teras(19.5, 0, 156, 312, 312, 0, 0),
     teras(9.7, 19.5, 19.5, 19.5, 19.5, 19.5, 19.5), 16, 8, 16, 64, 64,
     2039 * giga, 5000 * giga, 40 * mega, 3 * micro},
    {"sm_89", 142, teras(0, 0, 183, 362, 362, 733, 733),
     teras(1.4, 91.6, 91.6, 91.6, 91.6, 91.6, 91.6), 16, 8, 16, 64, 64,
     864 * giga, 4000 * giga, 96 * mega, 3 * micro},
    {"sm_90", 132, teras(67, 0, 495, 989, 989, 1979, 1979),
     teras(34, 67, 67, 67, 67, 67, 67), 64, 8, 16, 64, 64, 3350 * giga,
     5500 * giga, 50 * mega, 3 * micro},
    {"sm_100", 148, teras(40, 0, 1100, 2250, 2250, 4500, 4500),
     teras(40, 75, 75, 75, 75, 75, 75), 64, 8, 16, 128, 64, 8000 * giga,
     10000 * giga, 126 * mega, 3 * micro},
};
} // namespace

static double roundUp(double value, double multiple) {
  return std::ceil(value / multiple) * multiple;
}

/// Share of the units that is busy when `blocks` equal blocks are dealt out.
static double waveUtilisation(double blocks, double units) {
  double waves = std::ceil(blocks / units);
  return waves > 0 ? blocks / (waves * units) : 1;
}

static double toPicoseconds(double seconds) {
  return std::ceil(seconds * picosecondsPerSecond);
}

static double transferSeconds(const TargetModel &target, double bytes) {
  double bandwidth = bytes <= target.cacheBytes ? target.cacheBandwidth
                                                : target.memoryBandwidth;
  return bytes / (bandwidth * reachableBandwidth);
}

/// Seconds of arithmetic on whichever units are faster: padded on the matrix
/// units, as it is on the vector units. `extraBytes` receives the partial sums
/// that a split of the summed axis moves.
static double computeSeconds(const TargetModel &target, ElementType type,
                             const StepShape &s, double &extraBytes) {
  auto index = static_cast<unsigned>(type);
  double operations = 2 * s.batch * s.m * s.n * s.k;
  double blocks =
      s.batch * std::ceil(s.m / target.blockM) * std::ceil(s.n / target.blockN);
  // Few blocks and a long sum: several units share one block.
  constexpr double shortestSum = 256;
  double splits = 1;
  if (blocks < target.units)
    splits = std::max(1.0, std::min(std::floor(target.units / blocks),
                                    std::floor(s.k / shortestSum)));
  extraBytes = splits > 1 ? 2 * splits * s.outElements * 4 : 0;
  double used = waveUtilisation(blocks * splits, target.units);
  double seconds =
      operations / (target.vectorRate[index] * reachableRate * used);
  if (target.matrixRate[index] > 0) {
    double padded = 2 * s.batch * roundUp(s.m, target.tileM) *
                    roundUp(s.n, target.tileN) * roundUp(s.k, target.tileK);
    seconds = std::min(
        seconds, padded / (target.matrixRate[index] * reachableRate * used));
  }
  return seconds;
}

const TargetModel *cma::lookupTarget(std::string_view name) {
  for (const TargetModel &target : targets)
    if (target.name == name)
      return &target;
  return nullptr;
}

std::string cma::listTargets() {
  std::string names;
  for (const TargetModel &target : targets) {
    if (!names.empty())
      names += ", ";
    names += target.name;
  }
  return names;
}

double cma::modelStepTime(const TargetModel &target, ElementType computeType,
                          const StepShape &s) {
  double bytes = s.lhsElements * s.lhsBytes + s.rhsElements * s.rhsBytes +
                 s.outElements * s.outBytes;
  double seconds = 0;
  if (s.batch * s.m * s.n * s.k > 0) {
    double extraBytes = 0;
    seconds = computeSeconds(target, computeType, s, extraBytes);
    bytes += extraBytes;
  }
  return toPicoseconds(std::max(seconds, transferSeconds(target, bytes)) +
                       target.launchSeconds);
}

double cma::boundStepTime(const TargetModel &target, ElementType computeType,
                          double points, double bytes) {
  auto index = static_cast<unsigned>(computeType);
  double rate = std::max(target.matrixRate[index], target.vectorRate[index]);
  double bandwidth = std::max(target.cacheBandwidth, target.memoryBandwidth);
  // A hair less than the model, whose roundings are others.
  constexpr double margin = 1 - 1e-12;
  return margin * picosecondsPerSecond *
         (std::max(2 * points / (rate * reachableRate),
                   bytes / (bandwidth * reachableBandwidth)) +
          target.launchSeconds);
}

double cma::modelReductionTime(const TargetModel &target, double inBytes,
                               double outBytes) {
  return toPicoseconds(transferSeconds(target, inBytes + outBytes) +
                       target.launchSeconds);
}
