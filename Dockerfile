# Any image that has Python 3.11 or later as python3, with venv and pip.
ARG BASE=python:3.13-slim

FROM ${BASE} AS builder
# A pip configuration file that is mounted into the build, where the package index is not pip's own default.
ARG PIP_CONFIG_FILE
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_REQUIRE_HASHES=1
WORKDIR /src
COPY requirements-build.lock requirements-runtime.lock ./
# Everything that an extra may ask for, compared with its hashes. Which of it is installed, EXTRAS says below.
RUN python3 -m venv /build \
    && python3 -m venv --without-pip /opt/gyoji \
    && /build/bin/pip install --requirement requirements-build.lock \
    && /build/bin/pip wheel --no-deps --wheel-dir /wheels --requirement requirements-runtime.lock
COPY pyproject.toml README.md LICENSE openapi.yaml ./
COPY tools/build_hook.py tools/
COPY schemas schemas
COPY tests/conformance tests/conformance
COPY service service
# COMPILED=1 makes machine code of the rules, and of what an audit judges events by. A base without gcc needs apt for
# it, and has to have its Python's headers.
ARG COMPILED=
# hadolint ignore=DL3008
RUN if [ -n "$COMPILED" ] && ! command -v gcc; then \
        apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*; \
    fi
RUN GYOJI_COMPILED="$COMPILED" /build/bin/hatchling build --target wheel --directory /dist
# The extras: all that a setting can ask for. EXTRAS=postgres makes a smaller image; cluster is for workers of Dask.
ARG EXTRAS=postgres,granian,s3,gs
RUN PIP_REQUIRE_HASHES=0 /build/bin/pip --python /opt/gyoji/bin/python install --no-index --find-links /wheels \
        "$(echo /dist/*.whl)${EXTRAS:+[$EXTRAS]}" \
    && /opt/gyoji/bin/python -c 'import importlib.metadata as m, sys; \
known = {"", *m.metadata("gyoji").get_all("Provides-Extra")}; \
sys.exit(" ".join(f"EXTRAS: there is no {extra}" for extra in sys.argv[1].split(",") if extra not in known) or None)' "$EXTRAS"

FROM ${BASE}
LABEL org.opencontainers.image.title="gyoji" \
      org.opencontainers.image.description="A referee for tabletop card games over HTTP" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="Apache-2.0"
# The store, an SQLite file and the key beside it, is on a volume; GYOJI_STORE=postgresql+psycopg://… keeps it elsewhere.
# What is mounted at /backups for the first time belongs to the service, so that it can put its backups there.
ENV PATH=/opt/gyoji/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    GYOJI_STORE=sqlite:////data/gyoji.db
RUN groupadd --gid 10001 gyoji \
    && useradd --no-log-init --uid 10001 --gid gyoji --home-dir /nonexistent --no-create-home --shell /usr/sbin/nologin gyoji \
    && install --directory --mode=0700 --owner=gyoji --group=gyoji /data /backups
COPY --from=builder /opt/gyoji /opt/gyoji
# By number, so that an orchestrator can see that it is not root.
USER 10001:10001
VOLUME /data
WORKDIR /
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ.get(\"GYOJI_PORT\", 8000)}/healthz', timeout=2)"]
ENTRYPOINT ["gyoji"]
# `gyoji serve` runs gunicorn with its control socket off (--no-control-socket): nothing is written outside /data, /tmp
# and /dev/shm, so that the root file system may be read-only.
CMD ["serve", "--host", "0.0.0.0"]
