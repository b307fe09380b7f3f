# One image for everything: by itself it runs its own Postgres and Valkey in /data; with DATABASE_URL and REDIS_URL it uses
# those. See docs/operations.md.
FROM python:3.12-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app

COPY requirements.txt ./
RUN pip install --require-hashes --no-deps -r requirements.txt

# A user with a name: Postgres wants one, and refuses root.
RUN useradd --uid 10001 --create-home continuity && mkdir /data && chown continuity:continuity /data
COPY . .
ENV STATIC_ROOT=/app/staticfiles CONTINUITY_DATA_DIR=/data HOST=0.0.0.0 PORT=8000
RUN python manage.py collectstatic --noinput --verbosity 0

USER continuity
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD \
    ["python", "-c", "import os, urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/ready', timeout=4)"]
CMD ["python", "-m", "config.supervision.supervisor"]
