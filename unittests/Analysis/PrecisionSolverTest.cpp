//===- PrecisionSolverTest.cpp - Precisions against brute force -----------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file compares chosen precisions with the best of all choices, and with
// the colouring of TensorFlow's auto_mixed_precision pass as a yardstick.
//
//===----------------------------------------------------------------------===//

#include "cma/Analysis/PrecisionSolver.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace cma;

namespace {

constexpr uint64_t seed = 20261201;

/// As TensorFlow's lists: allow is a contraction, infer and clear follow, the
/// latter without changing a value, deny stays in the high type.
enum class Kind { Allow, Infer, Clear, Deny };

struct Op {
  Kind kind;
  uint64_t elements;         ///< Of the result.
  std::vector<int> operands; ///< An earlier op, or -1 - a for argument a.
  bool returned = false;     ///< In the high type.
};

struct Graph {
  std::vector<uint64_t> arguments; ///< Elements.
  std::vector<Op> ops;
  std::vector<std::pair<int, int>> ties;
};

/// The types of an op's operands and of its result.
struct OpSides {
  PrecisionSide operands, result;
};
using Colouring = std::vector<OpSides>;
constexpr PrecisionSide low = PrecisionSide::Low, high = PrecisionSide::High;

Graph makeRandomGraph(std::mt19937_64 &random) {
  auto draw = [&](int limit) { return static_cast<int>(random() % limit); };
  Graph graph;
  for (int i = 0, e = 1 + draw(3); i < e; ++i)
    graph.arguments.push_back(1 + draw(64));
  for (int i = 0, e = 1 + draw(10); i < e; ++i) {
    Op op;
    op.kind = static_cast<Kind>(draw(4));
    op.elements = draw(10) == 0 ? 0 : 1 + draw(64);
    for (int k = 0, n = 1 + draw(2); k < n; ++k)
      op.operands.push_back(draw(i + static_cast<int>(graph.arguments.size())) -
                            static_cast<int>(graph.arguments.size()));
    op.returned = draw(4) == 0;
    graph.ops.push_back(op);
  }
  auto follows = [&](int i) {
    return graph.ops[i].kind == Kind::Infer || graph.ops[i].kind == Kind::Clear;
  };
  int last = static_cast<int>(graph.ops.size()) - 1;
  if (last > 0 && follows(0) && follows(last) && draw(2))
    graph.ties.emplace_back(0, last);
  return graph;
}

/// Node 2 i is what op i reads, 2 i + 1 what it writes; then come the boundary,
/// which is high.
PrecisionProblem makeProblem(const Graph &graph) {
  PrecisionProblem problem;
  size_t numOps = graph.ops.size(), boundary = 2 * numOps;
  problem.nodes.resize(2 * numOps + 1);
  problem.nodes[boundary].fixed = high;
  problem.values.resize(graph.arguments.size() + numOps);
  auto getValue = [&](int source) -> PrecisionValue & {
    return problem.values[source < 0 ? numOps - 1 - source : source];
  };
  for (size_t i = 0; i < graph.arguments.size(); ++i)
    problem.values[numOps + i] = {
        boundary, 2 * graph.arguments[i], 4 * graph.arguments[i], {}};
  for (size_t i = 0; i < numOps; ++i) {
    const Op &op = graph.ops[i];
    problem.values[i] = {2 * i + 1, 2 * op.elements, 4 * op.elements, {}};
    if (op.returned)
      problem.values[i].users.push_back(boundary);
    for (int source : op.operands)
      getValue(source).users.push_back(2 * i);
    if (op.kind == Kind::Allow)
      problem.nodes[2 * i].fixed = low;
    else
      problem.ties.emplace_back(2 * i, 2 * i + 1);
    if (op.kind == Kind::Deny)
      problem.nodes[2 * i].fixed = high;
  }
  for (auto [a, b] : graph.ties)
    problem.ties.emplace_back(2 * a, 2 * b);
  return problem;
}

/// The definition, written out anew.
PrecisionCost countCost(const Graph &graph, const Colouring &colouring) {
  std::set<std::pair<int, bool>> casts; // source and whether to the low type
  auto read = [&](int source, PrecisionSide side) {
    PrecisionSide written = source < 0 ? high : colouring[source].result;
    if (written != side)
      casts.insert({source, side == low});
  };
  PrecisionCost cost;
  for (uint64_t elements : graph.arguments)
    cost.valueBytes += 4 * elements;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    for (int source : graph.ops[i].operands)
      read(source, colouring[i].operands);
    if (graph.ops[i].returned)
      read(static_cast<int>(i), high);
    cost.valueBytes +=
        (colouring[i].result == low ? 2 : 4) * graph.ops[i].elements;
  }
  for (auto [source, toLow] : casts) {
    uint64_t elements =
        source < 0 ? graph.arguments[-1 - source] : graph.ops[source].elements;
    cost += {static_cast<__int128>((toLow ? 2 : 4) * elements), 1, 0};
  }
  return cost;
}

