#!/usr/bin/env bash
# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: scripts/lint.sh [-f] [--tidy]
# Checks the tracked files: format, blanks, licence headers, include guards,
# length, scripts' syntax, generated documentation. -f repairs what it can.
# --tidy also runs clang-tidy, which needs a configured and built tree in build/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fix=0
tidy=0
for argument in "$@"; do
  case "$argument" in
    -f) fix=1 ;;
    --tidy) tidy=1 ;;
    -h | --help) sed -n '6,9s/^# //p' "scripts/lint.sh"; exit 0 ;;
    *) echo "lint: error: unknown argument '$argument'" >&2; exit 2 ;;
  esac
done

failures=0
complain() { printf 'lint: %s\n' "$*" >&2; failures=$((failures + 1)); }
# tracked PATTERN...: tracked files that still exist.
tracked() { git ls-files -- "$@" | while IFS= read -r file; do [ -f "$file" ] && printf '%s\n' "$file"; done; }

check_format() {
  local files
  mapfile -t files < <(tracked '*.cpp' '*.h' '*.c')
  [ "${#files[@]}" -gt 0 ] || return 0
  if [ "$fix" = 1 ]; then
    clang-format-22 -i "${files[@]}"
  elif ! clang-format-22 --dry-run -Werror "${files[@]}"; then
    complain "format differs from .clang-format (scripts/lint.sh -f repairs it)"
  fi
}

check_blanks() {
  local files file
  mapfile -t files < <(tracked '*.cpp' '*.h' '*.c' '*.td' '*.py' '*.sh' '*.txt' '*.cmake' '*.in' '*.mlir' '*.json' '*.test' .ci/run)
  if [ "$fix" = 1 ]; then
    sed -i -E 's/[ \t\r]+$//' "${files[@]}"
    for file in "${files[@]}"; do
      [ ! -s "$file" ] || [ -z "$(tail -c1 "$file")" ] || printf '\n' >> "$file"
    done
    return
  fi
  if grep -nE '[[:blank:]]+$|'$'\r' "${files[@]}"; then
    complain "blanks at the end of a line"
  fi
  if grep -nP '^\t' "${files[@]}"; then
    complain "tabs at the start of a line"
  fi
  for file in "${files[@]}"; do
    [ ! -s "$file" ] || [ -z "$(tail -c1 "$file")" ] || complain "$file: no newline at the end"
  done
}

check_headers() {
  local file guard
  while IFS= read -r file; do
    head -12 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception' ||
      complain "$file: expected the licence identifier in the first 12 lines"
  done < <(tracked '*.cpp' '*.h' '*.c' '*.td' '*.py' '*.sh' .ci/run)
  while IFS= read -r file; do
    guard=$(printf '%s' "${file#include/}" | tr '[:lower:]/.-' '[:upper:]___')
    grep -q "^#ifndef $guard\$" "$file" || complain "$file: expected include guard $guard"
  done < <(tracked 'include/*.h')
}

# 900 lines is the ceiling for anything written by hand.
check_length() {
  local file lines
  while IFS= read -r file; do
    lines=$(wc -l < "$file")
    [ "$lines" -le 900 ] || complain "$file: expected at most 900 lines, got $lines"
  done < <(tracked '*.cpp' '*.h' '*.c' '*.td' '*.py' '*.sh' '*.cmake')
}

check_scripts() {
  local file
  while IFS= read -r file; do
    bash -n "$file" || complain "$file: not valid bash"
    [ -x "$file" ] || complain "$file: expected to be executable"
  done < <(tracked '*.sh' .ci/run)
  while IFS= read -r file; do
    python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])' "$file" ||
      complain "$file: not valid Python"
  done < <(tracked '*.py')
}

check_docs() {
  if [ "$fix" = 1 ]; then
    scripts/generate-docs.sh
  else
    scripts/generate-docs.sh --check || complain "generated documentation is stale"
  fi
}

run_tidy() {
  local files
  mapfile -t files < <(tracked 'lib/*.cpp' 'tools/*.cpp')
  [ -f build/compile_commands.json ] || { complain "--tidy needs build/compile_commands.json"; return; }
  printf '%s\n' "${files[@]}" |
    xargs -P "$(nproc)" -n 1 clang-tidy-22 -p build --quiet --warnings-as-errors='*' ||
    complain "clang-tidy found faults"
}

check_format
check_blanks
check_headers
check_length
check_scripts
check_docs
[ "$tidy" = 0 ] || run_tidy
if [ "$failures" -gt 0 ]; then
  echo "lint: $failures complaint(s)" >&2
  exit 1
fi
echo "lint: clean"
