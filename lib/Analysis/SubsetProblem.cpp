//===- SubsetProblem.cpp - Small networks for the subset searches ---------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file turns a network into a subset problem and sorts its labels into
// classes.
//
//===----------------------------------------------------------------------===//

#include "SubsetProblem.h"

#include <map>

using namespace cma;
using namespace cma::planner;

SubsetProblem cma::planner::makeWholeProblem(const ContractionNetwork &network,
                                             const TargetModel &target,
                                             Objective objective) {
  SubsetProblem problem{network, target, objective, {}, {}, true};
  for (size_t i = 0; i < network.operands.size(); ++i)
    problem.leaves.push_back({makeLabelSet(network.operands[i]),
                              network.wanted.isOperandWanted(i),
                              getElementBytes(network.getOperandType(i))});
  problem.outer = makeLabelSet(network.result);
  problem.outerWanted = network.wanted.result;
  return problem;
}

LabelClasses cma::planner::classifyLabels(const SubsetProblem &problem) {
  std::map<LabelId, LabelClasses::Class> labels;
  for (size_t i = 0; i < problem.leaves.size(); ++i)
    for (LabelId label : problem.leaves[i].labels)
      labels[label].holders |= uint32_t(1) << i;
  for (LabelId label : problem.outer)
    if (auto it = labels.find(label); it != labels.end())
      it->second.outer = true;

  // Keyed by the holders, so that the order of classes follows from the input.
  std::map<std::pair<uint32_t, bool>, U128> extents;
  for (const auto &[label, info] : labels) {
    auto [it, isNew] = extents.try_emplace({info.holders, info.outer}, U128(1));
    it->second *= U128(static_cast<uint64_t>(problem.network.extents[label]));
  }
  LabelClasses result;
  for (const auto &[key, extent] : extents)
    result.classes.push_back({key.first, key.second, extent});
  return result;
}

bool cma::planner::fitsSubsetSearch(const SubsetProblem &problem) {
  if (problem.leaves.size() > maxSubsetLeaves)
    return false;
  // The tables hold one set of labels per subset of leaves.
  size_t numClasses = classifyLabels(problem).classes.size();
  return numClasses <= 128 ||
         (numClasses <= maxLabelClasses && problem.leaves.size() <= 14);
}
