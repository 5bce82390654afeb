//===- EinsumTest.cpp - Equations -----------------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file tests the parser of einsum equations.
//
//===----------------------------------------------------------------------===//

#include "cma/Analysis/Einsum.h"

#include "gtest/gtest.h"

using namespace cma;

namespace {

using Axes = std::vector<LabelId>;

Einsum parse(std::string_view text, EinsumRules rules = EinsumRules::Contract) {
  Einsum einsum;
  EinsumError error;
  EXPECT_TRUE(parseEinsum(text, rules, einsum, error))
      << text << ": " << error.message << " at " << error.column;
  return einsum;
}

void expectError(std::string_view text, size_t column, std::string_view part,
                 EinsumRules rules = EinsumRules::Contract) {
  Einsum einsum;
  EinsumError error;
  EXPECT_FALSE(parseEinsum(text, rules, einsum, error)) << text;
  EXPECT_EQ(error.column, column) << text << ": " << error.message;
  EXPECT_NE(error.message.find(part), std::string::npos)
      << text << ": " << error.message;
}

TEST(Einsum, NumbersLabelsByFirstAppearance) {
  Einsum einsum = parse("bi,ij->bj");
  EXPECT_EQ(einsum.labels, (std::vector<std::string>{"b", "i", "j"}));
  EXPECT_EQ(einsum.operands, (std::vector<Axes>{{0, 1}, {1, 2}}));
  EXPECT_EQ(einsum.result, (Axes{0, 2}));
}

TEST(Einsum, AcceptsEveryForm) {
  EXPECT_EQ(parse("->").operands, (std::vector<Axes>{{}}));
  EXPECT_EQ(parse(",,->").operands.size(), 3u);
  EXPECT_EQ(parse("aa->a").operands, (std::vector<Axes>{{0, 0}}));
  EXPECT_EQ(parse("{row}{col_1},{col_1}->{row}").labels,
            (std::vector<std::string>{"row", "col_1"}));
  EXPECT_EQ(parse("a{a}->a").operands, (std::vector<Axes>{{0, 0}}));
}

TEST(Einsum, PrintsCanonically) {
  EXPECT_EQ(parse(" b i ,\ti {j} -> b{j}\n").str(), "bi,ij->bj");
  EXPECT_EQ(parse("{row}a->a{row}").str(), "{row}a->a{row}");
  Einsum einsum = parse("{row}a->a{row}");
  EXPECT_EQ(einsum.spell(einsum.result), "a{row}");
}

TEST(Einsum, RefusesWithTheColumn) {
  expectError("ab,bc", 5, "'->'");
  expectError("ab->ba->", 6, "second '->'");
  expectError("ab->a,b", 5, "','");
  expectError("a...b->a", 1, "ellipsis");
  expectError("a1->a", 1, "'1'");
  expectError("a-b->a", 1, "'-'");
  expectError("{row->r", 4, "braced");
  expectError("{row", 0, "'}'");
  expectError("{}->", 0, "name");
  expectError("\xc3\xa9->", 0, "0xc3");
}

TEST(Einsum, ChecksTheResult) {
  Einsum einsum;
  EinsumError error;
  EXPECT_FALSE(parseEinsum("ab->aa", EinsumRules::Contract, einsum, error));
  EXPECT_FALSE(parseEinsum("ab->ac", EinsumRules::Contract, einsum, error));
  parse("b->aab", EinsumRules::Broadcast);
  EXPECT_FALSE(parseEinsum("bb->b", EinsumRules::Broadcast, einsum, error));
  EXPECT_FALSE(parseEinsum("a,b->ab", EinsumRules::Broadcast, einsum, error));
}

TEST(Einsum, HoldsThousandsOfLabels) {
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += "{l" + std::to_string(i) + "}";
  Einsum einsum = parse(text + "->" + text);
  EXPECT_EQ(einsum.labels.size(), 3000u);
  EXPECT_EQ(einsum.result.back(), 2999u);
}

} // namespace
