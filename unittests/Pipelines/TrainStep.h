//===- TrainStep.h - Compiled training steps by name ------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares how tests run training steps and look at their state.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_UNITTESTS_PIPELINES_TRAINSTEP_H
#define CMA_UNITTESTS_PIPELINES_TRAINSTEP_H

#include "CompiledText.h"

#include "cma/Dialect/CMA/Transforms/LossScale.h"

#include "gtest/gtest.h"

namespace cma::test {

/// One function of a step; buffers go by name, those of results by role.
class StepCall {
public:
  explicit StepCall(const cma_entry *entry) : entry(entry), call(entry) {}

  unsigned find(llvm::StringRef name) const {
    for (int32_t i = 0; i < entry->num_buffers; ++i)
      if (name == (entry->buffers[i].is_result ? entry->buffers[i].role
                                               : entry->buffers[i].name))
        return i;
    ADD_FAILURE() << "no buffer '" << name.str() << "'";
    return 0;
  }
  bool has(llvm::StringRef name) const {
    for (int32_t i = 0; i < entry->num_arguments; ++i)
      if (name == entry->buffers[i].name)
        return true;
    return false;
  }
  template <typename T>
  void set(llvm::StringRef name, const std::vector<T> &values) {
    call.set<T>(find(name), values);
  }
  template <typename T>
  std::vector<T> get(llvm::StringRef name) const {
    return call.get<T>(find(name));
  }
  void run() { EXPECT_EQ(call.run(), CMA_STATUS_OK); }
  bool foundInf() const { return get<uint8_t>("found_inf").front() == 1; }

  /// Gives the scale and its counters what their inits say.
  void startScale(const LossScaleSettings &settings) {
    set<float>("loss_scale", {static_cast<float>(settings.initial)});
    if (settings.isDynamic() && has("loss_scale.good_steps"))
      set<int32_t>("loss_scale.good_steps",
                   {-static_cast<int32_t>(settings.delay)});
    if (settings.hasTracker() && has("loss_scale.hysteresis"))
      set<int32_t>("loss_scale.hysteresis",
                   {static_cast<int32_t>(settings.hysteresis)});
  }

private:
  const cma_entry *entry;
  Call call;
};

} // namespace cma::test

#endif // CMA_UNITTESTS_PIPELINES_TRAINSTEP_H
