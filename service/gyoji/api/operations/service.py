"""The operations by which the service is run."""

from gyoji.api.media import TEXT
from gyoji.api.operation import Operation, about
from gyoji.api.rights import OPEN

SERVICE = about(
    "operations",
    Operation("readHealth", "GET /healthz", "Whether the process answers", OPEN, answer="Health"),
    Operation(
        "readReadiness",
        "GET /readyz",
        "Whether the service can do its work",
        OPEN,
        answer="Health",
        problems=("unavailable",),
    ),
    Operation("readContract", "GET /openapi.json", "This description of the API", OPEN),
)

METRICS = about(
    "operations",
    Operation(
        "readMetrics",
        "GET /metrics",
        "Counters and timings for Prometheus",
        OPEN,
        media=(TEXT,),
        problems=("unavailable",),
    ),
)
