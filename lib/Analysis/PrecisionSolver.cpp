//===- PrecisionSolver.cpp - Which op runs in which precision -------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file chooses precisions.
//
// The cut: the source is the high type, the sink the low one. A value is cast
// at most once in either direction however many users ask for it, so each
// direction has a node of its own between the producer and the users.
//
//===----------------------------------------------------------------------===//

#include "cma/Analysis/PrecisionSolver.h"

#include "MaxFlow.h"

#include <numeric>

using namespace cma;

namespace {
/// Which nodes are decided together, and what is fixed for all of them.
class Groups {
public:
  explicit Groups(const PrecisionProblem &problem)
      : parents(problem.nodes.size()), fixed(problem.nodes.size()) {
    std::iota(parents.begin(), parents.end(), size_t(0));
    for (auto [a, b] : problem.ties)
      parents[find(a)] = find(b);
    for (size_t i = 0; i < problem.nodes.size(); ++i) {
      std::optional<PrecisionSide> &side = fixed[find(i)];
      if (!side || problem.nodes[i].fixed == PrecisionSide::High)
        side = problem.nodes[i].fixed ? problem.nodes[i].fixed : side;
    }
  }

  size_t find(size_t node) {
    while (parents[node] != node)
      node = parents[node] = parents[parents[node]];
    return node;
  }
  bool isRepresentative(size_t node) const { return parents[node] == node; }
  std::optional<PrecisionSide> getFixed(size_t node) {
    return fixed[find(node)];
  }

private:
  std::vector<size_t> parents;
  std::vector<std::optional<PrecisionSide>> fixed;
};

/// The two directions in which a value may be cast.
struct WantedCasts {
  bool toLow = false, toHigh = false;
};
} // namespace

static WantedCasts findCasts(const PrecisionValue &value,
                             const std::vector<PrecisionSide> &sides) {
  WantedCasts casts;
  for (size_t user : value.users) {
    if (value.producer && sides[*value.producer] == sides[user])
      continue;
    (sides[user] == PrecisionSide::Low ? casts.toLow : casts.toHigh) = true;
  }
  return casts;
}

PrecisionCost cma::computeCost(const PrecisionProblem &problem,
                               const std::vector<PrecisionSide> &sides) {
  PrecisionCost cost;
  for (const PrecisionValue &value : problem.values) {
    WantedCasts casts = findCasts(value, sides);
    if (casts.toLow)
      cost += {value.lowBytes, 1, 0};
    if (casts.toHigh)
      cost += {value.highBytes, 1, 0};
    if (value.producer)
      cost.valueBytes += sides[*value.producer] == PrecisionSide::Low
                             ? value.lowBytes
                             : value.highBytes;
  }
  return cost;
}

//===----------------------------------------------------------------------===//
// The minimum cut
//===----------------------------------------------------------------------===//

/// More than all casts of a graph together.
static constexpr PrecisionCost infinite = {static_cast<__int128>(1) << 120, 0,
                                           0};

namespace {
class Cut {
public:
  explicit Cut(const PrecisionProblem &problem)
      : problem(problem), groups(problem), flow(problem.nodes.size()),
        source(flow.addNode()), sink(flow.addNode()) {}

  std::vector<PrecisionSide> solve() {
    for (size_t i = 0; i < problem.nodes.size(); ++i)
      if (groups.isRepresentative(i))
        if (std::optional<PrecisionSide> side = groups.getFixed(i)) {
          bool high = *side == PrecisionSide::High;
          flow.addEdge(high ? source : i, high ? i : sink, infinite);
        }
    for (const PrecisionValue &value : problem.values)
      addValue(value);
    flow.run(source, sink);
    std::vector<bool> high = flow.getSourceSide();
    std::vector<PrecisionSide> sides;
    for (size_t i = 0; i < problem.nodes.size(); ++i)
      sides.push_back(high[groups.find(i)] ? PrecisionSide::High
                                           : PrecisionSide::Low);
    return sides;
  }

private:
  void addValue(const PrecisionValue &value) {
    std::optional<size_t> producer;
    if (value.producer)
      producer = groups.find(*value.producer);
    size_t toLow = flow.addNode(), toHigh = flow.addNode();
    flow.addEdge(producer.value_or(source), toLow, {value.lowBytes, 1, 0});
    flow.addEdge(toHigh, producer.value_or(sink), {value.highBytes, 1, 0});
    for (size_t user : value.users) {
      user = groups.find(user);
      if (user == producer)
        continue;
      flow.addEdge(toLow, user, infinite);
      flow.addEdge(user, toHigh, infinite);
    }
    // What the high type writes beyond the low one, or the other way round.
    if (producer && value.highBytes > value.lowBytes)
      flow.addEdge(*producer, sink, {0, 0, value.highBytes - value.lowBytes});
    if (producer && value.highBytes < value.lowBytes)
      flow.addEdge(source, *producer, {0, 0, value.lowBytes - value.highBytes});
  }

  const PrecisionProblem &problem;
  Groups groups;
  MaxFlow<PrecisionCost> flow;
  size_t source, sink;
};
} // namespace

std::vector<PrecisionSide> cma::solveByMinCut(const PrecisionProblem &problem) {
  return Cut(problem).solve();
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

std::vector<PrecisionSide> cma::solveByLists(const PrecisionProblem &problem) {
  Groups groups(problem);
  size_t numNodes = problem.nodes.size();
  std::vector<PrecisionSide> sides(numNodes, PrecisionSide::Low);
  std::vector<std::vector<size_t>> users(numNodes);
  for (const PrecisionValue &value : problem.values)
    for (size_t user : value.users)
      if (value.producer)
        users[groups.find(*value.producer)].push_back(groups.find(user));

  // A side only ever rises, from low to high.
  std::vector<size_t> raised;
  auto raise = [&](size_t group) {
    if (sides[group] == PrecisionSide::High ||
        groups.getFixed(group) == PrecisionSide::Low)
      return;
    sides[group] = PrecisionSide::High;
    raised.push_back(group);
  };
  for (size_t i = 0; i < numNodes; ++i)
    if (groups.getFixed(i) == PrecisionSide::High ||
        problem.nodes[i].preferred == PrecisionSide::High)
      raise(groups.find(i));
  for (const PrecisionValue &value : problem.values)
    if (!value.producer)
      for (size_t user : value.users)
        raise(groups.find(user));
  while (!raised.empty()) {
    size_t group = raised.back();
    raised.pop_back();
    for (size_t user : users[group])
      raise(user);
  }
  for (size_t i = 0; i < numNodes; ++i)
    sides[i] = sides[groups.find(i)];
  return sides;
}