PrecisionCost searchAllColourings(const Graph &graph) {
  std::optional<PrecisionCost> best;
  for (unsigned bits = 0; bits < 1u << graph.ops.size(); ++bits) {
    Colouring colouring;
    bool legal = true;
    for (size_t i = 0; i < graph.ops.size(); ++i) {
      PrecisionSide side = bits >> i & 1 ? high : low;
      Kind kind = graph.ops[i].kind;
      legal &= kind != Kind::Deny || side == high;
      colouring.push_back({kind == Kind::Allow ? low : side, side});
    }
    for (auto [a, b] : graph.ties)
      legal &= colouring[a].result == colouring[b].result;
    if (!legal)
      continue;
    PrecisionCost cost = countCost(graph, colouring);
    if (!best || cost < *best)
      best = cost;
  }
  return *best;
}

Colouring readColouring(const Graph &graph,
                        const std::vector<PrecisionSide> &sides) {
  Colouring colouring;
  for (size_t i = 0; i < graph.ops.size(); ++i)
    colouring.push_back({sides[2 * i], sides[2 * i + 1]});
  return colouring;
}

//===----------------------------------------------------------------------===//
// The yardstick: steps 1 to 4 of auto_mixed_precision.cc
//===----------------------------------------------------------------------===//

class Grappler {
public:
  explicit Grappler(const Graph &graph)
      : graph(graph), users(graph.ops.size()), allow(graph.ops.size()),
        deny(graph.ops.size()) {
    for (int i = 0, e = size(); i < e; ++i)
      for (int source : graph.ops[i].operands)
        if (source >= 0)
          users[source].push_back(i);
  }

  Colouring run() {
    for (int i = 0; i < size(); ++i) {
      allow[i] = is(i, Kind::Allow);
      deny[i] = is(i, Kind::Deny);
    }
    addToDeny();
    addBetweenAllow();
    addClearBesideAllow();
    for (auto [a, b] : graph.ties) // of one colour
      allow[a] = allow[b] = allow[a] && allow[b];
    Colouring colouring;
    for (int i = 0; i < size(); ++i)
      colouring.push_back(allow[i] ? OpSides{low, low} : OpSides{high, high});
    return colouring;
  }

private:
  int size() const { return static_cast<int>(graph.ops.size()); }
  bool is(int i, Kind kind) const { return graph.ops[i].kind == kind; }
  bool follows(int i) const { return is(i, Kind::Infer) || is(i, Kind::Clear); }

  /// Ops that a path leads to from a `start` op, all ops behind the start
  /// being `through`; against the edges where `up`.
  std::vector<bool> reach(const std::vector<bool> &start,
                          const std::vector<bool> &through, bool up) const {
    std::vector<bool> reached(graph.ops.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (int i = 0; i < size(); ++i)
        for (int user : users[i]) {
          int from = up ? user : i, to = up ? i : user;
          if ((start[from] || reached[from]) && through[to] && !reached[to])
            changed = reached[to] = true;
        }
    }
    return reached;
  }

  std::vector<bool> select(bool notDenied, bool clearOnly) const {
    std::vector<bool> result;
    for (int i = 0; i < size(); ++i)
      result.push_back((clearOnly ? is(i, Kind::Clear) : follows(i)) &&
                       !(notDenied && deny[i]));
    return result;
  }

