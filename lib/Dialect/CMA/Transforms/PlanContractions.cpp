//===- PlanContractions.cpp - Contractions to planned steps ---------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements cma-plan-contractions: it gathers networks, has them
// planned, and writes the steps into the module.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/Transforms/PlanContractions.h"
#include "ContractionFlattening.h"
#include "PrecisionListener.h"

#include "cma/Dialect/CMA/Transforms/Passes.h"
#include "cma/Runtime/AtomicFile.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <chrono>

namespace cma {
#define GEN_PASS_DEF_CMAPLANCONTRACTIONSPASS
#include "cma/Dialect/CMA/Transforms/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

static StringRef toStringRef(std::string_view text) {
  return {text.data(), text.size()};
}

bool WantedRequest::parse(StringRef text, WantedRequest &request,
                          std::string &error) {
  request = WantedRequest();
  if (text == "auto")
    return true;
  if (text == "all") {
    request.kind = All;
    return true;
  }
  request.kind = List;
  SmallVector<StringRef> items;
  text.split(items, ',');
  for (StringRef item : items) {
    uint64_t number;
    if (item == "result") {
      request.result = true;
    } else if (!item.empty() && !item.getAsInteger(10, number)) {
      request.operands.push_back(number);
    } else {
      error = ("expected 'auto', 'all', or a comma list of 'result' and "
               "operand numbers, got '" +
               text + "'")
                  .str();
      return false;
    }
  }
  llvm::sort(request.operands);
  request.operands.erase(llvm::unique(request.operands),
                         request.operands.end());
  return true;
}

/// The type whose size and rate come nearest. Integers are only moved.
static ElementType getPlannedType(Type type) {
  if (type.isF64())
    return ElementType::F64;
  if (type.isF16())
    return ElementType::F16;
  if (type.isBF16())
    return ElementType::BF16;
  if (isa<Float8E4M3FNType>(type))
    return ElementType::F8E4M3FN;
  if (isa<Float8E5M2Type>(type))
    return ElementType::F8E5M2;
  if (type.isInteger(64) || type.isIndex())
    return ElementType::F64;
  return ElementType::F32;
}

static LogicalResult checkStatic(ContractOp op) {
  for (auto [i, value] : llvm::enumerate(op.getInputs()))
    if (!cast<RankedTensorType>(value.getType()).hasStaticShape())
      return op->emitOpError()
             << "expected operand #" << i << " to have a static shape, got "
             << value.getType() << "; run cma-specialize first";
  return success();
}

namespace {
/// Plans the networks of one module.
class ModulePlanner {
public:
  ModulePlanner(ModuleOp module, const PlanContractionsConfig &config,
                std::vector<PlannedNetwork> &networks)
      : module(module), config(config), networks(networks),
        planner(config.planner) {}

  LogicalResult run() {
    dependents = findParameterDependents(module);
    SmallVector<ContractOp> roots;
    WalkResult checked = module.walk([&](ContractOp op) {
      if (op.getPlanned())
        return WalkResult::advance();
      if (failed(checkStatic(op)))
        return WalkResult::interrupt();
      if (!config.flatten || !isAbsorbed(op))
        roots.push_back(op);
      return WalkResult::advance();
    });
    if (checked.wasInterrupted())
      return failure();
    for (ContractOp root : roots)
      if (failed(planNetwork(root)))
        return failure();
    return success();
  }

private:
  LogicalResult planNetwork(ContractOp root) {
    FlatNetwork flat = flattenContraction(root, config.flatten);
    PlannedNetwork planned;
    setName(root, planned);
    planned.einsum = flat.einsum;
    planned.objective = config.planner.objective;
    if (failed(makeNetwork(flat, planned.network)))
      return failure();
    auto start = std::chrono::steady_clock::now();
    planned.plan = choosePlan(root, planned.network);
    planned.searchMilliseconds = std::chrono::duration<double, std::milli>(
                                     std::chrono::steady_clock::now() - start)
                                     .count();
    if (failed(checkSizes(root, planned)))
      return failure();
    remark(root, planned);
    rewrite(flat, planned);
    networks.push_back(std::move(planned));
    return success();
  }

