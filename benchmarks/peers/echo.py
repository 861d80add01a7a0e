"""The peer of one adjudication over HTTP: the same server and framework, handing back the JSON it was sent.

Run by gunicorn as ``benchmarks.peers.echo:app``.
"""

import orjson
from flask import Flask, Response, request

app = Flask("echo")


@app.get("/constant")
def constant() -> Response:
    """Answer the least that there is."""
    return Response(b'{"status":"ok"}', content_type="application/json")


@app.post("/echo")
def echo() -> Response:
    """Answer the document, one version further."""
    document = orjson.loads(request.get_data(cache=False))
    document["version"] = document.get("version", 0) + 1
    return Response(orjson.dumps(document), content_type="application/json")
