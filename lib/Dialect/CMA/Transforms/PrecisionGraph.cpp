//===- PrecisionGraph.cpp - A function as a precision problem -------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file builds precision problems.
//
//===----------------------------------------------------------------------===//

#include "PrecisionGraph.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cma;

using Side = PrecisionSide;

PrecisionGraph::PrecisionGraph(func::FuncOp func, const PrecisionPolicy &policy,
                               const RangeAnalysis &ranges,
                               const PrecisionGraphOptions &options)
    : func(func), context(func.getContext()), policy(policy), ranges(ranges),
      options(options) {
  lowNode = addNode(Side::Low);
  highNode = addNode(Side::High);
}

size_t PrecisionGraph::addNode(std::optional<Side> fixed) {
  problem.nodes.push_back({fixed});
  return problem.nodes.size() - 1;
}

/// The node of a type that is not open: nothing for a third one.
std::optional<size_t> PrecisionGraph::getNodeOf(Type type) const {
  if (type.isF32())
    return highNode;
  if (type == policy.getLow())
    return lowNode;
  return std::nullopt;
}

void PrecisionGraph::addValue(Value value, std::optional<size_t> node) {
  if (!getTensorFloat(value))
    return;
  Operation *op = value.getDefiningOp();
  if (!op)
    op = value.getParentBlock()->empty() ? nullptr
                                         : &value.getParentBlock()->front();
  uint64_t count = op ? countExecutions(op) : 1;
  auto getBytes = [&](Type element) {
    return llvm::SaturatingMultiply(getTensorBytes(value.getType(), element),
                                    count);
  };
  Type high = Float32Type::get(context);
  values[value] = problem.values.size();
  problem.values.push_back({node,
                            getBytes(policy.getLow() ? policy.getLow() : high),
                            getBytes(high),
                            {}});
}

