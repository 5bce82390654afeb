# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %python %s %cma_src_root %cma_tools_dir/cma-opt
"""The model in README.md compiles, and the links of the documents lead somewhere."""

import os
import re
import subprocess
import sys

root, cma_opt = sys.argv[1:]


def read(path):
    with open(os.path.join(root, path), encoding="utf-8") as text:
        return text.read()


blocks = re.findall(r"```mlir\n(.*?)```", read("README.md"), re.S)
assert len(blocks) == 1, blocks
command = [cma_opt, "--cma-train=batch=4", "--cma-to-cpu", "-o", os.devnull]
subprocess.run(command, input=blocks[0], text=True, check=True)

documents = ["README.md"]
for folder, _, names in os.walk(os.path.join(root, "docs")):
    documents += [os.path.relpath(os.path.join(folder, n), root) for n in names if n.endswith(".md")]
links = 0
for document in documents:
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", read(document)):
        if not link.startswith("http"):
            links += 1
            target = os.path.join(root, os.path.dirname(document), link)
            assert os.path.exists(target), f"{document}: no {link}"
assert links >= 10, links
print(f"{len(documents)} documents, {links} links")
