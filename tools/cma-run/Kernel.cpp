//===- Kernel.cpp - A compiled function and its buffers -------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file binds memory to compiled functions.
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "ExitCode.h"
#include "ParameterStore.h"

using namespace cma;
using namespace cma::run;
using llvm::StringRef;

llvm::Error SharedWorkspace::reserve(int64_t bytes) {
  if (static_cast<uint64_t>(bytes) <= memory.size() && memory.data())
    return llvm::Error::success();
  StatusOr<AlignedBuffer> larger = AlignedBuffer::create(bytes);
  if (larger.failed())
    return userError("workspace: " + larger.message());
  memory = std::move(*larger);
  return llvm::Error::success();
}

static std::vector<int64_t> shapeOf(const cma_buffer_info &info) {
  return {info.shape, info.shape + info.rank};
}

llvm::Expected<Kernel> Kernel::create(std::shared_ptr<CompiledModule> code,
                                      StringRef function,
                                      SharedWorkspace &workspace,
                                      ParameterStore *store) {
  Kernel kernel;
  llvm::Expected<const cma_entry *> entry = code->lookup(function);
  if (!entry)
    return entry.takeError();
  kernel.code = std::move(code);
  kernel.entry = *entry;
  kernel.workspace = &workspace;
  if (llvm::Error error = workspace.reserve(kernel.entry->workspace_bytes))
    return error;
  if (llvm::Error error = kernel.allocate(store))
    return error;
  return kernel;
}

llvm::Error Kernel::allocate(ParameterStore *store) {
  for (int i = 0; i < entry->num_buffers; ++i) {
    const cma_buffer_info &info = entry->buffers[i];
    std::optional<StorageType> type = getStorageType(info.dtype);
    if (!type)
      return userError("entry of '" + llvm::Twine(entry->name) +
                       "': unknown element type " + llvm::Twine(info.dtype));
    StringRef role(info.role);
    if (store && (role == "parameter" || role == "state" || role == "view")) {
      HostTensor *tensor = store->find(info.name);
      assert(tensor && tensor->type == *type &&
             tensor->shape == shapeOf(info) &&
             "the store was made for this model");
      buffers.push_back(tensor->data.data());
      continue;
    }
    llvm::Expected<HostTensor> tensor =
        HostTensor::create(info.name, *type, shapeOf(info));
    if (!tensor)
      return tensor.takeError();
    buffers.push_back(tensor->data.data());
    owned.push_back(std::move(*tensor));
  }
  return llvm::Error::success();
}

const cma_buffer_info &Kernel::getResult(int i) const {
  return entry->buffers[entry->result_buffers[i]];
}

const void *Kernel::getResultData(int i) const {
  return buffers[entry->result_buffers[i]];
}

StorageType Kernel::getResultType(int i) const {
  return *getStorageType(getResult(i).dtype);
}

std::vector<int64_t> Kernel::getResultShape(int i) const {
  return shapeOf(getResult(i));
}

std::optional<int> Kernel::findArgument(StringRef role) const {
  for (int i = 0; i < getNumArguments(); ++i)
    if (role == getArgument(i).role)
      return i;
  return std::nullopt;
}

std::optional<int> Kernel::findResult(StringRef role) const {
  for (int i = 0; i < getNumResults(); ++i)
    if (role == getResult(i).role)
      return i;
  return std::nullopt;
}

cma_status Kernel::run() {
  cma_status status = {};
  status.code = entry->call(buffers.data(), workspace->data(), &status);
  return status;
}

uint64_t Kernel::getOwnBytes() const {
  uint64_t bytes = 0;
  for (const HostTensor &tensor : owned)
    bytes += tensor.data.size();
  return bytes;
}
