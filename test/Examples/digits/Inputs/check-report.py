# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the report of a training run of examples/digits/tt.mlir."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as text:
    report = json.load(text)
trains = [layer for layer in report["layers"] if layer["kind"] == "tt_linear"]
dense = sum(layer["dense_count"] for layer in trains)
count = sum(layer["count"] for layer in trains)
print(f"test accuracy {report['test_metric']}, {len(trains)} tt_linear, {dense} / {count}")
assert report["test_metric"] >= 0.945
assert len(trains) == 2 and dense == 64 * 512 + 512 * 512 and dense >= 20 * count
assert len(report["epochs"]) == 60 and report["epochs"][-1]["loss"] < 0.02
