//===- Checkpoints.cpp - Stopping and going on ----------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file writes and reads checkpoints.
//
//===----------------------------------------------------------------------===//

#include "Checkpoints.h"

#include "ExitCode.h"
#include "Progress.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <charconv>

using namespace cma;
using namespace cma::run;
using llvm::StringRef;

using Metadata = std::map<std::string, std::string>;

static constexpr const char *kVersion = "1";
static constexpr const char *kChecksumKey = "checksum";
static constexpr const char *kNone = "none";
static constexpr const char *kScaleChangesKey = "state.scale_changes";

//===----------------------------------------------------------------------===//
// Numbers as text
//===----------------------------------------------------------------------===//

static std::string spell(int64_t value) { return std::to_string(value); }

static std::string spell(double value) { return formatExact(value); }

static std::string spell(const std::optional<double> &value) {
  return value ? spell(*value) : kNone;
}

/// Whether `text` is a number and nothing else.
template <typename Number>
static bool parse(StringRef text, Number &value) {
  auto [end, error] = std::from_chars(text.begin(), text.end(), value);
  return error == std::errc() && end == text.end();
}

static bool parse(StringRef text, std::optional<double> &value) {
  if (text == kNone) {
    value.reset();
    return true;
  }
  return parse(text, value.emplace());
}

static Metadata describeState(const TrainState &state) {
  Metadata metadata;
  visitNumbers(state, kStateNumbers, [&](const char *name, auto value) {
    metadata[std::string("state.") + name] = spell(value);
  });
  std::string changes;
  for (const ScaleChange &change : state.scaleChanges)
    changes += (changes.empty() ? "" : ",") + spell(change.step) + ":" +
               spell(change.scale);
  metadata[kScaleChangesKey] = changes;
  for (auto [i, figures] : llvm::enumerate(state.epochs))
    visitNumbers(
        figures, kEpochNumbers, [&, i = i](const char *name, auto value) {
          metadata["epoch." + std::to_string(i) + "." + name] = spell(value);
        });
  return metadata;
}

/// Reads "STEP:SCALE,..."; false where it is something else.
static bool parse(StringRef text, std::vector<ScaleChange> &changes) {
  while (!text.empty()) {
    auto [change, rest] = text.split(',');
    auto [step, scale] = change.split(':');
    changes.emplace_back();
    if (!parse(step, changes.back().step) ||
        !parse(scale, changes.back().scale))
      return false;
    text = rest;
  }
  return true;
}

/// The state in a checkpoint's metadata; a failure says what is wrong with it.
static StatusOr<TrainState> readState(const Metadata &metadata) {
  TrainState state;
  std::string problem;
  auto read = [&](const std::string &key, auto &value) {
    auto found = metadata.find(key);
    if (problem.empty() && found == metadata.end())
      problem = "missing metadata " + quoteForMessage(key);
    else if (problem.empty() && !parse(found->second, value))
      problem = "metadata " + quoteForMessage(key) +
                ": expected a number, got " + quoteForMessage(found->second);
  };
  visitNumbers(state, kStateNumbers, [&](const char *name, auto &value) {
    read(std::string("state.") + name, value);
  });
  read(kScaleChangesKey, state.scaleChanges);
  // Each epoch has entries: a number beyond their count is no reason to loop.
  for (int64_t i = 0; i < state.epoch && problem.empty(); ++i)
    visitNumbers(state.epochs.emplace_back(), kEpochNumbers,
                 [&](const char *name, auto &value) {
                   read("epoch." + std::to_string(i) + "." + name, value);
                 });
  if (problem.empty() && (state.epoch < 0 || state.batch < 0 ||
                          state.applied < 0 || state.steps < state.applied))
    problem = "the numbers of its state contradict each other";
  if (!problem.empty())
    return Status::error(problem);
  return state;
}

//===----------------------------------------------------------------------===//
// Checksum
//===----------------------------------------------------------------------===//

static std::string hash(StringRef bytes) {
  return llvm::utohexstr(llvm::xxh3_64bits(bytes), /*LowerCase=*/true,
                         /*Width=*/16);
}