  /// Whatever stands on a path from a deny op through infer and clear ops to a
  /// deny or infer op.
  void addToDeny() {
    std::vector<bool> ends, following = select(false, false);
    for (int i = 0; i < size(); ++i)
      ends.push_back(is(i, Kind::Deny) || is(i, Kind::Infer));
    std::vector<bool> below = reach(deny, following, false);
    std::vector<bool> above = reach(ends, following, true);
    for (int i = 0; i < size(); ++i)
      deny[i] = deny[i] || (below[i] && (above[i] || is(i, Kind::Infer)));
  }

  void addBetweenAllow() {
    std::vector<bool> through = select(true, false);
    std::vector<bool> below = reach(allow, through, false);
    std::vector<bool> above = reach(allow, through, true);
    for (int i = 0; i < size(); ++i)
      allow[i] = allow[i] || (below[i] && above[i]);
  }

  void addClearBesideAllow() {
    std::vector<bool> through = select(true, true);
    for (bool changed = true; changed;) {
      changed = false;
      for (bool up : {false, true}) {
        std::vector<bool> beside = reach(allow, through, up);
        for (int i = 0; i < size(); ++i)
          if (beside[i] && !allow[i])
            changed = allow[i] = true;
      }
    }
  }

  const Graph &graph;
  std::vector<std::vector<int>> users;
  std::vector<bool> allow, deny;
};

std::string describe(const Graph &graph) {
  std::string text;
  for (const Op &op : graph.ops) {
    text += "AICD"[static_cast<int>(op.kind)] + std::to_string(op.elements);
    text += "(";
    for (int source : op.operands)
      text += std::to_string(source) + ",";
    text += op.returned ? ")! " : ") ";
  }
  for (auto [a, b] : graph.ties)
    text += std::to_string(a) + "=" + std::to_string(b) + " ";
  return text;
}

std::string str(const PrecisionCost &cost) {
  return std::to_string(static_cast<long long>(cost.castBytes)) + " bytes in " +
         std::to_string(static_cast<long long>(cost.casts)) + " casts, " +
         std::to_string(static_cast<long long>(cost.valueBytes)) + " in values";
}

//===----------------------------------------------------------------------===//
// Random graphs
//===----------------------------------------------------------------------===//

TEST(PrecisionSolver, CutsMatchBruteForceAndStayBelowGrappler) {
  RecordProperty("seed", std::to_string(seed));
  std::mt19937_64 random(seed);
  unsigned better = 0;
  for (unsigned i = 0; i < 500; ++i) {
    Graph graph = makeRandomGraph(random);
    PrecisionProblem problem = makeProblem(graph);
    std::vector<PrecisionSide> sides = solveByMinCut(problem);
    PrecisionCost cost = countCost(graph, readColouring(graph, sides));
    PrecisionCost best = searchAllColourings(graph);
    ASSERT_TRUE(cost == best)
        << "seed " << seed << ", graph " << i << ": " << describe(graph)
        << ": got " << str(cost) << ", best " << str(best);
    EXPECT_TRUE(computeCost(problem, sides).castBytes == cost.castBytes &&
                computeCost(problem, sides).casts == cost.casts);
    PrecisionCost grappler = countCost(graph, Grappler(graph).run());
    ASSERT_FALSE(grappler < cost)
        << "seed " << seed << ", graph " << i << ": " << describe(graph)
        << ": got " << str(cost) << ", Grappler " << str(grappler);
    better += cost.castBytes < grappler.castBytes;
  }
  // The yardstick is no replica of the cut.
  EXPECT_GT(better, 50u);
}

TEST(PrecisionSolver, ListsAreLegalAndNeverBelowTheCut) {
  std::mt19937_64 random(seed + 1);
  for (unsigned i = 0; i < 500; ++i) {
    Graph graph = makeRandomGraph(random);
    PrecisionProblem problem = makeProblem(graph);
    Colouring lists = readColouring(graph, solveByLists(problem));
    for (size_t op = 0; op < graph.ops.size(); ++op) {
      Kind kind = graph.ops[op].kind;
      EXPECT_EQ(lists[op].operands == low,
                kind == Kind::Allow ||
                    (kind != Kind::Deny && lists[op].result == low));
    }
    for (auto [a, b] : graph.ties)
      EXPECT_EQ(lists[a].result, lists[b].result);
    EXPECT_FALSE(countCost(graph, lists) <
                 countCost(graph, readColouring(graph, solveByMinCut(problem))))
        << "seed " << seed + 1 << ", graph " << i << ": " << describe(graph);
  }
}

