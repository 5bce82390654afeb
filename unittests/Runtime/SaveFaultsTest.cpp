//===- SaveFaultsTest.cpp - Saves whose file operations fail --------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every file operation of a save fails in turn, for several reasons. Whatever
// fails, a file that can be read stays under the name, no temporary is left,
// and the message names a file and the reason.
//
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include "TestFiles.h"
#include "cma/Runtime/AtomicFile.h"
#include "cma/Runtime/CheckpointDirectory.h"
#include "cma/Runtime/Safetensors.h"
#include "gtest/gtest.h"
#include <cerrno>
#include <functional>
#include <set>

using namespace cma;
using namespace cma::test;

namespace {

const int kErrors[] = {ENOSPC, EIO, EINTR, 0};

/// What a save is, and what there is before and after it.
struct Save {
  std::function<void(const TemporaryDirectory &)> prepare;
  std::function<Status(const TemporaryDirectory &)> run;
  /// Which contents are there: "old", "new", or anything else where neither is
  /// whole.
  std::function<std::string(const TemporaryDirectory &)> read;
};

std::set<std::string> listNames(const std::string &path) {
  std::set<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(path))
    names.insert(entry.path().filename().string());
  return names;
}

/// What must hold after operation `failed` of a save did not work.
void checkOutcome(const Save &save, const TemporaryDirectory &directory,
                  const Status &status, const std::string &failed, int error) {
  std::string contents = save.read(directory);
  if (error == EINTR || error == 0) {
    // Nothing is lost: the operation is tried again.
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(contents, "new");
    return;
  }
  if (status.ok()) {
    EXPECT_EQ(failed, "close unwritten");
    EXPECT_EQ(contents, "new");
    return;
  }
  EXPECT_TRUE(contents == "old" || contents == "new") << contents;
  EXPECT_NE(status.message().find("'" + directory.path), std::string::npos)
      << status.message();
  EXPECT_NE(status.message().find(std::string(": ") + strerror(error)),
            std::string::npos)
      << status.message();
  // Up to the rename the old contents are there.
  if (failed == "mkstemp" || failed == "fchmod" || failed == "write" ||
      failed == "close" || failed == "rename") {
    EXPECT_EQ(contents, "old") << failed;
  }
}

/// Fails every operation in turn; returns how many there are and which.
std::multiset<std::string> failEach(const Save &save, int error) {
  std::multiset<std::string> operations;
  for (int at = 1; at < 100; ++at) {
    TemporaryDirectory directory;
    save.prepare(directory);
    std::set<std::string> before = listNames(directory.path);
    armFaults(directory.path, at, error);
    Status status = save.run(directory);
    std::string failed = disarmFaults();
    SCOPED_TRACE("operation " + std::to_string(at) + ", " + failed + ", " +
                 (error == 0 ? "short" : strerror(error)));
    if (failed.empty()) {
      EXPECT_TRUE(status.ok()) << status.message();
      EXPECT_EQ(save.read(directory), "new");
      return operations;
    }
    operations.insert(failed);
    checkOutcome(save, directory, status, failed, error);
    for (const std::string &name : listNames(directory.path))
      EXPECT_EQ(name.find(".tmp-"), std::string::npos) << name;
    // It works as soon as the reason is gone.
    Status again = save.run(directory);
    EXPECT_TRUE(again.ok()) << again.message();
    EXPECT_EQ(save.read(directory), "new");
  }
  ADD_FAILURE() << "a save has no hundred operations";
  return operations;
}

void expectOperations(const Save &save,
                      std::initializer_list<const char *> names) {
  for (int error : kErrors) {
    std::multiset<std::string> operations = failEach(save, error);
    if (error != ENOSPC && error != EIO)
      continue;
    for (const char *name : names)
      EXPECT_EQ(operations.count(name),
                static_cast<size_t>(std::count_if(names.begin(), names.end(),
                                                  [name](const char *other) {
                                                    return std::string(name) ==
                                                           other;
                                                  })))
          << name;
    EXPECT_EQ(operations.size(), names.size());
  }
}

Status writeTensor(const std::string &path, float value) {
  std::vector<float> data(1000, value);
  return writeSafetensors(path, {{"t", StorageType::F32, {1000}, data.data()}},
                          {{"value", std::to_string(value)}});
}

/// "old" for a file full of 1, "new" for 2.
std::string readTensor(const std::string &path) {
  StatusOr<SafetensorsFile> file = SafetensorsFile::open(path);
  if (file.failed())
    return file.message();
  std::vector<float> data(1000);
  if (Status status = file->read(*file->find("t"), data.data());
      status.failed())
    return status.message();
  for (float value : {1.0f, 2.0f})
    if (std::all_of(data.begin(), data.end(),
                    [value](float x) { return x == value; }))
      return value == 1 ? "old" : "new";
  return "mixed";
}

} // namespace

