# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %python %s %cma_tools_dir/cma-lsp-server
"""Speaks JSON-RPC, framed as an editor frames it: a bad equation gets a diagnostic
at its column, the corrected text none, and the server ends when told to."""

import json
import subprocess
import sys

URI = "file:///model.mlir"
TEXT = """func.func @f(%x: tensor<8x4xf32>) -> tensor<8xf32> {
  %y = cma.contract "bi,->b" (%x) : (tensor<8x4xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
"""


class Server:
    def __init__(self, program):
        self.process = subprocess.Popen(
            [program, "--log=error"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self):
        length = None
        while (line := self.process.stdout.readline().strip()) or length is None:
            if not line:
                sys.exit("the server closed its output")
            name, _, value = line.partition(b":")
            if name == b"Content-Length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def diagnostics(self):
        message = self.receive()
        assert message["method"] == "textDocument/publishDiagnostics", message
        assert message["params"]["uri"] == URI, message
        return message["params"]["diagnostics"]


def main():
    server = Server(sys.argv[1])
    server.send(id=0, method="initialize", params={"processId": None, "capabilities": {}})
    answer = server.receive()
    assert answer["id"] == 0 and "capabilities" in answer["result"], answer
    server.send(method="initialized", params={})

    document = {"uri": URI, "languageId": "mlir", "version": 1, "text": TEXT}
    server.send(method="textDocument/didOpen", params={"textDocument": document})
    (diagnostic,) = server.diagnostics()
    assert "expected 2 operands" in diagnostic["message"], diagnostic
    assert diagnostic["severity"] == 1 and diagnostic["range"]["start"]["line"] == 1, diagnostic

    change = {"text": TEXT.replace("bi,->b", "bi->b")}
    version = {"uri": URI, "version": 2}
    server.send(
        method="textDocument/didChange",
        params={"textDocument": version, "contentChanges": [change]},
    )
    assert server.diagnostics() == []

    server.send(id=1, method="shutdown")
    assert server.receive()["id"] == 1
    server.send(method="exit")
    assert server.process.wait(timeout=60) == 0
    print("diagnostic:", diagnostic["message"])


main()
