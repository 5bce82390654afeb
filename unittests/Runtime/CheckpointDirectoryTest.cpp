//===- CheckpointDirectoryTest.cpp - Tests of checkpoint directories ------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names, order, removal, locking, and what is left alone.
//
//===----------------------------------------------------------------------===//

#include "cma/Runtime/CheckpointDirectory.h"
#include "TestFiles.h"
#include "gtest/gtest.h"
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cma;
using namespace cma::test;

static Status write(const CheckpointDirectory &directory, uint64_t step,
                    uint64_t keep) {
  float value = static_cast<float>(step);
  return directory.write(step, {{"t", StorageType::F32, {}, &value}},
                         {{"k", "v"}}, keep);
}

static std::vector<uint64_t> steps(const CheckpointDirectory &directory) {
  std::vector<uint64_t> result;
  StatusOr<std::vector<CheckpointDirectory::Entry>> entries = directory.list();
  EXPECT_TRUE(entries.ok());
  for (const CheckpointDirectory::Entry &entry : *entries) {
    EXPECT_TRUE(SafetensorsFile::open(entry.path).ok());
    result.push_back(entry.step);
  }
  return result;
}

TEST(CheckpointDirectory, KeepsTheNewest) {
  TemporaryDirectory temporary;
  StatusOr<CheckpointDirectory> directory =
      CheckpointDirectory::open(temporary.file("c//"));
  ASSERT_TRUE(directory.ok()) << directory.message();
  EXPECT_EQ(directory->getFile(7),
            temporary.file("c/step-00000007.safetensors"));
  EXPECT_EQ(directory->getFile(123456789),
            temporary.file("c/step-123456789.safetensors"));
  EXPECT_EQ(steps(*directory), std::vector<uint64_t>());
  for (uint64_t step : {99999999, 100000000, 3, 5})
    ASSERT_TRUE(write(*directory, step, 10).ok());
  EXPECT_EQ(steps(*directory),
            (std::vector<uint64_t>{100000000, 99999999, 5, 3}));
  // What is newer than the one just written stays.
  ASSERT_TRUE(write(*directory, 7, 2).ok());
  EXPECT_EQ(steps(*directory),
            (std::vector<uint64_t>{100000000, 99999999, 7, 5}));
  ASSERT_TRUE(write(*directory, 7, 1).ok());
  EXPECT_EQ(steps(*directory), (std::vector<uint64_t>{100000000, 99999999, 7}));
  ASSERT_TRUE(write(*directory, 100000001, 1).ok());
  EXPECT_EQ(steps(*directory), (std::vector<uint64_t>{100000001}));
}

TEST(CheckpointDirectory, RemovesOnlyItsOwnTemporaries) {
  TemporaryDirectory temporary;
  std::string path = temporary.file("c");
  ASSERT_TRUE(CheckpointDirectory::open(path).ok());
  const char *others[] = {"step-1.safetensors",
                          "step-00000001.safetensor",
                          "step-000000001.safetensors",
                          "step-.safetensors",
                          "step-0000000x.safetensors",
                          "step-99999999999999999999999.safetensors",
                          "p.tmp-aB3dE6",
                          "step-1.safetensors.tmp-aB3dE6",
                          "step-00000001.safetensors.tmp-aB3dE67",
                          "step-00000001.safetensors.tmp-",
                          "step-00000001.safetensors.bak",
                          ".lock"};
  for (const char *name : others)
    writeFile(path + "/" + name, "x");
  writeFile(path + "/step-00000001.safetensors.tmp-aB3dE6", "x");
  writeFile(path + "/step-123456789.safetensors.tmp-000000", "x");
  StatusOr<CheckpointDirectory> directory = CheckpointDirectory::open(path);
  ASSERT_TRUE(directory.ok());
  EXPECT_TRUE(directory->list()->empty());
  for (const char *name : others)
    EXPECT_EQ(readFile(path + "/" + name), "x") << name;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path),
                          std::filesystem::directory_iterator()),
            static_cast<ptrdiff_t>(std::size(others)));
}

TEST(CheckpointDirectory, OneProcessAtATime) {
  TemporaryDirectory temporary;
  std::string path = temporary.file("c");
  {
    StatusOr<CheckpointDirectory> directory = CheckpointDirectory::open(path);
    ASSERT_TRUE(directory.ok());
    std::string left = path + "/step-00000001.safetensors.tmp-aB3dE6";
    writeFile(left, "being written");
    EXPECT_EQ(CheckpointDirectory::open(path).message(),
              "'" + path + "': another process is using the directory");
    EXPECT_EQ(readFile(left), "being written");
  }
  EXPECT_TRUE(CheckpointDirectory::open(path).ok());
  // A process that dies holds no lock.
  pid_t child = fork();
  if (child == 0) {
    StatusOr<CheckpointDirectory> directory = CheckpointDirectory::open(path);
    _exit(directory.ok() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(CheckpointDirectory::open(path).ok());
}

TEST(CheckpointDirectory, NamesFileAndReason) {
  TemporaryDirectory temporary;
  std::string file = temporary.file("f");
  writeFile(file, "x");
  EXPECT_EQ(CheckpointDirectory::open(file).message(),
            "'" + file + "': expected a directory");
  EXPECT_EQ(CheckpointDirectory::open(file + "/c").message(),
            "cannot make directory '" + file + "/c': Not a directory");
  EXPECT_EQ(CheckpointDirectory::open(temporary.file("no/c")).message(),
            "cannot make directory '" + temporary.file("no/c") +
                "': No such file or directory");
  EXPECT_EQ(CheckpointDirectory::open("").message(),
            "expected the name of a directory, got ''");
  EXPECT_EQ(CheckpointDirectory::open(std::string("a\0b", 3)).message(),
            "expected the name of a directory, got 'a\\x00b'");
  // What is in the way of a checkpoint is neither replaced nor waited for.
  {
    StatusOr<CheckpointDirectory> directory =
        CheckpointDirectory::open(temporary.file("d"));
    ASSERT_TRUE(directory.ok());
    std::string pipe = directory->getFile(1);
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(write(*directory, 1, 1).message(),
              "cannot write '" + pipe +
                  "': expected a regular file in its place");
  }
  // A directory that goes away meanwhile.
  std::string path = temporary.file("c");
  StatusOr<CheckpointDirectory> directory = CheckpointDirectory::open(path);
  ASSERT_TRUE(directory.ok());
  std::filesystem::remove_all(path);
  EXPECT_EQ(write(*directory, 1, 1).message(),
            "cannot write '" + path +
                "/step-00000001.safetensors': No such file or directory");
}