  void setName(ContractOp root, PlannedNetwork &planned) {
    auto func = root->getParentOfType<FunctionOpInterface>();
    if (func)
      planned.function = func.getName().str();
    if (func != currentFunction) {
      currentFunction = func;
      numInFunction = 0;
    }
    unsigned number = numInFunction++;
    auto name = root->getAttrOfType<StringAttr>(kNameAttr);
    planned.name =
        name ? name.str() : planned.function + "/" + std::to_string(number);
  }

  LogicalResult makeNetwork(const FlatNetwork &flat,
                            ContractionNetwork &network) {
    network.operands = flat.einsum.operands;
    network.result = flat.einsum.result;
    network.extents = flat.extents;
    ContractOp root = flat.root;
    network.computeType = config.computeType.value_or(
        getPlannedType(getElementTypeOrSelf(root.getResult().getType())));
    return setWanted(flat, network.wanted);
  }

  LogicalResult setWanted(const FlatNetwork &flat, WantedTargets &wanted) {
    size_t numOperands = flat.operands.size();
    wanted.operands.assign(numOperands, false);
    switch (config.wanted.kind) {
    case WantedRequest::Auto:
      for (auto [i, value] : llvm::enumerate(flat.operands))
        wanted.operands[i] = dependents.contains(value);
      return success();
    case WantedRequest::All:
      wanted = WantedTargets::all(numOperands);
      return success();
    case WantedRequest::List:
      wanted.result = config.wanted.result;
      for (size_t operand : config.wanted.operands) {
        if (operand >= numOperands) {
          ContractOp root = flat.root;
          return root->emitOpError()
                 << "expected wanted operand numbers below " << numOperands
                 << " for \"" << flat.einsum.str() << "\", got " << operand;
        }
        wanted.operands[operand] = true;
      }
      return success();
    }
    return success();
  }

  ContractionPlan choosePlan(ContractOp root,
                             const ContractionNetwork &network) {
    ContractionPath path;
    for (ArrayRef<int64_t> step : root.getPathSteps())
      path.emplace_back(step.begin(), step.end());
    // On one operand, no step says the same as no path.
    return path.empty() ? planner.plan(network)
                        : planner.evaluate(network, path);
  }

  /// An intermediate is a tensor like any other (cma_c1).
  LogicalResult checkSizes(ContractOp root, const PlannedNetwork &planned) {
    U128 largest = planned.plan.costs.largestIntermediate;
    if (largest <= U128(INT64_MAX))
      return success();
    return root->emitOpError()
           << "expected intermediates of at most 2^63 - 1 elements, the order "
              "found for \""
           << planned.einsum.str() << "\" makes one of "
           << (largest.isSaturated() ? "2^128 or more" : largest.str());
  }

  void remark(ContractOp root, const PlannedNetwork &planned) {
    const ContractionPlan &plan = planned.plan;
    remark::passed(root.getLoc(), remark::RemarkOpts::name("Contraction")
                                      .category("cma-plan-contractions")
                                      .function(planned.function))
        << remark::metric("network", planned.name)
        << remark::metric("steps", plan.steps.size())
        << remark::metric("mults", plan.costs.mults.str())
        << remark::metric("left_to_right", plan.leftToRightMults.str())
        << remark::metric("step_mults", plan.costs.stepMults.str())
        << remark::metric("optimal", plan.provedOptimal ? "yes" : "unproved");
  }

  void rewrite(FlatNetwork &flat, const PlannedNetwork &planned) {
    ContractOp root = flat.root;
    OpBuilder builder(root);
    SmallVector<Value> values(flat.operands);
    Type element = root.getResult().getType().getElementType();
    for (const PlannedStep &step :
         spellSteps(planned.network, planned.plan.steps)) {
      SmallVector<Value> inputs = {values[step.lhs]};
      Einsum einsum;
      einsum.labels = flat.einsum.labels;
      einsum.operands = {step.lhsAxes};
      if (step.rhs != ContractionStep::none) {
        inputs.push_back(values[step.rhs]);
        einsum.operands.push_back(step.rhsAxes);
      }
      einsum.result = step.outAxes;
      SmallVector<int64_t> shape;
      for (LabelId label : step.outAxes)
        shape.push_back(flat.extents[label]);
      values.push_back(createStep(builder, root,
                                  RankedTensorType::get(shape, element), einsum,
                                  inputs));
    }
    // What only moves data has no steps, and stays one op.
    if (planned.plan.steps.empty())
      values.push_back(createStep(builder, root, root.getResult().getType(),
                                  flat.einsum, flat.operands));
    values.back().getDefiningOp()->setDiscardableAttrs(
        root->getDiscardableAttrDictionary());
    // Later networks ask about the new value; the address of an erased one may
    // come to be that of another.
    bool depends = dependents.contains(root.getResult());
    root.getResult().replaceAllUsesWith(values.back());
    erase(root);
    for (ContractOp op : flat.absorbed)
      erase(op);
    if (depends)
      dependents.insert(values.back());
  }