TEST(SaveFaults, Text) {
  expectOperations(
      {[](const TemporaryDirectory &d) { writeFile(d.file("r"), "old"); },
       [](const TemporaryDirectory &d) {
         return writeFileAtomically(d.file("r"), "new");
       },
       [](const TemporaryDirectory &d) { return readFile(d.file("r")); }},
      {"mkstemp", "fchmod", "write", "fsync", "close", "rename", "open",
       "fsync", "close unwritten"});
}

TEST(SaveFaults, Tensors) {
  expectOperations(
      {[](const TemporaryDirectory &d) {
         ASSERT_TRUE(writeTensor(d.file("p"), 1).ok());
       },
       [](const TemporaryDirectory &d) { return writeTensor(d.file("p"), 2); },
       [](const TemporaryDirectory &d) { return readTensor(d.file("p")); }},
      {"mkstemp", "fchmod", "write", "write", "write", "fsync", "close",
       "rename", "open", "fsync", "close unwritten"});
}

/// Opens the directory and writes checkpoint 3 beside 1 and 2, keeping one.
static Status saveCheckpoint(const TemporaryDirectory &d) {
  StatusOr<CheckpointDirectory> directory =
      CheckpointDirectory::open(d.file("c"));
  if (directory.failed())
    return directory.getStatus();
  std::vector<float> data(1000, 2);
  return directory->write(3, {{"t", StorageType::F32, {1000}, data.data()}}, {},
                          1);
}

/// The newest checkpoint that can be read; every one that is there must be.
static std::string readCheckpoint(const TemporaryDirectory &d) {
  StatusOr<CheckpointDirectory> directory =
      CheckpointDirectory::open(d.file("c"));
  if (directory.failed())
    return directory.message();
  StatusOr<std::vector<CheckpointDirectory::Entry>> entries = directory->list();
  if (entries.failed())
    return entries.message();
  for (const CheckpointDirectory::Entry &entry : *entries)
    if (std::string contents = readTensor(entry.path);
        contents != (entry.step == 3 ? "new" : "old"))
      return contents;
  if (entries->empty())
    return "none";
  return entries->front().step == 3 ? "new" : "old";
}

TEST(SaveFaults, Checkpoint) {
  Save save = {[](const TemporaryDirectory &d) {
                 StatusOr<CheckpointDirectory> directory =
                     CheckpointDirectory::open(d.file("c"));
                 ASSERT_TRUE(directory.ok()) << directory.message();
                 ASSERT_TRUE(writeTensor(directory->getFile(1), 1).ok());
                 ASSERT_TRUE(writeTensor(directory->getFile(2), 1).ok());
                 // Of a process that died.
                 writeFile(directory->getFile(2) + ".tmp-aB3dE6", "x");
               },
               saveCheckpoint, readCheckpoint};
  for (int error : kErrors) {
    std::multiset<std::string> operations = failEach(save, error);
    if (error == ENOSPC || error == EIO) {
      for (const char *name : {"mkdir", "flock", "opendir", "readdir", "write",
                               "fsync", "rename", "unlink"})
        EXPECT_NE(operations.count(name), 0u) << name;
      // Of the temporary, and of both older checkpoints.
      EXPECT_EQ(operations.count("unlink"), 3u);
    }
  }
}

TEST(SaveFaults, FirstCheckpoint) {
  // "old" is: no checkpoint, and maybe no directory.
  auto read = [](const TemporaryDirectory &d) {
    std::string contents =
        std::filesystem::exists(d.file("c")) ? readCheckpoint(d) : "none";
    return contents == "none" ? "old" : contents;
  };
  for (int error : kErrors)
    failEach({[](const TemporaryDirectory &) {}, saveCheckpoint, read}, error);
}

TEST(SaveFaults, NewFileLeavesNothing) {
  for (int error : {ENOSPC, EIO})
    for (int at = 1; at < 100; ++at) {
      TemporaryDirectory directory;
      armFaults(directory.path, at, error);
      Status status = writeFileAtomically(directory.file("a"), "text");
      std::string failed = disarmFaults();
      if (failed.empty())
        break;
      SCOPED_TRACE(failed);
      // From the rename on, the file is there and whole.
      if (directory.countEntries() != 0) {
        EXPECT_EQ(readFile(directory.file("a")), "text");
      }
      if (failed == "write" || failed == "rename") {
        EXPECT_EQ(directory.countEntries(), 0u);
      }
    }
}
