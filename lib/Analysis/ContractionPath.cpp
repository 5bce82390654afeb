//===- ContractionPath.cpp - Contraction orders ---------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file checks contraction orders, converts between their two forms and
// derives the labels of every value.
//
//===----------------------------------------------------------------------===//

#include "cma/Analysis/ContractionPath.h"

#include <algorithm>
#include <numeric>

using namespace cma;

namespace {
constexpr std::string_view objectiveNames[] = {"time", "flops", "mults",
                                               "peak"};
} // namespace

static std::string plural(size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) +
         (count == 1 ? "" : "s");
}

std::string_view cma::getObjectiveName(Objective objective) {
  return objectiveNames[static_cast<unsigned>(objective)];
}

bool cma::parseObjective(std::string_view name, Objective &objective) {
  const auto *found =
      std::find(std::begin(objectiveNames), std::end(objectiveNames), name);
  if (found == std::end(objectiveNames))
    return false;
  objective = static_cast<Objective>(found - std::begin(objectiveNames));
  return true;
}

bool cma::verifyPath(const ContractionNetwork &network,
                     const ContractionPath &path, std::string &error) {
  size_t left = network.operands.size();
  bool summed = false;
  for (size_t i = 0; i < path.size(); ++i) {
    const std::vector<int64_t> &step = path[i];
    std::string where = "step " + std::to_string(i) + " of the path";
    if (step.empty() || step.size() > 2) {
      error = "expected one or two positions in " + where + ", got " +
              std::to_string(step.size());
      return false;
    }
    for (int64_t position : step) {
      if (position < 0 || static_cast<uint64_t>(position) >= left) {
        error = "expected positions below " + std::to_string(left) + " in " +
                where + ", where " + plural(left, "operand") +
                (left == 1 ? " is" : " are") + " left, got " +
                std::to_string(position);
        return false;
      }
    }
    if (step.size() == 2 && step[0] == step[1]) {
      error = "expected two different positions in " + where + ", got " +
              std::to_string(step[0]) + " twice";
      return false;
    }
    left -= step.size() - 1;
    summed = true;
  }
  if (left != 1) {
    error = "expected a path that leaves one operand, got " +
            plural(path.size(), "step") + " that " +
            (path.size() == 1 ? "leaves " : "leave ") + std::to_string(left);
    return false;
  }
  // Any step drops what only its operands have, so that one value at the end
  // has the result's labels; without a step nothing was summed.
  if (!summed &&
      makeLabelSet(network.operands[0]) != makeLabelSet(network.result)) {
    error = "expected step [0] in the path, since the result lacks labels of "
            "the operand, got no step";
    return false;
  }
  return true;
}

ContractionSteps cma::toSteps(size_t numOperands, const ContractionPath &path) {
  std::vector<uint32_t> left(numOperands), firstLeaf(numOperands);
  std::iota(left.begin(), left.end(), 0);
  std::iota(firstLeaf.begin(), firstLeaf.end(), 0);
  ContractionSteps steps;
  for (const std::vector<int64_t> &positions : path) {
    ContractionStep step;
    step.lhs = left[static_cast<size_t>(positions[0])];
    if (positions.size() == 2) {
      step.rhs = left[static_cast<size_t>(positions[1])];
      if (firstLeaf[step.rhs] < firstLeaf[step.lhs])
        std::swap(step.lhs, step.rhs);
    }
    std::vector<int64_t> descending(positions);
    std::sort(descending.rbegin(), descending.rend());
    for (int64_t position : descending)
      left.erase(left.begin() + position);
    left.push_back(static_cast<uint32_t>(numOperands + steps.size()));
    firstLeaf.push_back(firstLeaf[step.lhs]);
    steps.push_back(step);
  }
  return steps;
}

ContractionPath cma::toPath(size_t numOperands, const ContractionSteps &steps) {
  // Values enter the list in ascending order, so that it stays sorted.
  std::vector<uint32_t> left(numOperands);
  std::iota(left.begin(), left.end(), 0);
  auto take = [&left](uint32_t value) {
    return static_cast<int64_t>(
        std::lower_bound(left.begin(), left.end(), value) - left.begin());
  };
  ContractionPath path;
  for (const ContractionStep &step : steps) {
    std::vector<int64_t> positions = {take(step.lhs)};
    if (!step.isReduction())
      positions.push_back(take(step.rhs));
    std::sort(positions.begin(), positions.end());
    for (auto it = positions.rbegin(); it != positions.rend(); ++it)
      left.erase(left.begin() + *it);
    left.push_back(static_cast<uint32_t>(numOperands + path.size()));
    path.push_back(std::move(positions));
  }
  return path;
}

ContractionSteps cma::makeLeftToRightSteps(const ContractionNetwork &network) {
  auto numOperands = static_cast<uint32_t>(network.operands.size());
  ContractionSteps steps;
  if (numOperands == 1) {
    if (makeLabelSet(network.operands[0]) != makeLabelSet(network.result))
      steps.push_back({0, ContractionStep::none});
    return steps;
  }
  for (uint32_t next = 1; next < numOperands; ++next)
    steps.push_back({next == 1 ? 0 : numOperands + next - 2, next});
  return steps;
}

std::vector<LabelSet> cma::getValueLabels(const ContractionNetwork &network,
                                          const ContractionSteps &steps) {
  std::vector<uint32_t> holders = countHolders(network);
  std::vector<LabelSet> labels;
  labels.reserve(network.operands.size() + steps.size());
  for (const std::vector<LabelId> &axes : network.operands)
    labels.push_back(makeLabelSet(axes));
  for (const ContractionStep &step : steps) {
    LabelSet all = labels[step.lhs];
    for (LabelId label : labels[step.lhs])
      --holders[label];
    if (!step.isReduction()) {
      for (LabelId label : labels[step.rhs])
        --holders[label];
      all = unite(all, labels[step.rhs]);
    }
    LabelSet kept;
    for (LabelId label : all)
      if (holders[label] > 0) {
        kept.push_back(label);
        ++holders[label];
      }
    labels.push_back(std::move(kept));
  }
  return labels;
}

U128 cma::countNaiveMults(const ContractionNetwork &network) {
  LabelSet all = makeLabelSet(network.result);
  for (const std::vector<LabelId> &axes : network.operands)
    all = unite(all, makeLabelSet(axes));
  return countElements(network, all);
}
