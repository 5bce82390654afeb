# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the report of a training run in a type of 16 bits: check-precision.py REPORT TYPE."""

import json
import sys

with open(sys.argv[1]) as file:
    report = json.load(file)
precision = report["precision"]
assert precision["policy"] == sys.argv[2], precision
assert precision["casts"] > 0, precision
views = precision["weight_view_bytes"] / precision["weight_view_f32_bytes"]
saved = precision["saved_activation_bytes"] / precision["saved_activation_f32_bytes"]
assert views <= 0.55 and saved <= 0.55, (views, saved)
assert precision["master_bytes"] == 4 * sum(p["count"] for p in report["parameters"]), precision
# f32 reaches 96.94 % with this seed.
assert report["test_metric"] >= 0.955, report["test_metric"]
