//===- Dataset.cpp - Samples of a data file -------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file loads and checks data sets.
//
//===----------------------------------------------------------------------===//

#include "Dataset.h"

#include "ExitCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <cstring>

using namespace cma;
using namespace cma::run;
using llvm::StringRef;

/// Whether a tensor of the file can feed the argument; the first extent is
/// free.
static bool matches(const TensorInfo &tensor, const ArgumentInfo &argument) {
  return tensor.type == argument.type &&
         tensor.shape.size() == argument.shape.size() &&
         std::equal(tensor.shape.begin() + 1, tensor.shape.end(),
                    argument.shape.begin() + 1);
}

/// The tensor of `file` for `argument`, checked.
static llvm::Expected<const TensorInfo *>
findTensor(const SafetensorsFile &file, const ArgumentInfo &argument) {
  std::string place = quoteForMessage(file.getPath()) + ": ";
  const TensorInfo *tensor = file.find(argument.name);
  if (!tensor) {
    auto names = llvm::map_range(file.getTensors(), [](const TensorInfo &t) {
      return quoteForMessage(t.name);
    });
    return userError(
        place + "no tensor " + quoteForMessage(argument.name) +
        " for the data argument of that name; the file has: " +
        (file.getTensors().empty() ? "none" : llvm::join(names, ", ")));
  }
  if (!matches(*tensor, argument)) {
    std::vector<int64_t> expected = argument.shape;
    expected.front() = kDynamic;
    return userError(place + "tensor " + quoteForMessage(argument.name) +
                     ": expected " + describe(argument.type, expected) +
                     ", got " + describe(tensor->type, tensor->shape));
  }
  return tensor;
}

llvm::Expected<Dataset> Dataset::load(const std::string &path,
                                      const FunctionInfo &function) {
  StatusOr<SafetensorsFile> file = SafetensorsFile::open(path);
  if (file.failed())
    return toError(file.getStatus());
  Dataset set;
  set.path = path;
  // All checks come before memory is taken.
  std::vector<const TensorInfo *> found;
  for (const ArgumentInfo &argument : function.arguments) {
    if (argument.role != "data")
      continue;
    if (argument.shape.empty())
      return userError("@" + function.name + ": data argument " +
                       quoteForMessage(argument.name) +
                       ": expected a first axis for the samples, got a scalar");
    llvm::Expected<const TensorInfo *> tensor = findTensor(*file, argument);
    if (!tensor)
      return tensor.takeError();
    found.push_back(*tensor);
    if (found.front()->shape.front() != (*tensor)->shape.front())
      return userError(quoteForMessage(path) + ": tensor " +
                       quoteForMessage((*tensor)->name) + " has " +
                       llvm::Twine((*tensor)->shape.front()) +
                       " samples, but " + quoteForMessage(found.front()->name) +
                       " has " + llvm::Twine(found.front()->shape.front()));
  }
  if (found.empty())
    return userError("@" + function.name +
                     ": expected an argument of role \"data\", got none");
  set.samples = found.front()->shape.front();
  if (set.samples == 0)
    return userError(quoteForMessage(path) + ": the data set is empty");
  for (const TensorInfo *info : found) {
    llvm::Expected<HostTensor> tensor = HostTensor::read(*file, *info);
    if (!tensor)
      return tensor.takeError();
    set.tensors.push_back(std::move(*tensor));
  }
  return set;
}

const HostTensor *Dataset::find(const char *name) const {
  for (const HostTensor &tensor : tensors)
    if (name && tensor.name == name)
      return &tensor;
  return nullptr;
}

const HostTensor &Dataset::get(StringRef name) const {
  const HostTensor *tensor = find(name.str().c_str());
  assert(tensor && "load() read every data argument");
  return *tensor;
}

std::string Dataset::getFingerprint() const {
  std::string text;
  for (const HostTensor &tensor : tensors) {
    StringRef bytes(tensor.data.as<char>(), tensor.data.size());
    text += quoteForMessage(tensor.name) + describe(tensor.type, tensor.shape) +
            llvm::utohexstr(llvm::xxh3_64bits(bytes)) + "\n";
  }
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true,
                         /*Width=*/16);
}

void Dataset::gather(StringRef name, llvm::ArrayRef<int64_t> rows,
                     void *to) const {
  const HostTensor &tensor = get(name);
  uint64_t bytes = tensor.getRowBytes();
  const char *from = tensor.data.as<char>();
  char *next = static_cast<char *>(to);
  for (int64_t row : rows) {
    std::memcpy(next, from + static_cast<uint64_t>(row) * bytes, bytes);
    next += bytes;
  }
}
