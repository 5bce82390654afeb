//===- SafetensorsHeader.cpp - Checks of a safetensors header -------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file parses a header with a SAX handler, so that a hostile header costs
// no more memory than the tensors it lists, and then checks the layout.
//
//===----------------------------------------------------------------------===//

#include "cma/Runtime/Safetensors.h"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <set>

using namespace cma;
using Json = nlohmann::json;

std::string cma::quoteForMessage(std::string_view text) {
  constexpr size_t limit = 120;
  std::string quoted = "'";
  for (char c : text.substr(0, limit)) {
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) {
      quoted += c;
      continue;
    }
    char escape[8];
    std::snprintf(escape, sizeof(escape), "\\x%02x",
                  static_cast<unsigned>(static_cast<unsigned char>(c)));
    quoted += escape;
  }
  return quoted + (text.size() > limit ? "...'" : "'");
}

namespace {

/// Accepts exactly the header's grammar. Each callback returns whether to go
/// on; after false, `message` says what was wrong.
class HeaderHandler : public nlohmann::json_sax<Json> {
public:
  explicit HeaderHandler(SafetensorsHeader &header) : header(header) {}
  std::string message;

  bool start_object(size_t) override {
    switch (place) {
    case Place::Start:
      place = Place::Top;
      return true;
    case Place::TopValue:
      place = inMetadata ? Place::Metadata : Place::Tensor;
      return true;
    default:
      return unexpected("an object");
    }
  }

  bool key(string_t &name) override {
    if (place == Place::Top)
      return topKey(name);
    if (place == Place::Metadata)
      return metadataKey(name);
    return fieldKey(name);
  }

  bool end_object() override {
    switch (place) {
    case Place::Metadata:
      place = Place::Top;
      return true;
    case Place::Tensor:
      place = Place::Top;
      return finishTensor();
    default: // Only the outermost object is left.
      place = Place::End;
      return true;
    }
  }

  bool start_array(size_t) override {
    if (place == Place::Shape && !inArray)
      return inArray = true;
    if (place == Place::Offsets && !inArray)
      return inArray = true;
    return unexpected("an array");
  }

  bool end_array() override {
    inArray = false;
    if (place == Place::Offsets && offsets.size() != 2)
      return fail("expected 2 numbers in 'data_offsets', got " +
                  std::to_string(offsets.size()));
    place = Place::Tensor;
    return true;
  }

  bool string(string_t &text) override {
    if (place == Place::MetadataValue) {
      header.metadata[metadataName] = text;
      place = Place::Metadata;
      return true;
    }
    if (place != Place::Type)
      return unexpected("a string");
    std::optional<StorageType> type = parseStorageType(text);
    if (!type)
      return fail("unknown dtype " + quoteForMessage(text));
    header.tensors.back().type = *type;
    place = Place::Tensor;
    return true;
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (!inArray)
      return unexpected("a number");
    if (value > static_cast<uint64_t>(INT64_MAX))
      return badNumber(std::to_string(value));
    if (place == Place::Shape)
      header.tensors.back().shape.push_back(static_cast<int64_t>(value));
    else if (offsets.size() < 2)
      offsets.push_back(value);
    else
      return fail("expected 2 numbers in 'data_offsets', got more");
    return true;
  }
  bool number_integer(number_integer_t value) override {
    return inArray ? badNumber(std::to_string(value)) : unexpected("a number");
  }
  bool number_float(number_float_t, const string_t &text) override {
    return inArray ? badNumber(quoteForMessage(text)) : unexpected("a number");
  }
  bool null() override { return unexpected("null"); }
  bool boolean(bool) override { return unexpected("a boolean"); }
  bool binary(binary_t &) override { return unexpected("binary data"); }

  bool parse_error(size_t position, const std::string &,
                   const Json::exception &error) override {
    // The library's own text starts with a bracketed code.
    std::string_view text(error.what());
    size_t end = text.find("] ");
    if (end != std::string_view::npos)
      text.remove_prefix(end + 2);
    message = "header is not valid JSON at byte " + std::to_string(position) +
              ": " + std::string(text);
    return false;
  }

private:
  enum class Place {
    Start,
    Top,
    TopValue,
    Metadata,
    MetadataValue,
    Tensor,
    Type,
    Shape,
    Offsets,
    End
  };

  std::string context() const {
    if (place == Place::Start || place == Place::Top || place == Place::End)
      return "";
    if (inMetadata)
      return "'__metadata__': ";
    return "tensor " + quoteForMessage(header.tensors.back().name) + ": ";
  }

  bool fail(const std::string &reason) {
    message = context() + reason;
    return false;
  }

  bool unexpected(const char *got) {
    const char *expected = "nothing more";
    switch (place) {
    case Place::Start:
      expected = "an object as the header";
      break;
    case Place::TopValue:
      expected = "an object";
      break;
    case Place::MetadataValue:
      return fail("expected a string as the value of " +
                  quoteForMessage(metadataName) + ", got " + got);
    case Place::Type:
      expected = "a string as 'dtype'";
      break;
    case Place::Shape:
      expected = inArray ? "a number in 'shape'" : "an array as 'shape'";
      break;
    case Place::Offsets:
      expected =
          inArray ? "a number in 'data_offsets'" : "an array as 'data_offsets'";
      break;
    default:
      break;
    }
    return fail(std::string("expected ") + expected + ", got " + got);
  }

