//===- Checkpoints.h - Stopping and going on --------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the checkpoints of a training run. Beside the tensors of
// the parameter store, a checkpoint's `__metadata__` has
//
//   cma.checkpoint  the version of this format, 1
//   cma.model       name of the model's function
//   checksum        of everything else
//   run.*           what has to be the same in a run that goes on from it
//   state.*         the numbers of TrainState
//   epoch.N.*       the figures of epoch N, from 0; "none" where absent
//
// The order of an epoch's samples is a function of the seed and the epoch, so
// that the number of batches done is the position in the data.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_CHECKPOINTS_H
#define CMA_TOOLS_CMA_RUN_CHECKPOINTS_H

#include "ParameterStore.h"
#include "TrainState.h"
#include "cma/Runtime/CheckpointDirectory.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cma::run {

/// The newest, and one to fall back on.
inline constexpr int64_t kDefaultKeep = 2;

struct CheckpointSettings {
  std::string directory; ///< Empty: no checkpoints.
  int64_t every = 0;     ///< In steps; 0: the steps of an epoch.
  int64_t keep = 0;      ///< 0: kDefaultKeep.
  bool resume = false;
};

/// Names and values that tell one run from another.
using RunIdentity = std::vector<std::pair<std::string, std::string>>;

/// How far a run goes.
struct RunLength {
  int64_t epochs = 0, steps = 0; ///< Steps of an epoch.
};

class Checkpoints {
public:
  /// Opens the directory and finds the checkpoint to go on from, as far as its
  /// header tells: files that cannot be read are passed over with a warning,
  /// one of another run, of a newer version or beyond the run's end is an
  /// error. `model` is the model as written. Without `resume` no checkpoint may
  /// be there.
  static llvm::Expected<std::unique_ptr<Checkpoints>>
  open(const CheckpointSettings &settings, const FunctionInfo &model,
       RunIdentity identity, RunLength length);

  /// Whether there is something to go on from.
  bool canResume() const { return candidate.has_value(); }

  /// Takes the store's values and the state from the checkpoint, else from the
  /// one before it that can be read. `store` has its final tensors. Returns the
  /// file.
  llvm::Expected<std::string> resume(ParameterStore &store, TrainState &state);

  /// Writes a checkpoint, unless this state is in one already. Returns the
  /// file.
  llvm::Expected<std::string> save(const ParameterStore &store,
                                   const TrainState &state);

private:
  struct Candidate {
    SafetensorsFile file;
    TrainState state;
  };

  Checkpoints(const CheckpointSettings &settings, const FunctionInfo &model,
              RunIdentity identity, RunLength length,
              CheckpointDirectory directory)
      : settings(settings), model(model), identity(std::move(identity)),
        length(length), directory(std::move(directory)) {}
  llvm::Error findCandidate();
  llvm::Error checkRun(const SafetensorsFile &file) const;
  llvm::Error checkPlace(const std::string &path,
                         const TrainState &state) const;
  Status readTensors(ParameterStore &store) const;

  CheckpointSettings settings;
  const FunctionInfo &model;
  RunIdentity identity;
  RunLength length;
  CheckpointDirectory directory;
  std::vector<CheckpointDirectory::Entry> untried; ///< The oldest first.
  std::optional<Candidate> candidate;
  /// Epoch and steps of the last one that was saved or loaded.
  std::pair<int64_t, int64_t> last{-1, -1};
};

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_CHECKPOINTS_H