/// Of the metadata but the checksum itself, and of all tensors by name.
static std::string computeChecksum(const Metadata &metadata,
                                   std::vector<TensorView> tensors) {
  llvm::sort(tensors, [](const TensorView &a, const TensorView &b) {
    return a.name < b.name;
  });
  std::string text;
  auto add = [&text](const std::string &part) {
    text += std::to_string(part.size()) + ":" + part;
  };
  for (const auto &[key, value] : metadata)
    if (key != kChecksumKey) {
      add(key);
      add(value);
    }
  for (const TensorView &tensor : tensors) {
    add(tensor.name);
    add(describe(tensor.type, tensor.shape));
    add(hash({static_cast<const char *>(tensor.data),
              *countBytes(tensor.type, tensor.shape)}));
  }
  return hash(text);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static void warnAbout(const std::string &path, const std::string &reason) {
  // Messages of the file reader name the file themselves.
  llvm::errs() << "cma-run: warning: passing over a checkpoint that cannot be "
                  "read: "
               << (StringRef(reason).contains(quoteForMessage(path))
                       ? ""
                       : quoteForMessage(path) + ": ")
               << reason << '\n';
}

static std::string lookUp(const Metadata &metadata, const std::string &key) {
  auto found = metadata.find(key);
  return found == metadata.end() ? kNone : found->second;
}

/// Opens a checkpoint as far as its header goes. An error: nothing older may
/// stand in for it. A failed status: it is no checkpoint.
static llvm::Expected<StatusOr<SafetensorsFile>>
openHeader(const std::string &path) {
  StatusOr<SafetensorsFile> file = SafetensorsFile::open(path);
  if (file.failed())
    return file;
  std::string version = lookUp(file->getMetadata(), kCheckpointKey);
  if (version == kVersion)
    return file;
  int64_t number;
  if (!parse(version, number) || number <= 0)
    return StatusOr<SafetensorsFile>(Status::error(
        "not a checkpoint: expected metadata '" + std::string(kCheckpointKey) +
        "' with a version, got " + quoteForMessage(version)));
  return userError(quoteForMessage(path) + ": the checkpoint has version " +
                   version + ", this program reads version " + kVersion);
}

/// Whether the file's checksum is that of its metadata and `tensors`.
static Status checkChecksum(const SafetensorsFile &file,
                            std::vector<TensorView> tensors) {
  std::string stored = lookUp(file.getMetadata(), kChecksumKey);
  std::string actual = computeChecksum(file.getMetadata(), std::move(tensors));
  if (stored != actual)
    return Status::error("expected checksum " + quoteForMessage(stored) +
                         ", got '" + actual + "'");
  return Status::success();
}

/// Reads the file for its checksum alone.
static Status checkContent(const SafetensorsFile &file) {
  std::vector<std::vector<char>> contents;
  std::vector<TensorView> tensors;
  for (const TensorInfo &info : file.getTensors()) {
    contents.emplace_back(*countBytes(info.type, info.shape));
    if (Status status = file.read(info, contents.back().data());
        status.failed())
      return status;
    tensors.push_back(
        {info.name, info.type, info.shape, contents.back().data()});
  }
  return checkChecksum(file, std::move(tensors));
}

/// A run can only go on from its own checkpoint.
llvm::Error Checkpoints::checkRun(const SafetensorsFile &file) const {
  std::string problems =
      findMismatches(file, listKept(model), /*allowOthers=*/true);
  for (const auto &[name, value] : identity) {
    std::string was = lookUp(file.getMetadata(), "run." + name);
    if (was != value)
      problems += (problems.empty() ? "" : "; ") + name +
                  ": the checkpoint has " + quoteForMessage(was) +
                  ", this run has " + quoteForMessage(value);
  }
  if (problems.empty())
    return llvm::Error::success();
  return userError(quoteForMessage(file.getPath()) +
                   ": the checkpoint is of another run: " + problems);
}

/// Nor can it go on from beyond its own end.
llvm::Error Checkpoints::checkPlace(const std::string &path,
                                    const TrainState &state) const {
  if (state.batch > length.steps)
    return userError(quoteForMessage(path) + ": expected at most " +
                     llvm::Twine(length.steps) + " steps of an epoch, got " +
                     llvm::Twine(state.batch));
  int64_t epoch = state.epoch + (state.batch != 0);
  if (epoch > length.epochs)
    return userError(quoteForMessage(path) +
                     ": the checkpoint stands in epoch " + llvm::Twine(epoch) +
                     ", beyond --epochs " + llvm::Twine(length.epochs));
  return llvm::Error::success();
}

/// Moves on to the newest untried checkpoint whose header can be read.
llvm::Error Checkpoints::findCandidate() {
  candidate.reset();
  while (!untried.empty()) {
    CheckpointDirectory::Entry entry = untried.back();
    untried.pop_back();
    auto file = openHeader(entry.path);
    if (!file)
      return file.takeError();
    if (file->failed()) {
      warnAbout(entry.path, file->message());
      continue;
    }
    StatusOr<TrainState> state = readState((*file)->getMetadata());
    if (state.ok() && static_cast<uint64_t>(state->steps) != entry.step)
      state = Status::error("expected " + std::to_string(entry.step) +
                            " steps, as its name says, got " +
                            std::to_string(state->steps));
    if (state.failed()) {
      warnAbout(entry.path, state.message());
      continue;
    }
    llvm::Error error = checkRun(**file);
    if (!error)
      error = checkPlace(entry.path, *state);
    if (error) {
      // A damaged file may look like one of another run.
      Status status = checkContent(**file);
      if (status.ok())
        return error;
      llvm::consumeError(std::move(error));
      warnAbout(entry.path, status.message());
      continue;
    }
    candidate.emplace(Candidate{std::move(**file), std::move(*state)});
    return llvm::Error::success();
  }
  return userError(quoteForMessage(directory.getPath()) +
                   ": none of its checkpoints can be read");
}

llvm::Expected<std::unique_ptr<Checkpoints>>
Checkpoints::open(const CheckpointSettings &settings, const FunctionInfo &model,
                  RunIdentity identity, RunLength length) {
  StatusOr<CheckpointDirectory> directory =
      CheckpointDirectory::open(settings.directory);
  if (directory.failed())
    return toError(directory.getStatus());
  StatusOr<std::vector<CheckpointDirectory::Entry>> entries = directory->list();
  if (entries.failed())
    return toError(entries.getStatus());
  std::unique_ptr<Checkpoints> result(new Checkpoints(
      settings, model, std::move(identity), length, std::move(*directory)));
  if (entries->empty())
    return result;
  if (!settings.resume)
    return userError(quoteForMessage(result->directory.getPath()) +
                     ": expected no checkpoints, since --resume is not given; "
                     "the newest is " +
                     quoteForMessage(entries->front().path));
  result->untried.assign(entries->rbegin(), entries->rend());
  if (llvm::Error error = result->findCandidate())
    return error;
  return result;
}

/// Reads all tensors of the candidate and checks its checksum.
Status Checkpoints::readTensors(ParameterStore &store) const {
  const SafetensorsFile &file = candidate->file;
  for (const TensorInfo &info : file.getTensors())
    if (Status status = file.read(info, store.find(info.name)->data.data());
        status.failed())
      return status;
  return checkChecksum(file, store.views());
}

llvm::Expected<std::string> Checkpoints::resume(ParameterStore &store,
                                                TrainState &state) {
  while (true) {
    std::string path = candidate->file.getPath();
    std::string problems = findMismatches(candidate->file, store.views());
    if (!problems.empty())
      return userError(quoteForMessage(path) + ": " + problems);
    Status status = readTensors(store);
    if (status.ok()) {
      state = std::move(candidate->state);
      last = {state.epoch, state.steps};
      candidate.reset();
      untried.clear();
      return path;
    }
    warnAbout(path, status.message());
    if (llvm::Error error = findCandidate())
      return error;
  }
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

llvm::Expected<std::string> Checkpoints::save(const ParameterStore &store,
                                              const TrainState &state) {
  std::string path = directory.getFile(state.steps);
  std::pair<int64_t, int64_t> current{state.epoch, state.steps};
  if (current == last)
    return path;
  Metadata metadata = describeState(state);
  metadata[kCheckpointKey] = kVersion;
  metadata["cma.model"] = model.name;
  for (const auto &[name, value] : identity)
    metadata["run." + name] = value;
  std::vector<TensorView> tensors = store.views();
  metadata[kChecksumKey] = computeChecksum(metadata, tensors);
  if (Status status =
          directory.write(state.steps, std::move(tensors), metadata,
                          settings.keep == 0 ? kDefaultKeep : settings.keep);
      status.failed())
    return toError(status);
  last = current;
  return path;
}
