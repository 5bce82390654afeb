//===- Einsum.cpp - Einsum equations --------------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file parses and prints einsum equations.
//
//===----------------------------------------------------------------------===//

#include "cma/Analysis/Einsum.h"

#include <algorithm>
#include <unordered_map>

using namespace cma;

static bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool isNameChar(char c) {
  return isLetter(c) || (c >= '0' && c <= '9') || c == '_';
}

static bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

namespace {
/// One pass over the text, left to right.
class Parser {
public:
  Parser(std::string_view text, Einsum &einsum, EinsumError &error)
      : text(text), einsum(einsum), error(error) {}

  bool parse() {
    std::vector<LabelId> axes;
    bool inResult = false;
    while (skipBlanks(), pos < text.size()) {
      char c = text[pos];
      if (isLetter(c)) {
        axes.push_back(intern(text.substr(pos, 1)));
        ++pos;
      } else if (c == '{') {
        if (!parseBraced(axes))
          return false;
      } else if (c == ',') {
        if (inResult)
          return fail("expected one result, got ',' behind the arrow", pos);
        einsum.operands.push_back(std::move(axes));
        axes.clear();
        ++pos;
      } else if (c == '-' && pos + 1 < text.size() && text[pos + 1] == '>') {
        if (inResult)
          return fail("expected one arrow, got a second '->'", pos);
        einsum.operands.push_back(std::move(axes));
        axes.clear();
        inResult = true;
        pos += 2;
      } else {
        return failCharacter(c);
      }
    }
    if (!inResult)
      return fail("expected '->' and the result's labels", text.size());
    einsum.result = std::move(axes);
    return true;
  }

private:
  bool fail(std::string message, size_t column) {
    error = {std::move(message), column};
    return false;
  }

  bool failCharacter(char c) {
    if (c == '.')
      return fail("expected a label, got '.'; an ellipsis is not supported",
                  pos);
    static const char hex[] = "0123456789abcdef";
    unsigned char u = static_cast<unsigned char>(c);
    std::string shown = u >= 0x20 && u < 0x7f ? std::string("'") + c + "'"
                                              : std::string("byte 0x") +
                                                    hex[u >> 4] + hex[u & 15];
    return fail("expected a letter, '{name}', ',' or '->', got " + shown, pos);
  }

  void skipBlanks() {
    while (pos < text.size() && isBlank(text[pos]))
      ++pos;
  }

  bool parseBraced(std::vector<LabelId> &axes) {
    size_t open = pos++;
    size_t start = pos;
    while (pos < text.size() && isNameChar(text[pos]))
      ++pos;
    if (pos == text.size())
      return fail("expected '}' to close the label", open);
    if (text[pos] != '}')
      return fail("expected letters, digits and '_' in a braced label", pos);
    if (pos == start)
      return fail("expected a name between '{' and '}'", open);
    axes.push_back(intern(text.substr(start, pos - start)));
    ++pos;
    return true;
  }

  LabelId intern(std::string_view name) {
    auto [it, isNew] = ids.try_emplace(
        std::string(name), static_cast<LabelId>(einsum.labels.size()));
    if (isNew)
      einsum.labels.emplace_back(name);
    return it->second;
  }

  std::string_view text;
  Einsum &einsum;
  EinsumError &error;
  size_t pos = 0;
  std::unordered_map<std::string, LabelId> ids;
};
} // namespace

/// First repeated label of `axes`, or labels.size().
static LabelId findRepeated(const Einsum &einsum,
                            const std::vector<LabelId> &axes) {
  std::vector<bool> seen(einsum.labels.size());
  for (LabelId l : axes) {
    if (seen[l])
      return l;
    seen[l] = true;
  }
  return static_cast<LabelId>(einsum.labels.size());
}

static std::vector<bool> operandLabels(const Einsum &einsum) {
  std::vector<bool> used(einsum.labels.size());
  for (const auto &axes : einsum.operands)
    for (LabelId l : axes)
      used[l] = true;
  return used;
}

std::string Einsum::spell(const std::vector<LabelId> &axes) const {
  std::string text;
  for (LabelId l : axes) {
    const std::string &name = labels[l];
    if (name.size() == 1 && isLetter(name[0]))
      text += name;
    else
      text += "{" + name + "}";
  }
  return text;
}

std::string Einsum::str() const {
  std::string text;
  for (size_t i = 0; i < operands.size(); ++i)
    text += (i ? "," : "") + spell(operands[i]);
  return text + "->" + spell(result);
}

bool cma::parseEinsum(std::string_view text, EinsumRules rules, Einsum &einsum,
                      EinsumError &error) {
  einsum = Einsum();
  if (!Parser(text, einsum, error).parse())
    return false;
  if (rules == EinsumRules::Syntax)
    return true;

  auto fail = [&](std::string message, size_t column) {
    error = {std::move(message), column};
    return false;
  };
  size_t resultColumn = text.find("->") + 2;
  auto quoted = [&](LabelId l) { return "'" + einsum.labels[l] + "'"; };

  if (rules == EinsumRules::Broadcast) {
    if (einsum.operands.size() != 1)
      return fail("expected one operand, got " +
                      std::to_string(einsum.operands.size()),
                  0);
    LabelId l = findRepeated(einsum, einsum.operands[0]);
    if (l != einsum.labels.size())
      return fail(
          "expected distinct operand labels, got " + quoted(l) + " twice", 0);
    for (LabelId o : einsum.operands[0])
      if (std::find(einsum.result.begin(), einsum.result.end(), o) ==
          einsum.result.end())
        return fail("expected operand label " + quoted(o) + " in the result",
                    resultColumn);
    return true;
  }

  LabelId l = findRepeated(einsum, einsum.result);
  if (l != einsum.labels.size())
    return fail("expected distinct result labels, got " + quoted(l) + " twice",
                resultColumn);
  std::vector<bool> used = operandLabels(einsum);
  for (LabelId r : einsum.result)
    if (!used[r])
      return fail("expected result label " + quoted(r) + " in an operand",
                  resultColumn);
  return true;
}
