#!/usr/bin/env bash
# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what CMA needs to build and test on Debian 12: packages of the
# distribution, and a Python environment in .venv for the test oracles. Run as
# root or as a user who may use sudo. Does nothing where all is there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(
  # The compiler framework: headers, libMLIR.so, mlir-tblgen, FileCheck, lit.
  llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools
  # LLVM's CMake package names these libraries.
  zlib1g-dev libzstd-dev libxml2-dev
  # Compilers, linker, sanitizer and OpenMP runtimes.
  clang-22 lld-22 libclang-rt-22-dev libomp-22-dev g++
  # Formatter and linter.
  clang-format-22 clang-tidy-22
  # Build.
  cmake ninja-build ccache git
  # Libraries: JSON, unit tests, benchmarks and their rival.
  nlohmann-json3-dev libgtest-dev libgmock-dev libbenchmark-dev libopenblas-dev
  # Python for the test oracles.
  python3 python3-venv ca-certificates
)

say() { printf 'setup: %s\n' "$*"; }
die() { printf 'setup: error: %s\n' "$*" >&2; exit 1; }

# retry COMMAND...: up to three times, with a pause between.
retry() {
  local attempt
  for attempt in 1 2 3; do
    "$@" && return 0
    [ "$attempt" = 3 ] || { say "'$1 ${2-}' failed; trying again"; sleep $((attempt * 5)); }
  done
  return 1
}

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      printf '%s\n' "$package"
  done
}

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages)
  if [ "${#missing[@]}" = 0 ]; then
    say "all ${#packages[@]} packages are there"
    return
  fi
  local root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
      die "expected to run as root or with sudo, to install: ${missing[*]}"
    root=(sudo)
  fi
  say "installing ${missing[*]}"
  retry "${root[@]}" apt-get update -qq || die "apt-get update failed"
  retry "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" ||
    die "apt-get could not install: ${missing[*]}"
}

# .venv is remade when scripts/requirements.txt changes.
make_environment() {
  local stamp=.venv/requirements.txt
  if cmp -s scripts/requirements.txt "$stamp" && .venv/bin/python3 -c 'import numpy'; then
    say "the Python environment .venv is there"
    return
  fi
  say "making the Python environment .venv"
  rm -rf .venv
  python3 -m venv .venv
  retry .venv/bin/python3 -m pip install --quiet --disable-pip-version-check \
    --no-deps -r scripts/requirements.txt || die "pip could not install scripts/requirements.txt"
  cp scripts/requirements.txt "$stamp"
}

case "${1-}" in
  "") ;;
  -h | --help) sed -n '6,9s/^# //p' "${BASH_SOURCE[0]}"; exit 0 ;;
  *) die "expected no argument, got '$1'" ;;
esac
command -v dpkg-query >/dev/null || die "expected Debian 12 or a relative of it (no dpkg-query here)"
install_packages
make_environment
say "done"