//===----------------------------------------------------------------------===//
// Known answers
//===----------------------------------------------------------------------===//

/// matmul -> pooling by 4 x 4 -> loss, the matmul writing the low type: the
/// cast belongs behind the pooling, where a colouring puts it before.
TEST(PrecisionSolver, CastsBehindThePooling) {
  PrecisionProblem problem;
  problem.nodes = {{low}, {}, {high}};
  problem.values = {{0, 2 * 1600, 4 * 1600, {1}}, {1, 2 * 100, 4 * 100, {2}}};
  std::vector<PrecisionSide> sides = solveByMinCut(problem);
  EXPECT_EQ(sides[1], low);
  PrecisionCost cost = computeCost(problem, sides);
  EXPECT_EQ(static_cast<int>(cost.castBytes), 400);
  EXPECT_EQ(static_cast<int>(cost.casts), 1);
}

TEST(PrecisionSolver, SharesCasts) {
  PrecisionProblem problem; // one high value, three low users
  problem.nodes = {{high}, {low}, {low}, {low}};
  problem.values = {{0, 20, 40, {1, 2, 3}}};
  EXPECT_EQ(
      static_cast<int>(computeCost(problem, solveByMinCut(problem)).casts), 1);

  PrecisionProblem diamond; // a free value, a low and a high user
  diamond.nodes = {{}, {low}, {high}};
  diamond.values = {{0, 20, 40, {1, 2}}};
  PrecisionCost cost = computeCost(diamond, solveByMinCut(diamond));
  EXPECT_EQ(static_cast<int>(cost.casts), 1);
  EXPECT_EQ(static_cast<int>(cost.castBytes), 20);
}

TEST(PrecisionSolver, LeavesChainsWithoutCasts) {
  PrecisionProblem problem; // low contraction, transpose, low contraction
  problem.nodes = {{}, {}, {low}};
  problem.values = {{0, 20, 40, {1}}, {1, 20, 40, {2}}};
  std::vector<PrecisionSide> sides = solveByMinCut(problem);
  EXPECT_EQ(static_cast<int>(computeCost(problem, sides).casts), 0);
  EXPECT_EQ(sides[0], low);
  EXPECT_EQ(sides[1], low);
}

TEST(PrecisionSolver, CastsAThirdTypeInBothDirections) {
  PrecisionProblem problem;
  problem.nodes = {{low}, {high}};
  problem.values = {{std::nullopt, 20, 40, {0, 1}}};
  PrecisionCost cost = computeCost(problem, solveByMinCut(problem));
  EXPECT_EQ(static_cast<int>(cost.casts), 2);
  EXPECT_EQ(static_cast<int>(cost.castBytes), 60);
}

TEST(PrecisionSolver, HighWinsInATie) {
  PrecisionProblem problem;
  problem.nodes = {{low}, {high}, {}};
  problem.ties = {{0, 1}, {1, 2}};
  for (PrecisionSide side : solveByMinCut(problem))
    EXPECT_EQ(side, high);
  for (PrecisionSide side : solveByLists(problem))
    EXPECT_EQ(side, high);
}

/// Beyond 2^64 bytes in sum; one byte and one cast still decide.
TEST(PrecisionSolver, ComparesHugeSizesExactly) {
  uint64_t huge = ~uint64_t(0) - 8;
  PrecisionProblem problem;
  problem.nodes = {{high}, {}, {low}, {high}, {}, {low}};
  problem.values = {{0, huge, huge, {1}},
                    {1, huge - 1, huge, {2}},
                    {3, huge, huge, {4}},
                    {4, huge, huge, {5}},
                    {4, 0, 0, {3}}};
  std::vector<PrecisionSide> sides = solveByMinCut(problem);
  EXPECT_EQ(sides[1], high); // the cast behind node 1 is a byte smaller
  EXPECT_EQ(sides[4], high); // a cast of no bytes is still a cast
}

TEST(PrecisionSolver, TakesEmptyProblems) {
  EXPECT_TRUE(solveByMinCut({}).empty());
  EXPECT_TRUE(solveByLists({}).empty());
}

} // namespace
