# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_points.py FILE SAMPLES [FACTOR]: points around three corners, times FACTOR,
labelled by corner."""

import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tensors

CORNERS = [(2, 0), (-2, 0), (0, 3)]


def main(path, samples, factor=1):
    random.seed(5)
    labels = [i % 3 for i in range(int(samples))]
    points = [float(factor) * (c + random.gauss(0, 0.3)) for label in labels for c in CORNERS[label]]
    tensors.write(
        path,
        "x:F32:%sx2=%s" % (samples, ",".join(map(str, points))),
        "label:I64:%s=%s" % (samples, ",".join(map(str, labels))),
    )


main(*sys.argv[1:])
