#!/usr/bin/env bash
# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: examples/digits/train.sh tt|dense SEED [CMA-RUN-OPTION...]
# Trains one of the two networks with the hyper-parameters that were chosen on
# the validation file, and evaluates it once on the test file. CMA_RUN names the
# program (default: build/bin/cma-run).
set -euo pipefail
digits=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

[ $# -ge 2 ] || { sed -n '6,9s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }
model=$1
seed=$2
shift 2
case "$model" in
  tt) chosen=(--epochs 60 --batch 32 --lr 0.01 --momentum 0.9 --weight-decay 0.02) ;;
  dense) chosen=(--epochs 40 --batch 32 --lr 0.02 --momentum 0.9 --weight-decay 0.005) ;;
  *) echo "train.sh: error: expected tt or dense, got '$model'" >&2; exit 2 ;;
esac

exec "${CMA_RUN:-$digits/../../build/bin/cma-run}" train "$digits/$model.mlir" \
  --data "$digits/train.safetensors" --eval-data "$digits/validation.safetensors" \
  --test-data "$digits/test.safetensors" --seed "$seed" "${chosen[@]}" "$@"
