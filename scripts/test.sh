#!/usr/bin/env bash
# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: scripts/test.sh [--preset default|gcc|sanitize] [-- CTEST-ARGUMENT...]
# Sets the machine up, builds, runs all tests and ends with ctest's summary.
# The exit status is 0 only where everything passed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() { sed -n '6,8s/^# //p' "scripts/test.sh"; }
preset=default
while [ $# -gt 0 ]; do
  case "$1" in
    --preset)
      [ $# -ge 2 ] || { echo "test: error: expected a name after --preset" >&2; exit 2; }
      preset=$2; shift 2 ;;
    -h | --help) usage; exit 0 ;;
    --) shift; break ;;
    *) echo "test: error: unknown argument '$1'" >&2; usage >&2; exit 2 ;;
  esac
done
case "$preset" in
  default | gcc | sanitize) ;;
  *) echo "test: error: expected preset default, gcc or sanitize, got '$preset'" >&2; exit 2 ;;
esac

scripts/setup.sh
cmake --preset "$preset"
cmake --build --preset "$preset" -j "$(nproc)"
ctest --preset "$preset" --output-on-failure --no-tests=error -j "$(nproc)" "$@"