void PrecisionGraph::addUse(Value value, std::optional<size_t> node) {
  auto it = values.find(value);
  // A third type is a cast whatever is decided.
  if (it != values.end() && node)
    problem.values[it->second].users.push_back(*node);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// The largest magnitude of values that are known to leave the low type.
std::optional<double> PrecisionGraph::findExcess(ValueRange tensors) const {
  FloatFormat format = getFloatFormat(policy.getLow());
  std::optional<double> excess;
  for (Value value : tensors) {
    if (!getTensorFloat(value))
      continue;
    Interval interval = ranges.getInterval(value);
    bool leaves = options.requireProof ? !isKnownToFit(interval, format)
                                       : isKnownToOverflow(interval, format);
    if (leaves)
      excess = std::max(excess.value_or(0), interval.getMagnitude());
  }
  return excess;
}

bool PrecisionGraph::isProved(PrecisionOpInterface op) const {
  FloatFormat format = getFloatFormat(policy.getLow());
  auto fits = [&](Value value) {
    return !getTensorFloat(value) ||
           isKnownToFit(ranges.getInterval(value), format);
  };
  return llvm::all_of(op->getOperands(), fits) &&
         llvm::all_of(op->getResults(), fits);
}

/// Operands beyond the low type keep the whole op in f32; a result beyond it
/// only the result, where that has its own type.
void PrecisionGraph::applyRanges(PrecisionOpInterface op,
                                 PrecisionPolicy::Verdict &verdict,
                                 Entry &entry, bool &resultOverflows) const {
  if (!policy.getLow() || verdict.reason == PrecisionReason::List)
    return;
  if (verdict.precisionClass == PrecisionClass::Deny) {
    if (op.isSafeInRange() && op.isLegalPrecision(policy.getLow()) &&
        isProved(op))
      verdict = {PrecisionClass::Follow, PrecisionReason::Range};
    return;
  }
  std::optional<double> operands = findExcess(op->getOperands());
  std::optional<double> results = findExcess(op->getResults());
  if (operands || (results && !op.hasFreeResult()))
    verdict = {PrecisionClass::Deny, PrecisionReason::Range};
  else if (results)
    resultOverflows = true;
  if (operands || results)
    entry.excess = std::max(operands.value_or(0), results.value_or(0));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Operands and results in the types in which they were written.
void PrecisionGraph::addFixed(Operation *op) {
  for (Value operand : op->getOperands())
    if (FloatType type = getTensorFloat(operand))
      addUse(operand, getNodeOf(type));
  for (Value result : op->getResults())
    if (FloatType type = getTensorFloat(result))
      addValue(result, getNodeOf(type));
}

static bool hasOnlyF32(Operation *op) {
  auto isF32 = [](Type type) {
    FloatType element = getTensorFloat(type);
    return !element || element.isF32();
  };
  return llvm::all_of(op->getOperandTypes(), isF32) &&
         llvm::all_of(op->getResultTypes(), isF32);
}

void PrecisionGraph::addAnnotated(Operation *op, PrecisionAttr attr,
                                  PrecisionReason reason) {
  bool lowers = isLowerable(op);
  for (Value operand : op->getOperands())
    if (FloatType type = getTensorFloat(operand))
      addUse(operand, getNodeOf(lowers && type.isF32() ? attr.getOperand()
                                                       : Type(type)));
  for (Value result : op->getResults())
    if (FloatType type = getTensorFloat(result))
      addValue(result, getNodeOf(lowers && type.isF32() ? attr.getResult()
                                                        : Type(type)));
  entries.push_back({op, highNode, highNode, reason, attr, {}, {}});
}

/// Whether a contraction would read the low type although the target's unit for
/// it would be filled with zeros.
bool PrecisionGraph::lacksDepth(Operation *op,
                                const PrecisionPolicy::Verdict &verdict) const {
  auto contract = dyn_cast<ContractOp>(op);
  if (policy.getDepth() == 1 || !contract || contract.getInputs().size() < 2 ||
      verdict.precisionClass == PrecisionClass::Deny)
    return false;
  std::optional<uint64_t> summed = countSummed(contract);
  return !summed || *summed % policy.getDepth() != 0;
}

/// What ops of a block share that compute one value: casts do not count.
static std::vector<const void *> getBlockTwinKey(Operation *op) {
  std::vector<const void *> key = getTwinKey(op);
  if (!key.empty())
    key.push_back(op->getBlock());
  return key;
}

/// What ops of a block share that are the same expression, casts included.
static std::vector<const void *> getSameExpressionKey(Operation *op) {
  std::vector<const void *> key = getBlockTwinKey(op);
  if (key.empty())
    return key;
  for (Value operand : op->getOperands())
    key.push_back(operand.getAsOpaquePointer());
  key.push_back(op->getResult(0).getType().getAsOpaquePointer());
  return key;
}

LogicalResult PrecisionGraph::addLowerable(PrecisionOpInterface op) {
  if (failed(policy.checkLegal(op)))
    return failure();
  if (auto it = annotatedTwins.find(getSameExpressionKey(op));
      it != annotatedTwins.end()) {
    addAnnotated(op, it->second, PrecisionReason::User);
    return success();
  }
  PrecisionPolicy::Verdict verdict = policy.classify(op);
  Entry entry{op, 0, 0, verdict.reason, {}, {}, {}};
  bool resultOverflows = false;
  applyRanges(op, verdict, entry, resultOverflows);
  // bf16 needs half the depth, has the range of f32, and sums in f32 as well.
  if (lacksDepth(op, verdict)) {
    Type f32 = Float32Type::get(context);
    addAnnotated(
        op, PrecisionAttr::get(context, BFloat16Type::get(context), f32, f32),
        PrecisionReason::Shape);
    return success();
  }
  entry.reason = verdict.reason;
  bool isFree = op.hasFreeResult();
  switch (verdict.precisionClass) {
  case PrecisionClass::Deny:
    entry.operands = entry.result = highNode;
    break;
  case PrecisionClass::Always:
    entry.operands = lowNode;
    entry.result = isFree ? addNode(std::nullopt) : lowNode;
    break;
  case PrecisionClass::Follow:
  case PrecisionClass::Data:
  case PrecisionClass::Promote:
    entry.operands = addNode(std::nullopt);
    entry.result = isFree ? addNode(std::nullopt) : entry.operands;
    // An autocast gives sums in f32.
    if (isFree)
      problem.nodes[entry.result].preferred = Side::High;
    break;
  }
  // tf32 has no storage, and f8 too few bits for a sum.
  Type low = policy.getLow();
  if (resultOverflows ||
      (isFree && low && (low.isTF32() || low.getIntOrFloatBitWidth() < 16)))
    entry.result = highNode;
  for (Value operand : op->getOperands())
    addUse(operand, entry.operands);
  for (Value result : op->getResults())
    addValue(result, entry.result);
  tieTwins(entry);
  entries.push_back(entry);
  return success();
}

/// What is computed twice in a block has the same bits both times.
void PrecisionGraph::tieTwins(const Entry &entry) {
  std::vector<const void *> key = getBlockTwinKey(entry.op);
  if (key.empty())
    return;
  auto [it, isNew] = twins.try_emplace(key, entries.size());
  if (isNew)
    return;
  const Entry &first = entries[it->second];
  for (auto [a, b] : {std::pair(first.operands, entry.operands),
                      std::pair(first.result, entry.result)})
    // Where ranges decided, they decided each by its own operands.
    if (!problem.nodes[a].fixed || !problem.nodes[b].fixed)
      problem.ties.emplace_back(a, b);
}

LogicalResult PrecisionGraph::addOp(Operation *op) {
  if (failed(checkAnnotations(op)))
    return failure();
  if (carriesValues(op))
    return addCarrier(op);
  // A constant is whatever is asked for, unless it was written otherwise.
  if (isFreeConstant(op) && getTensorFloat(op->getResult(0)).isF32())
    return success();
  if (!needsPrecision(op)) {
    // What a loop carries is added with the loop.
    if (!op->hasTrait<OpTrait::IsTerminator>() ||
        !carriesValues(op->getParentOp()))
      addFixed(op);
    return addRegions(op);
  }
  if (PrecisionAttr attr = getPrecision(op)) {
    addAnnotated(op, attr, PrecisionReason::User);
    return addRegions(op);
  }
  if (isLowerable(op) && hasOnlyF32(op)) {
    if (failed(addLowerable(cast<PrecisionOpInterface>(op))))
      return failure();
    return addRegions(op);
  }
  addFixed(op);
  PrecisionAttr written = describeWritten(op);
  entries.push_back(
      {op,
       highNode,
       highNode,
       hasOnlyF32(op) ? PrecisionReason::Class : PrecisionReason::User,
       written,
       {},
       {}});
  return addRegions(op);
}

/// Block arguments of regions that nothing is known of keep their types.
LogicalResult PrecisionGraph::addRegions(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      for (BlockArgument argument : block.getArguments())
        if (FloatType type = getTensorFloat(argument))
          addValue(argument, getNodeOf(type));
      if (failed(addOps(block)))
        return failure();
    }
  return success();
}

LogicalResult PrecisionGraph::addCarrier(Operation *op) {
  PrecisionAttr kept = getPrecision(op);
  // The list alone is an annotation, too.
  if (!kept && op->hasAttr(kResultTypesAttr))
    kept = PrecisionAttr::get(Float32Type::get(context));
  Entry entry{op, highNode, highNode, PrecisionReason::Cost, {}, {}, {}};
  if (kept)
    entry.reason = PrecisionReason::User;
  entry.kept = kept;
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    FloatType type = getTensorFloat(result);
    std::optional<size_t> node = highNode;
    if (type && kept && type.isF32())
      node = getNodeOf(getCarriedType(op, i));
    else if (type && !type.isF32())
      node = getNodeOf(type);
    else if (type && policy.getLow() && !policy.getLow().isTF32() &&
             !isAccumulated(op, i))
      node = addNode(std::nullopt);
    entry.carried.push_back(node.value_or(highNode));
    if (Value argument = getCarriedArgument(op, i))
      addValue(argument, node);
    for (OpOperand *operand : getCarriedOperands(op, i))
      if (operand->getOwner() == op)
        addUse(operand->get(), node);
  }
  // A loop without floats has nothing to decide.
  bool decides = needsPrecision(op);
  if (decides)
    entries.push_back(entry);
  for (Region &region : op->getRegions())
    if (failed(addOps(region.front())))
      return failure();
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    FloatType type = getTensorFloat(result);
    if (!type)
      continue;
    Type carried = kept && type.isF32() ? getCarriedType(op, i) : Type(type);
    std::optional<size_t> node = entry.carried[i];
    if ((kept || !type.isF32()) && !getNodeOf(carried))
      node = std::nullopt;
    for (OpOperand *operand : getCarriedOperands(op, i))
      if (operand->getOwner() != op)
        addUse(operand->get(), node);
    addValue(result, node);
  }
  return success();
}

