//===- Progress.cpp - Progress on a terminal and in a log -----------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file prints progress.
//
//===----------------------------------------------------------------------===//

#include "Progress.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <charconv>
#include <iterator>

using namespace cma;
using namespace cma::run;

std::string cma::run::formatNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.4g", value);
  return text;
}

std::string cma::run::formatExact(double value) {
  char text[32];
  return std::string(text, std::to_chars(text, std::end(text), value).ptr);
}

std::string cma::run::formatCount(U128 value) {
  std::string text = value.str();
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3)
    text.insert(at, ",");
  return text;
}

std::string cma::run::formatMetric(llvm::StringRef name, double value) {
  if (name != "accuracy")
    return formatNumber(value);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.2f %%", value * 100);
  return text;
}

Progress::Progress(llvm::raw_ostream &os, bool quiet, int64_t epochs)
    : os(os), quiet(quiet), terminal(os.is_displayed()), epochs(epochs),
      start(Clock::now()), last(start) {}

Progress::~Progress() {
  clearLine();
  os.flush();
}

std::string Progress::prefix(int64_t epoch) const {
  std::string total = std::to_string(epochs);
  std::string number = std::to_string(epoch + 1);
  number.insert(0, total.size() - number.size(), ' ');
  return "epoch " + number + "/" + total;
}

/// On a terminal, removes the text that will be replaced.
void Progress::clearLine() {
  if (dirty)
    os << "\r\x1b[K";
  dirty = false;
}

void Progress::phase(const std::string &text) {
  if (quiet)
    return;
  clearLine();
  os << text << (terminal ? "" : "\n");
  dirty = terminal;
  os.flush();
}

void Progress::note(const std::string &text) {
  if (quiet)
    return;
  clearLine();
  os << text << '\n';
  os.flush();
}

/// "  scale 65536  skipped 2"
static std::string formatScaling(const ScalingFigures &scaling) {
  if (!scaling.scale)
    return "";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("  scale %.6g", *scaling.scale)
                                 << "  skipped " << scaling.skipped;
  return text;
}

void Progress::step(int64_t epoch, int64_t batch, int64_t steps, double loss,
                    double samplesPerSecond, const ScalingFigures &scaling) {
  Clock::time_point now = Clock::now();
  auto interval = terminal ? std::chrono::milliseconds(100)
                           : std::chrono::milliseconds(30000);
  if (quiet || now - last < interval)
    return;
  last = now;
  clearLine();
  double fraction = (epoch + static_cast<double>(batch) / steps) / epochs;
  double elapsed = std::chrono::duration<double>(now - start).count();
  double left = elapsed * (1 - fraction) / (fraction - done);
  os << prefix(epoch) << "  step " << batch << '/' << steps << "  loss "
     << formatNumber(loss) << formatScaling(scaling) << "  "
     << formatCount(static_cast<uint64_t>(samplesPerSecond)) << " samples/s  "
     << llvm::format("%.0f s left", left) << (terminal ? "" : "\n");
  dirty = terminal;
  os.flush();
}

void Progress::epoch(int64_t epoch, double loss, double samplesPerSecond,
                     std::optional<double> evalLoss,
                     std::optional<double> evalMetric, const char *metricName,
                     const ScalingFigures &scaling) {
  if (quiet)
    return;
  last = Clock::now();
  clearLine();
  os << prefix(epoch) << "  loss " << llvm::left_justify(formatNumber(loss), 9);
  if (evalLoss)
    os << "  eval loss " << llvm::left_justify(formatNumber(*evalLoss), 9);
  if (evalMetric)
    os << "  eval " << metricName << ' '
       << llvm::left_justify(formatMetric(metricName, *evalMetric), 9);
  os << formatScaling(scaling) << "  "
     << formatCount(static_cast<uint64_t>(samplesPerSecond)) << " samples/s\n";
  os.flush();
}