  bool badNumber(const std::string &value) {
    const char *field = place == Place::Shape ? "shape" : "data_offsets";
    return fail(std::string("expected whole numbers from 0 to 2^63-1 in '") +
                field + "', got " + value);
  }

  bool topKey(const std::string &name) {
    if (!names.insert(name).second) {
      message = "duplicate key " + quoteForMessage(name);
      return false;
    }
    inMetadata = name == "__metadata__";
    if (!inMetadata) {
      header.tensors.emplace_back();
      header.tensors.back().name = name;
      offsets.clear();
      hasType = hasShape = hasOffsets = false;
    }
    place = Place::TopValue;
    return true;
  }

  bool metadataKey(const std::string &name) {
    if (header.metadata.count(name))
      return fail("duplicate key " + quoteForMessage(name));
    metadataName = name;
    place = Place::MetadataValue;
    return true;
  }

  bool fieldKey(const std::string &name) {
    bool *seen;
    Place next;
    if (name == "dtype") {
      seen = &hasType;
      next = Place::Type;
    } else if (name == "shape") {
      seen = &hasShape;
      next = Place::Shape;
    } else if (name == "data_offsets") {
      seen = &hasOffsets;
      next = Place::Offsets;
    } else {
      return fail("unknown field " + quoteForMessage(name));
    }
    if (*seen)
      return fail("duplicate field " + quoteForMessage(name));
    *seen = true;
    place = next;
    return true;
  }

  /// All that concerns one tensor alone, but for the size of the file.
  bool finishTensor() {
    place = Place::Tensor; // For context().
    if (!hasType || !hasShape || !hasOffsets)
      return fail(std::string("missing field '") +
                  (!hasType    ? "dtype"
                   : !hasShape ? "shape"
                               : "data_offsets") +
                  "'");
    TensorInfo &tensor = header.tensors.back();
    std::optional<uint64_t> bytes = countBytes(tensor.type, tensor.shape);
    if (!bytes)
      return fail("the size of shape " + formatShape(tensor.shape) + " of " +
                  getName(tensor.type) + " is beyond 2^63-1 bytes");
    if (offsets[0] > offsets[1])
      return fail("data_offsets begin at " + std::to_string(offsets[0]) +
                  ", after their end at " + std::to_string(offsets[1]));
    tensor.begin = offsets[0];
    tensor.end = offsets[1];
    if (tensor.byteCount() != *bytes)
      return fail("data_offsets span " + std::to_string(tensor.byteCount()) +
                  " bytes, but shape " + formatShape(tensor.shape) + " of " +
                  getName(tensor.type) + " needs " + std::to_string(*bytes));
    place = Place::Top;
    return true;
  }

  SafetensorsHeader &header;
  Place place = Place::Start;
  bool inArray = false, inMetadata = false;
  bool hasType = false, hasShape = false, hasOffsets = false;
  std::vector<uint64_t> offsets;
  std::string metadataName;
  std::set<std::string> names;
};

} // namespace

/// Checks that the non-empty tensors tile the data; returns what is wrong.
static std::string checkLayout(const SafetensorsHeader &header,
                               uint64_t dataSize) {
  std::vector<const TensorInfo *> order;
  for (const TensorInfo &tensor : header.tensors) {
    if (tensor.end > dataSize)
      return "tensor " + quoteForMessage(tensor.name) + ": data ends at byte " +
             std::to_string(tensor.end) + ", but the file has " +
             std::to_string(dataSize) + " bytes of data";
    if (tensor.byteCount() != 0)
      order.push_back(&tensor);
  }
  std::sort(order.begin(), order.end(),
            [](const TensorInfo *a, const TensorInfo *b) {
              return a->begin < b->begin;
            });
  uint64_t covered = 0;
  const TensorInfo *last = nullptr;
  for (const TensorInfo *tensor : order) {
    if (tensor->begin < covered)
      return "tensors " + quoteForMessage(last->name) + " and " +
             quoteForMessage(tensor->name) +
             " overlap: the first ends at byte " + std::to_string(covered) +
             ", the second begins at byte " + std::to_string(tensor->begin);
    if (tensor->begin > covered)
      return "tensor " + quoteForMessage(tensor->name) +
             ": data begins at byte " + std::to_string(tensor->begin) +
             " and leaves a hole from byte " + std::to_string(covered);
    covered = tensor->end;
    last = tensor;
  }
  if (covered != dataSize)
    return "trailing bytes: the tensors end at byte " +
           std::to_string(covered) + ", but the file has " +
           std::to_string(dataSize) + " bytes of data";
  return "";
}

StatusOr<SafetensorsHeader>
cma::parseSafetensorsHeader(std::string_view text, uint64_t dataSize,
                            const std::string &file) {
  auto refuse = [&file](const std::string &reason) {
    return Status::error(quoteForMessage(file) + ": " + reason);
  };
  if (text.empty() || text.front() != '{')
    return refuse("expected the header to start with '{'");
  while (text.back() == ' ')
    text.remove_suffix(1);
  try {
    SafetensorsHeader header;
    HeaderHandler handler(header);
    if (!Json::sax_parse(text.begin(), text.end(), &handler))
      return refuse(handler.message);
    std::string reason = checkLayout(header, dataSize);
    if (!reason.empty())
      return refuse(reason);
    return StatusOr<SafetensorsHeader>(std::move(header));
  } catch (const std::exception &error) { // Out of memory.
    return refuse(std::string("cannot read the header: ") + error.what());
  }
}