  void erase(ContractOp op) {
    dependents.erase(op.getResult());
    op->erase();
  }

  static Value createStep(OpBuilder &builder, ContractOp root, Type type,
                          const Einsum &einsum, ValueRange inputs) {
    auto step =
        ContractOp::create(builder, root.getLoc(), type, einsum, inputs);
    step.setPlanned(true);
    step.setAccumulateAttr(root.getAccumulateAttr());
    passPrecisionOn(root, step);
    return step.getResult();
  }

  ModuleOp module;
  const PlanContractionsConfig &config;
  std::vector<PlannedNetwork> &networks;
  ContractionPlanner planner;
  DenseSet<Value> dependents;
  FunctionOpInterface currentFunction;
  unsigned numInFunction = 0;
};
} // namespace

LogicalResult cma::planContractions(ModuleOp module,
                                    const PlanContractionsConfig &config,
                                    std::vector<PlannedNetwork> &networks) {
  return ModulePlanner(module, config, networks).run();
}

namespace {
struct PlanContractionsPass
    : cma::impl::CMAPlanContractionsPassBase<PlanContractionsPass> {
  using CMAPlanContractionsPassBase::CMAPlanContractionsPassBase;

  void runOnOperation() override {
    PlanContractionsConfig config;
    std::vector<PlannedNetwork> networks;
    if (failed(readOptions(config)) ||
        failed(planContractions(getOperation(), config, networks)) ||
        failed(writeReport(networks)))
      signalPassFailure();
  }

private:
  /// What is wrong with the value of an option.
  LogicalResult refuse(StringRef option, const Twine &message) {
    // At the module's location, without a print of the whole module.
    return emitError(getOperation().getLoc())
           << "invalid option '" << option << "': " << message;
  }

  LogicalResult readOptions(PlanContractionsConfig &config) {
    PlannerOptions &planner = config.planner;
    if (!parseObjective(objective.getValue(), planner.objective))
      return refuse("objective", "expected time, flops, mults or peak, got '" +
                                     Twine(objective) + "'");
    planner.target = lookupTarget(target.getValue());
    if (!planner.target)
      return refuse("target", "expected one of " + listTargets() + ", got '" +
                                  Twine(target) + "'");
    if (maxExact < 1 || maxExact > PlannerOptions::largestMaxExact)
      return refuse("max-exact", "expected a number from 1 to " +
                                     Twine(PlannerOptions::largestMaxExact) +
                                     ", got " + Twine(maxExact));
    planner.maxExact = static_cast<unsigned>(maxExact);
    if (seed < 0)
      return refuse("seed", "expected a number from 0, got " + Twine(seed));
    planner.seed = static_cast<uint64_t>(seed);
    config.flatten = flatten;
    std::string error;
    if (!WantedRequest::parse(wanted, config.wanted, error))
      return refuse("wanted", error);
    return readComputeType(config);
  }

  LogicalResult readComputeType(PlanContractionsConfig &config) {
    if (computeType.empty())
      return success();
    ElementType type;
    if (parseElementType(computeType.getValue(), type)) {
      config.computeType = type;
      return success();
    }
    std::string names;
    for (unsigned i = 0; i < numElementTypes; ++i)
      names += (i ? ", " : "") +
               toStringRef(getElementTypeName(ElementType(i))).str();
    return refuse("compute-type", "expected one of " + names + ", got '" +
                                      Twine(computeType) + "'");
  }

  LogicalResult writeReport(ArrayRef<PlannedNetwork> networks) {
    if (report.empty())
      return success();
    Status status = writeFileAtomically(report, writePlanReport(networks));
    if (!status.ok())
      return refuse("report", status.message());
    return success();
  }
};
} // namespace
