//===- MaxFlow.h - Maximum flow ---------------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares a maximum-flow solver whose capacities come from any
// ordered group: numbers, or vectors in lexicographic order. Dinic's algorithm
// only adds, subtracts and compares, and its number of steps does not depend on
// the capacities, so that it is exact for both.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_ANALYSIS_MAXFLOW_H
#define CMA_LIB_ANALYSIS_MAXFLOW_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace cma {

template <typename Capacity>
class MaxFlow {
public:
  explicit MaxFlow(size_t numNodes = 0) : heads(numNodes) {}

  size_t addNode() {
    heads.emplace_back();
    return heads.size() - 1;
  }

  void addEdge(size_t from, size_t to, Capacity capacity) {
    heads[from].push_back(edges.size());
    edges.push_back({to, capacity});
    heads[to].push_back(edges.size());
    edges.push_back({from, Capacity()});
  }

  /// Sends as much as possible from `source` to `sink`.
  void run(size_t source, size_t sink) {
    while (findLevels(source, sink)) {
      next.assign(heads.size(), 0);
      while (augment(source, sink))
        ;
    }
  }

  /// After run(): per node whether the source reaches it without crossing the
  /// minimum cut. This is the smallest of all such sides.
  std::vector<bool> getSourceSide() const {
    std::vector<bool> side;
    for (size_t level : levels)
      side.push_back(level != unreached);
    return side;
  }

private:
  struct Edge {
    size_t to;
    Capacity residual;
  };
  static constexpr size_t unreached = static_cast<size_t>(-1);

  bool findLevels(size_t source, size_t sink) {
    levels.assign(heads.size(), unreached);
    levels[source] = 0;
    std::vector<size_t> queue = {source};
    for (size_t i = 0; i < queue.size(); ++i)
      for (size_t edge : heads[queue[i]])
        if (Capacity() < edges[edge].residual &&
            levels[edges[edge].to] == unreached) {
          levels[edges[edge].to] = levels[queue[i]] + 1;
          queue.push_back(edges[edge].to);
        }
    return levels[sink] != unreached;
  }

  /// Sends flow along one shortest path. Not recursive: graphs are deep.
  bool augment(size_t source, size_t sink) {
    std::vector<size_t> path;
    size_t node = source;
    while (node != sink) {
      size_t edge = unreached;
      for (; next[node] < heads[node].size(); ++next[node]) {
        size_t candidate = heads[node][next[node]];
        if (Capacity() < edges[candidate].residual &&
            levels[edges[candidate].to] == levels[node] + 1) {
          edge = candidate;
          break;
        }
      }
      if (edge != unreached) {
        path.push_back(edge);
        node = edges[edge].to;
        continue;
      }
      if (path.empty())
        return false;
      node = edges[path.back() ^ 1].to;
      path.pop_back();
      ++next[node];
    }
    Capacity flow = edges[path.front()].residual;
    for (size_t edge : path)
      flow = std::min(flow, edges[edge].residual);
    for (size_t edge : path) {
      edges[edge].residual -= flow;
      edges[edge ^ 1].residual += flow;
    }
    return true;
  }

  /// An edge and its reverse stand side by side.
  std::vector<Edge> edges;
  std::vector<std::vector<size_t>> heads;
  std::vector<size_t> levels, next;
};

} // namespace cma

#endif // CMA_LIB_ANALYSIS_MAXFLOW_H
