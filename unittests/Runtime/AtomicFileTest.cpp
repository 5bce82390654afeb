//===- AtomicFileTest.cpp - Tests of atomic file writing ------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file is replaced whole or left alone, and no temporary remains.
//
//===----------------------------------------------------------------------===//

#include "cma/Runtime/AtomicFile.h"
#include "TestFiles.h"
#include "cma/Runtime/Safetensors.h"
#include "gtest/gtest.h"
#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace cma;
using namespace cma::test;

TEST(AtomicFile, WritesAndReplaces) {
  TemporaryDirectory directory;
  std::string path = directory.file("a");
  ASSERT_TRUE(writeFileAtomically(path, "one").ok());
  EXPECT_EQ(readFile(path), "one");
  ASSERT_TRUE(writeFileAtomically(path, "two").ok());
  EXPECT_EQ(readFile(path), "two");
  EXPECT_EQ(directory.countEntries(), 1u);
}

TEST(AtomicFile, WithoutCommitNothingChanges) {
  TemporaryDirectory directory;
  std::string path = directory.file("a");
  writeFile(path, "old");
  {
    StatusOr<AtomicFile> file = AtomicFile::create(path);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->write("new", 3).ok());
    EXPECT_EQ(directory.countEntries(), 2u);
  }
  EXPECT_EQ(readFile(path), "old");
  EXPECT_EQ(directory.countEntries(), 1u);
}

TEST(AtomicFile, KeepsModeAndFollowsLinks) {
  TemporaryDirectory directory;
  std::string path = directory.file("a"), link = directory.file("link");
  writeFile(path, "old");
  chmod(path.c_str(), 0640);
  ASSERT_EQ(symlink("a", link.c_str()), 0);
  ASSERT_TRUE(writeFileAtomically(link, "new").ok());
  struct stat info;
  ASSERT_EQ(lstat(link.c_str(), &info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
  EXPECT_EQ(readFile(path), "new");
}

TEST(AtomicFile, NewFileHasTheUsualMode) {
  TemporaryDirectory directory;
  std::string path = directory.file("a");
  mode_t mask = umask(027);
  ASSERT_TRUE(writeFileAtomically(path, "x").ok());
  umask(mask);
  struct stat info;
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST(AtomicFile, NamesFileAndReason) {
  TemporaryDirectory directory;
  std::string path = directory.file("no/such");
  EXPECT_EQ(writeFileAtomically(path, "x").message(),
            "cannot write '" + path + "': No such file or directory");
  EXPECT_EQ(writeFileAtomically(directory.path, "x").message(),
            "cannot write '" + directory.path + "': Is a directory");
  std::string file = directory.file("a");
  writeFile(file, "old");
  EXPECT_EQ(writeFileAtomically(file + "/b", "x").message(),
            "cannot write '" + file + "/b': Not a directory");
  EXPECT_EQ(writeFileAtomically("", "x").message(),
            "expected a file name, got ''");
  EXPECT_EQ(directory.countEntries(), 1u);
}

TEST(AtomicFile, FullDeviceIsAnError) {
  EXPECT_EQ(writeFileAtomically("/dev/full", "x").message(),
            "cannot write '/dev/full': No space left on device");
}

TEST(AtomicFile, FailedWriteLeavesTheOldFile) {
  TemporaryDirectory directory;
  std::string path = directory.file("a");
  writeFile(path, "old");
  // A limit on the size of files makes write() fail half way.
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = {4096, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  std::string data(10000, 'x');
  Status bytes = writeFileAtomically(path, data);
  Status tensors =
      writeSafetensors(path, {{"t", StorageType::I8, {10000}, data.data()}});
  std::signal(SIGXFSZ, handler);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  ASSERT_TRUE(bytes.failed());
  EXPECT_EQ(bytes.message(), "cannot write '" + path + "': File too large");
  ASSERT_TRUE(tensors.failed());
  EXPECT_EQ(tensors.message(), "cannot write '" + path + "': File too large");
  EXPECT_EQ(readFile(path), "old");
  EXPECT_EQ(directory.countEntries(), 1u);
}