LogicalResult PrecisionGraph::addOps(Block &block) {
  for (Operation &op : block)
    if (PrecisionAttr attr = getPrecision(&op))
      if (std::vector<const void *> key = getSameExpressionKey(&op);
          !key.empty())
        annotatedTwins.try_emplace(std::move(key), attr);
  for (Operation &op : block)
    if (failed(addOp(&op)))
      return failure();
  return success();
}

LogicalResult PrecisionGraph::build() { return addRegions(func); }

//===----------------------------------------------------------------------===//
// The answer
//===----------------------------------------------------------------------===//

Type PrecisionGraph::getType(Side side, bool isOperand) const {
  Type high = Float32Type::get(context);
  if (side == Side::High || !policy.getLow())
    return high;
  return policy.getLow().isTF32() && !isOperand ? high : policy.getLow();
}

PrecisionDecision PrecisionGraph::decide(const Entry &entry,
                                         const std::vector<Side> &sides) const {
  PrecisionDecision decision{
      entry.op, entry.kept, entry.reason, {}, entry.excess};
  if (!entry.carried.empty() && !entry.kept) {
    llvm::SmallDenseSet<Type> types;
    for (auto [node, result] :
         llvm::zip(entry.carried, entry.op->getResults())) {
      FloatType written = getTensorFloat(result);
      Type type = getElementTypeOrSelf(result.getType());
      if (written && written.isF32())
        type = getType(sides[node], /*isOperand=*/false);
      decision.carried.push_back(type);
      if (written)
        types.insert(type);
    }
    bool isUniform = types.size() == 1;
    decision.attr = PrecisionAttr::get(
        isUniform ? *types.begin() : Type(Float32Type::get(context)));
    if (isUniform)
      decision.carried.clear();
    return decision;
  }
  if (entry.kept) {
    // What was not f32 keeps its type, which the user need not list.
    bool differs = entry.op->hasAttr(kResultTypesAttr);
    for (size_t i = 0; i < entry.carried.size(); ++i) {
      Value result = entry.op->getResult(i);
      Type type = getElementTypeOrSelf(result.getType());
      if (FloatType written = getTensorFloat(result))
        differs |= !written.isF32() && written != entry.kept.getResult();
      bool isOpen = getTensorFloat(result) && type.isF32();
      decision.carried.push_back(isOpen ? getCarriedType(entry.op, i) : type);
    }
    if (!differs)
      decision.carried.clear();
    return decision;
  }
  Type operand = getType(sides[entry.operands], true);
  Type result = getType(sides[entry.result], false);
  bool hasResult = llvm::any_of(entry.op->getResults(), [](Value value) {
    return bool(getTensorFloat(value));
  });
  decision.attr = PrecisionAttr::get(
      context, operand, PrecisionAttr::getDefaultAccumulate(operand),
      hasResult ? result : PrecisionAttr::getDefaultResult(operand));
  auto isFree = [&](size_t node) { return !problem.nodes[node].fixed; };
  if (isFree(entry.operands) || isFree(entry.result))
    if (entry.reason == PrecisionReason::Class && !entry.excess)
      decision.reason =
          policy.isByMinCut() ? PrecisionReason::Cost : PrecisionReason::List;
  if (entry.excess)
    decision.reason = PrecisionReason::Range;
  return decision;
}

std::vector<PrecisionDecision> PrecisionGraph::solve() const {
  std::vector<Side> sides;
  if (!policy.getLow())
    sides.assign(problem.nodes.size(), Side::High);
  else
    sides =
        policy.isByMinCut() ? solveByMinCut(problem) : solveByLists(problem);
  std::vector<PrecisionDecision> decisions;
  for (const Entry &entry : entries)
    decisions.push_back(decide(entry, sides));
  return decisions;
}
