//===- GemmSequence.cpp - A planned function as BLAS calls ----------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file turns pairwise contractions into calls of sgemm.
//
//===----------------------------------------------------------------------===//

#include "GemmSequence.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cblas.h>

using namespace mlir;
using namespace cma;

using Labels = std::vector<LabelId>;

static bool contains(const Labels &labels, LabelId label) {
  return llvm::is_contained(labels, label);
}

static Labels concat(Labels first, const Labels &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

static llvm::Error makeError(Operation *op, StringRef why) {
  std::string text;
  llvm::raw_string_ostream(text) << why << ": " << *op;
  return llvm::createStringError(text);
}

/// Finds M, N and K of `C = A B`, with the transposes that make the labels of
/// both operands adjacent. Fails where that needs a copy or a batch.
static bool matchGemm(const Labels &a, const Labels &b, const Labels &c,
                      ArrayRef<int64_t> extents, Gemm &gemm) {
  Labels m, n, k;
  for (LabelId label : c) {
    bool inA = contains(a, label), inB = contains(b, label);
    if (inA == inB)
      return false;
    (inA ? m : n).push_back(label);
  }
  for (LabelId label : a)
    if (!contains(c, label)) {
      if (!contains(b, label))
        return false;
      k.push_back(label);
    }
  if (c != concat(m, n))
    return false;
  gemm.transposeA = a != concat(m, k);
  gemm.transposeB = b != concat(k, n);
  if ((gemm.transposeA && a != concat(k, m)) ||
      (gemm.transposeB && b != concat(n, k)))
    return false;
  auto size = [&](const Labels &labels) {
    int64_t product = 1;
    for (LabelId label : labels)
      product *= extents[label];
    return product;
  };
  gemm.m = size(m);
  gemm.n = size(n);
  gemm.k = size(k);
  return true;
}

llvm::Expected<GemmSequence> GemmSequence::create(func::FuncOp func,
                                                  ArrayRef<float *> arguments) {
  GemmSequence sequence;
  llvm::DenseMap<Value, size_t> bufferOf;
  for (auto [argument, data] : llvm::zip(func.getArguments(), arguments)) {
    bufferOf[argument] = sequence.buffers.size();
    sequence.buffers.push_back(data);
  }
  for (Operation &op : func.getBody().front()) {
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
      bufferOf[op.getResult(0)] = bufferOf.at(op.getOperand(0));
      continue;
    }
    if (auto ret = dyn_cast<func::ReturnOp>(op)) {
      for (Value value : ret.getOperands()) {
        sequence.results.push_back(sequence.buffers[bufferOf.at(value)]);
        sequence.resultSizes.push_back(
            cast<ShapedType>(value.getType()).getNumElements());
      }
      break;
    }
    auto contract = dyn_cast<ContractOp>(op);
    if (!contract || contract.getInputs().size() != 2)
      return makeError(&op, "expected a reshape or a pairwise contraction");

    Einsum einsum = contract.getEinsum();
    SmallVector<int64_t> extents = contract.getLabelExtents();
    Gemm gemm;
    size_t first = 0;
    if (!matchGemm(einsum.operands[0], einsum.operands[1], einsum.result,
                   extents, gemm)) {
      first = 1;
      if (!matchGemm(einsum.operands[1], einsum.operands[0], einsum.result,
                     extents, gemm))
        return makeError(&op, "not one matrix product");
    }
    gemm.a = bufferOf.at(contract.getInputs()[first]);
    gemm.b = bufferOf.at(contract.getInputs()[1 - first]);
    gemm.c = sequence.buffers.size();
    auto bytes = static_cast<uint64_t>(contract.getType().getNumElements()) *
                 sizeof(float);
    StatusOr<AlignedBuffer> buffer = AlignedBuffer::create(bytes);
    if (buffer.failed())
      return llvm::createStringError(buffer.message());
    sequence.buffers.push_back(buffer->as<float>());
    sequence.storage.push_back(std::move(*buffer));
    bufferOf[contract.getResult()] = gemm.c;
    sequence.gemms.push_back(gemm);
  }
  return sequence;
}

void GemmSequence::run() const {
  for (const Gemm &g : gemms)
    cblas_sgemm(CblasRowMajor, g.transposeA ? CblasTrans : CblasNoTrans,
                g.transposeB ? CblasTrans : CblasNoTrans, g.m, g.n, g.k, 1.0f,
                buffers[g.a], g.transposeA ? g.m : g.k, buffers[g.b],
                g.transposeB ? g.k : g.n, 0.0f, buffers[g.c], g.n);
}

double GemmSequence::getFlops() const {
  double flops = 0;
  for (const Gemm &g : gemms)
    flops += 2.0 * g.m * g.n * g.k;
  return flops;
}
