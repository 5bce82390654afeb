//===- PrecisionPolicy.cpp - Policies and lists ---------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file reads the options of cma-assign-precision.
//
//===----------------------------------------------------------------------===//

#include "PrecisionPolicy.h"

#include "Precision.h"

#include "cma/Analysis/ContractionTarget.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace cma;

StringRef cma::getSpelling(PrecisionReason reason) {
  switch (reason) {
  case PrecisionReason::Class:
    return "class";
  case PrecisionReason::List:
    return "list";
  case PrecisionReason::Range:
    return "range";
  case PrecisionReason::Cost:
    return "cost";
  case PrecisionReason::Shape:
    return "shape";
  case PrecisionReason::User:
    return "user";
  }
  llvm_unreachable("all reasons have a spelling");
}

static InFlightDiagnostic refuse(Location loc, StringRef option) {
  return emitError(loc) << "invalid option '" << option << "': ";
}

/// What an instruction for f8 sums, on all targets that have one.
static constexpr uint64_t kF8Depth = 32;

/// The float type of that name, null where there is none.
static Type parseType(MLIRContext *context, StringRef name) {
  return llvm::StringSwitch<llvm::function_ref<Type()>>(name)
      .Case("f32", [&] { return Type(Float32Type::get(context)); })
      .Case("tf32", [&] { return Type(FloatTF32Type::get(context)); })
      .Case("f64", [&] { return Type(Float64Type::get(context)); })
      .Case("f16", [&] { return Type(Float16Type::get(context)); })
      .Case("bf16", [&] { return Type(BFloat16Type::get(context)); })
      .Case("f8E4M3FN", [&] { return Type(Float8E4M3FNType::get(context)); })
      .Case("f8E5M2", [&] { return Type(Float8E5M2Type::get(context)); })
      .Default([] { return Type(); })();
}

LogicalResult PrecisionPolicy::readType(Location loc,
                                        const PrecisionRequest &request) {
  MLIRContext *context = loc.getContext();
  StringRef policy = request.policy, type = request.type;
  if (policy == "custom") {
    useClasses = false;
    low = parseType(context, type);
    if (!low || low.isF32() || low.isF64())
      return refuse(loc, "type")
             << "expected tf32, f16, bf16, f8E4M3FN or f8E5M2 for the policy "
                "custom, got '"
             << type << "'";
    return success();
  }
  if (!llvm::is_contained({"f32", "tf32", "f16", "bf16"}, policy))
    return refuse(loc, "policy")
           << "expected f32, tf32, f16, bf16 or custom, got '" << policy << "'";
  if (!type.empty())
    return refuse(loc, "type") << "expected none for the policy " << policy
                               << ", which names it, got '" << type << "'";
  low = parseType(context, policy);
  if (low.isF32())
    low = Type();
  return success();
}

LogicalResult PrecisionPolicy::readTarget(Location loc, StringRef name) {
  const TargetModel *target = lookupTarget(std::string_view(name));
  if (!target)
    return refuse(loc, "target")
           << "expected one of " << listTargets() << ", got '" << name << "'";
  if (!low)
    return success();
  std::string spelling;
  llvm::raw_string_ostream(spelling) << low;
  ElementType element;
  // The CPU computes every type in f32.
  if (name != "cpu" && parseElementType(spelling, element) &&
      target->matrixRate[static_cast<unsigned>(element)] == 0)
    return refuse(loc, "target") << "expected a target with contractions of "
                                 << low << ", got '" << name << "'";
  // Sums over ranks of 8 or 16 would fill such an instruction with zeros.
  if (name != "cpu" && isF8(low))
    depth = kF8Depth;
  return success();
}

/// Entries are names of ops: `name` or `+name` puts it into the list, `-name`
/// takes it out, into the class `unlisted`.
LogicalResult PrecisionPolicy::readList(Location loc, StringRef name,
                                        ArrayRef<std::string> entries,
                                        PrecisionClass listed,
                                        PrecisionClass unlisted) {
  for (StringRef entry : entries) {
    bool removes = entry.consume_front("-");
    if (!removes)
      entry.consume_front("+");
    std::optional<RegisteredOperationName> op =
        RegisteredOperationName::lookup(entry, loc.getContext());
    if (!op || !op->hasInterface<PrecisionOpInterface>())
      return refuse(loc, name)
             << "expected the name of an op with a precision class, such as "
                "cma.gelu, perhaps behind '+' or '-', got '"
             << entry << "'";
    auto [it, isNew] = lists.try_emplace(entry, removes ? unlisted : listed);
    if (!isNew)
      return refuse(loc, name) << "expected each op once in all lists, got '"
                               << entry << "' again";
  }
  return success();
}

FailureOr<PrecisionPolicy>
PrecisionPolicy::read(Location loc, const PrecisionRequest &request) {
  PrecisionPolicy policy;
  if (failed(policy.readType(loc, request)) ||
      failed(policy.readTarget(loc, request.target)))
    return failure();
  if (request.solver != "lists" && request.solver != "mincut")
    return refuse(loc, "solver")
           << "expected lists or mincut, got '" << request.solver << "'";
  policy.byMinCut = request.solver == "mincut";
  using Class = PrecisionClass;
  if (failed(policy.readList(loc, "allow", request.allow, Class::Always,
                             Class::Deny)) ||
      failed(policy.readList(loc, "deny", request.deny, Class::Deny,
                             Class::Follow)) ||
      failed(policy.readList(loc, "follow", request.follow, Class::Follow,
                             Class::Deny)))
    return failure();
  return policy;
}

PrecisionPolicy::Verdict
PrecisionPolicy::classify(PrecisionOpInterface op) const {
  if (!low)
    return {PrecisionClass::Deny, PrecisionReason::Class};
  auto it = lists.find(op->getName().getStringRef());
  if (it != lists.end())
    return {it->second, PrecisionReason::List};
  PrecisionClass precisionClass = useClasses && op.isLegalPrecision(low)
                                      ? op.getPrecisionClass(low)
                                      : PrecisionClass::Deny;
  return {precisionClass, PrecisionReason::Class};
}

LogicalResult PrecisionPolicy::checkLegal(PrecisionOpInterface op) const {
  auto it = lists.find(op->getName().getStringRef());
  if (!low || it == lists.end() || it->second == PrecisionClass::Deny ||
      op.isLegalPrecision(low))
    return success();
  SmallVector<StringRef> legal;
  for (StringRef name :
       {"f32", "f64", "tf32", "f16", "bf16", "f8E4M3FN", "f8E5M2"})
    if (op.isLegalPrecision(parseType(op.getContext(), name)))
      legal.push_back(name);
  StringRef last = legal.pop_back_val();
  return op->emitOpError() << "expected no list to ask for " << low
                           << ", which the op may not have: the only legal "
                              "types are "
                           << llvm::join(legal, ", ") << " and " << last;
}
