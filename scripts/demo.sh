#!/usr/bin/env bash
# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: scripts/demo.sh
# Sets the machine up, builds cma-run and trains two networks on handwritten
# digits: a tensor-train network and its dense twin, both with seed 1. Leaves
# the reports of both in build/demo/report.json, under the keys tt and dense.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case "${1-}" in
  "") ;;
  -h | --help) sed -n '6,9s/^# //p' "scripts/demo.sh"; exit 0 ;;
  *) echo "demo: error: expected no argument, got '$1'" >&2; exit 2 ;;
esac

scripts/setup.sh
cmake --preset default
cmake --build --preset default -j "$(nproc)" --target cma-run

mkdir -p build/demo
rm -f build/demo/*.json
for model in tt dense; do
  printf '\n== examples/digits/%s.mlir ==\n' "$model"
  examples/digits/train.sh "$model" 1 --save "build/demo/$model.safetensors" \
    --report "build/demo/$model.json"
done

python3 - <<'PYTHON'
import json
import os

models = ("tt", "dense")
report = {model: json.load(open(f"build/demo/{model}.json")) for model in models}
with open("build/demo/report.json.tmp", "w") as out:
    json.dump(report, out, indent=2)
    out.write("\n")
os.replace("build/demo/report.json.tmp", "build/demo/report.json")

print(f"\n{'model':6} {'weights':>10} {'compression':>11} {'test accuracy':>13}")
for model in models:
    entry = report[model]
    print(
        f"{model:6} {entry['parameter_count']:10,} "
        f"{entry['compression_ratio']:10.1f}x {100 * entry['test_metric']:12.2f}%"
    )
print("report: build/demo/report.json")
PYTHON
