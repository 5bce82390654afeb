# RUN: %python %s
"""Checks that every numbered constraint of the dialect is checked and tested.

Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
See LICENSE for license information.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

The documentation in include/cma/Dialect/CMA/IR/*.td numbers the constraints, for
example `contract_c3`. Each number must stand in a comment of the verifiers in
lib/Dialect/CMA/IR and end the name of a function in a negative test of
test/Dialect/CMA/IR, and no number may stand there that is not documented.
"""

import pathlib
import re
import sys

NUMBER = r"[a-z][a-z_]*_c[0-9]+"


def documented(root):
    numbers = set()
    for path in sorted((root / "include/cma/Dialect/CMA/IR").glob("*.td")):
        numbers.update(re.findall(rf"`({NUMBER})`:", path.read_text()))
    return numbers


def tagged(root):
    """Numbers in the comments of the verifiers."""
    numbers = set()
    for path in sorted((root / "lib/Dialect/CMA/IR").glob("*.cpp")):
        for comment in re.findall(r"//.*", path.read_text()):
            numbers.update(re.findall(rf"\b{NUMBER}\b", comment))
    return numbers


def strip_prefix(name, numbers):
    """The longest documented number that ends `name`; else its last words."""
    ends = [n for n in numbers if name == n or name.endswith("_" + n)]
    return max(ends, key=len) if ends else name


def tested(root, numbers):
    """Numbers that end a function's name beside an expected error."""
    found = set()
    for path in sorted((root / "test/Dialect/CMA/IR").glob("invalid*.mlir")):
        for case in re.split(r"^// -----$", path.read_text(), flags=re.M):
            if "expected-error" not in case:
                continue
            for name in re.findall(rf"func\.func @({NUMBER})\(", case):
                found.add(strip_prefix(name, numbers))
    return found


def main():
    root = pathlib.Path(__file__).resolve().parents[4]
    numbers = documented(root)
    if not numbers:
        sys.exit("error: no numbered constraint found in the .td files")
    checks = {"verifiers": tagged(root), "negative tests": tested(root, numbers)}
    errors = []
    for where, found in checks.items():
        errors += [f"{n} is missing in the {where}" for n in sorted(numbers - found)]
        errors += [f"{n} in the {where} is not documented" for n in sorted(found - numbers)]
    for error in errors:
        print("error:", error, file=sys.stderr)
    print(f"{len(numbers)} constraints, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
