//===- TestNetworks.cpp - Networks for the planner's tests ----------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file reads the case files and draws random networks.
//
//===----------------------------------------------------------------------===//

#include "TestNetworks.h"

#include "nlohmann/json.hpp"

#include <algorithm>
#include <fstream>

using namespace cma;

namespace {

/// Labels numbered by first appearance.
class Interner {
public:
  explicit Interner(const test::Sizes &sizes) : sizes(sizes) {}

  std::vector<LabelId> read(const std::string &axes) {
    std::vector<LabelId> labels;
    for (size_t i = 0; i < axes.size();) {
      size_t length =
          axes[i] == '{' ? axes.find('}', i) - i + 1 : getUtf8Length(axes[i]);
      std::string name = axes.substr(i, length);
      i += length;
      if (name[0] == '{')
        name = name.substr(1, name.size() - 2);
      auto [it, isNew] = ids.try_emplace(name, extents.size());
      if (isNew)
        extents.push_back(sizes.at(name));
      labels.push_back(it->second);
    }
    return labels;
  }

  std::vector<int64_t> extents;

private:
  static size_t getUtf8Length(char first) {
    auto byte = static_cast<unsigned char>(first);
    return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  }
  const test::Sizes &sizes;
  std::map<std::string, LabelId> ids;
};

nlohmann::json loadJson(const std::string &name) {
  std::ifstream file(std::string(CMA_TEST_DATA_DIR) + "/Inputs/" + name);
  return nlohmann::json::parse(file);
}

/// Every label in `all` with its share of operands, for printing.
char spell(LabelId label) {
  return static_cast<char>(label < 26 ? 'a' + label : 'A' + (label - 26) % 26);
}

} // namespace

ContractionNetwork test::makeNetwork(const std::string &equation,
                                     const Sizes &sizes) {
  Interner interner(sizes);
  ContractionNetwork network;
  size_t arrow = equation.find("->");
  std::string operands = equation.substr(0, arrow);
  size_t start = 0;
  for (size_t end; (end = operands.find(',', start)) != std::string::npos;
       start = end + 1)
    network.operands.push_back(
        interner.read(operands.substr(start, end - start)));
  network.operands.push_back(interner.read(operands.substr(start)));
  network.result = interner.read(equation.substr(arrow + 2));
  network.extents = interner.extents;
  return network;
}

std::vector<test::Case> test::loadCases() {
  std::vector<Case> cases;
  for (const nlohmann::json &entry : loadJson("contraction_cases.json"))
    cases.push_back(
        {entry.at("name"),
         makeNetwork(entry.at("equation"), entry.at("sizes").get<Sizes>()),
         entry.at("optimal_mults"), entry.at("optimal_flops")});
  return cases;
}

std::vector<test::JointCase> test::loadJointCases() {
  std::vector<JointCase> cases;
  for (const nlohmann::json &entry : loadJson("contraction_joint_cases.json")) {
    auto leaves = entry.at("leaves").get<std::vector<std::string>>();
    std::string equation;
    for (size_t i = 1; i < leaves.size(); ++i)
      equation += (i > 1 ? "," : "") + leaves[i];
    equation += "->" + leaves[0];
    for (const auto &[name, set] : entry.at("targets").items()) {
      JointCase joint = {entry.at("name"), name,
                         makeNetwork(equation, entry.at("sizes").get<Sizes>()),
                         entry.at("forward_mults"), set.at("joint_mults")};
      WantedTargets &wanted = joint.network.wanted;
      wanted.result = false;
      wanted.operands.assign(leaves.size() - 1, false);
      for (size_t leaf : set.at("leaves").get<std::vector<size_t>>()) {
        if (leaf == 0)
          wanted.result = true;
        else
          wanted.operands[leaf - 1] = true;
      }
      joint.wantsAll = name == "all";
      cases.push_back(std::move(joint));
    }
  }
  return cases;
}

ContractionNetwork test::makeRandomNetwork(std::mt19937_64 &random,
                                           const RandomRules &rules) {
  auto draw = [&](uint64_t bound) { return random() % bound; };
  size_t numOperands =
      rules.minOperands + draw(rules.maxOperands - rules.minOperands + 1);
  ContractionNetwork network;
  network.operands.resize(numOperands);
  size_t numLabels = 1 + draw(2 * numOperands + 2);
  for (LabelId label = 0; label < numLabels; ++label) {
    network.extents.push_back(
        rules.minExtent +
        static_cast<int64_t>(draw(
            static_cast<uint64_t>(rules.maxExtent - rules.minExtent) + 1)));
    size_t numHolders =
        rules.special ? 1 + draw(numOperands) : 1 + draw(2) * (numOperands > 1);
    // Once-only and two-operand labels stay frequent among the special ones.
    if (rules.special && draw(2))
      numHolders = 1 + draw(std::min<size_t>(2, numOperands));
    for (size_t i = 0; i < numHolders; ++i)
      network.operands[draw(numOperands)].push_back(label);
    // Plain networks close a label that one operand has with the result.
    bool inResult = rules.special ? draw(4) == 0 : numHolders == 1;
    if (inResult)
      network.result.push_back(label);
  }
  if (!rules.special)
    for (std::vector<LabelId> &axes : network.operands)
      axes = makeLabelSet(axes);
  for (std::vector<LabelId> &axes : network.operands)
    std::shuffle(axes.begin(), axes.end(), random);
  return network;
}

std::string test::describe(const ContractionNetwork &network) {
  std::string text;
  for (size_t i = 0; i < network.operands.size(); ++i) {
    if (i)
      text += ',';
    for (LabelId label : network.operands[i])
      text += spell(label);
  }
  text += "->";
  for (LabelId label : network.result)
    text += spell(label);
  for (LabelId label = 0; label < network.extents.size(); ++label)
    text += std::string(" ") + spell(label) +
            std::to_string(network.extents[label]);
  return text;
}

ContractionPlan test::planFor(const ContractionNetwork &network,
                              Objective objective, unsigned maxExact,
                              uint64_t seed) {
  PlannerOptions options;
  options.objective = objective;
  options.maxExact = maxExact;
  options.seed = seed;
  return ContractionPlanner(options).plan(network);
}
