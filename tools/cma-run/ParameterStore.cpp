//===- ParameterStore.cpp - What a model keeps ----------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file initialises, loads and saves parameters.
//
//===----------------------------------------------------------------------===//

#include "ParameterStore.h"

#include "ExitCode.h"
#include "llvm/ADT/STLExtras.h"

using namespace cma;
using namespace cma::run;
using llvm::StringRef;

llvm::Expected<ParameterStore>
ParameterStore::create(const FunctionInfo &function) {
  ParameterStore store;
  for (const ArgumentInfo &argument : function.arguments) {
    if (!argument.isKept() && argument.viewOf.empty())
      continue;
    if (llvm::is_contained(argument.shape, kDynamic))
      return userError("@" + function.name + ": " + argument.role + " " +
                       quoteForMessage(argument.name) +
                       ": expected a static shape, got " +
                       formatDynamicShape(argument.shape));
    llvm::Expected<HostTensor> tensor =
        HostTensor::create(argument.name, argument.type, argument.shape);
    if (!tensor)
      return tensor.takeError();
    if (argument.viewOf.empty())
      store.tensors.push_back(std::move(*tensor));
    else
      store.weightViews.push_back({argument.viewOf, std::move(*tensor)});
  }
  return store;
}

llvm::Error ParameterStore::initialise(const FunctionInfo &function,
                                       uint64_t seed,
                                       const FunctionInfo *model) {
  for (const ArgumentInfo &argument : function.arguments) {
    if (!argument.isKept() || (model && model->find(argument.name)))
      continue;
    std::string place = "@" + function.name + ": " + argument.role + " " +
                        quoteForMessage(argument.name) + ": ";
    if (!argument.init)
      return userError(place + "expected a cma.init, or a file to --load");
    HostTensor *tensor = find(argument.name);
    Status status = fill(*argument.init, RandomStream(seed, argument.name),
                         tensor->type, tensor->shape, tensor->data.data());
    if (status.failed())
      return userError(place + status.message());
  }
  return llvm::Error::success();
}

std::vector<TensorView> cma::run::listKept(const FunctionInfo &model) {
  std::vector<TensorView> kept;
  for (const ArgumentInfo &argument : model.arguments)
    if (argument.isKept())
      kept.push_back({argument.name, argument.type, argument.shape, nullptr});
  return kept;
}

std::string cma::run::findMismatches(const SafetensorsFile &file,
                                     llvm::ArrayRef<TensorView> wanted,
                                     bool allowOthers) {
  std::string problems;
  auto note = [&](const std::string &name, const std::string &problem) {
    problems += (problems.empty() ? "" : "; ") +
                ("tensor " + quoteForMessage(name) + ": " + problem);
  };
  for (const TensorView &view : wanted) {
    const TensorInfo *tensor = file.find(view.name);
    if (!tensor)
      note(view.name, "missing");
    else if (tensor->type != view.type || tensor->shape != view.shape)
      note(view.name, "expected " + describe(view.type, view.shape) + ", got " +
                          describe(tensor->type, tensor->shape));
  }
  if (allowOthers)
    return problems;
  for (const TensorInfo &tensor : file.getTensors())
    if (llvm::none_of(wanted, [&](const TensorView &view) {
          return view.name == tensor.name;
        }))
      note(tensor.name, "the model has no such parameter or state");
  return problems;
}

llvm::Expected<SafetensorsFile>
ParameterStore::open(const std::string &path, const FunctionInfo &model) {
  StatusOr<SafetensorsFile> file = SafetensorsFile::open(path);
  if (file.failed())
    return toError(file.getStatus());
  bool isCheckpoint = file->getMetadata().count(kCheckpointKey) != 0;
  std::string problems = findMismatches(*file, listKept(model), isCheckpoint);
  if (!problems.empty())
    return userError(quoteForMessage(path) + ": " + problems);
  return std::move(*file);
}

llvm::Error ParameterStore::load(const SafetensorsFile &file,
                                 const FunctionInfo &model) {
  for (const TensorView &kept : listKept(model))
    if (Status status =
            file.read(*file.find(kept.name), find(kept.name)->data.data());
        status.failed())
      return toError(status);
  return llvm::Error::success();
}

llvm::Error ParameterStore::save(const std::string &path,
                                 const FunctionInfo &model) const {
  std::vector<TensorView> views;
  for (const ArgumentInfo &argument : model.arguments)
    if (argument.isKept())
      views.push_back(find(argument.name)->view());
  return toError(
      writeSafetensors(path, std::move(views), {{"cma.model", model.name}}));
}

HostTensor *ParameterStore::find(StringRef name) {
  for (HostTensor &tensor : tensors)
    if (tensor.name == name)
      return &tensor;
  for (WeightView &view : weightViews)
    if (view.tensor.name == name)
      return &view.tensor;
  return nullptr;
}

void ParameterStore::rebuildViews() {
  for (WeightView &view : weightViews) {
    const HostTensor *master = find(view.parameter);
    char *data = static_cast<char *>(view.tensor.data.data());
    for (uint64_t i = 0, e = *countElements(view.tensor.shape); i < e; ++i)
      writeFloat(view.tensor.type, data + i * getElementSize(view.tensor.type),
                 readFloat(master->type, master->data.data(), i));
  }
}

const HostTensor *ParameterStore::find(StringRef name) const {
  return const_cast<ParameterStore *>(this)->find(name);
}

std::string ParameterStore::findNonFinite() const {
  for (const HostTensor &tensor : tensors)
    if (!isFinite(tensor.type, tensor.data.data(),
                  *countElements(tensor.shape)))
      return tensor.name;
  return "";
}

std::vector<TensorView> ParameterStore::views() const {
  std::vector<TensorView> views;
  for (const HostTensor &tensor : tensors)
    views.push_back(tensor.view());
  return views;
}

uint64_t ParameterStore::getBytes() const {
  uint64_t bytes = 0;
  for (const HostTensor &tensor : tensors)
    bytes += tensor.data.size();
  for (const WeightView &view : weightViews)
    bytes += view.tensor.data.size();
  return bytes;
}
