"""The one settings module: everything that differs between installations comes from the environment (FR-051, `.env.example`)."""

from __future__ import annotations

import secrets
from datetime import timedelta
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from config import addresses, model_address, receivers, signing_keys, single_sign_on
from config.embedded import binaries, leftovers
from config.env import BadSetting, process_environment
from config.logging import configuration
from continuity import VERSION
from diagnostics.operators_view import UNFOLD as _operators_view

CONTINUITY_VERSION = VERSION
MIB = 1024 * 1024
BASE_DIR = Path(__file__).resolve().parent.parent
env = process_environment(BASE_DIR)

# Where things are -----------------------------------------------------------------------------------------------------
CONTINUITY_DATA_DIR = env.path("CONTINUITY_DATA_DIR", BASE_DIR / "data", aliases=["STORAGE_PATH"])
_at = addresses.resolve(env, CONTINUITY_DATA_DIR)
REDIS_URL = _at.redis_url
# How long a request may take once it has arrived; it is answered with 503 then, whatever hangs.
CONTINUITY_REQUEST_SECONDS = env.number("CONTINUITY_REQUEST_SECONDS", 15, minimum=1, maximum=600)
# The web process sets CONTINUITY_DB_POOL; prefork children and short commands must not carry a pool across a fork. Tasks are bounded
# by CONTINUITY_TASK_TIME_LIMIT_SECONDS, and a migration takes its time.
_pool: dict[str, Any] | None = None
_session: dict[str, int] = {}
if env.flag("CONTINUITY_DB_POOL"):
    _milliseconds = int(CONTINUITY_REQUEST_SECONDS * 1000)
    _session = {
        "statement_timeout": _milliseconds,
        "lock_timeout": _milliseconds * 2 // 3,  # Less, so that who waits for somebody else is told so.
        "idle_in_transaction_session_timeout": 4 * _milliseconds,  # A web process that hangs must not keep its locks.
    }
    _pool = {
        "min_size": 1,
        "max_size": env.integer("CONTINUITY_DB_POOL_SIZE", 12, minimum=1, maximum=200),
        "timeout": CONTINUITY_REQUEST_SECONDS / 3,
        # After this the pool gives up trying by itself, and tries at once when somebody asks: it would wait longer from try to try.
        "reconnect_timeout": 5,
        "connection_class": import_module("continuity.core.database_connection").BoundedConnection,
    }
DATABASES = {"default": addresses.database_settings(_at.database_url, _pool, _session)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Who may talk to us ---------------------------------------------------------------------------------------------------
DEBUG = env.flag("CONTINUITY_DEBUG")
HOST = env.text("HOST", "127.0.0.1")
PORT = env.integer("PORT", 8000, minimum=1, maximum=65535)
SERVED_OVER_TLS = env.flag("CONTINUITY_TLS")
_local = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = [*env.names("ALLOWED_HOSTS"), *_local]  # Health checks come from beside us.
CSRF_TRUSTED_ORIGINS = env.names("CSRF_TRUSTED_ORIGINS")
# Proxies in front of us, each of which adds the address that it saw to X-Forwarded-For.
CONTINUITY_PROXIES = env.integer("CONTINUITY_PROXIES", 1 if SERVED_OVER_TLS else 0, maximum=10)


# The development mode of the specification (004 FR-032 to FR-034): who comes from this machine needs no account and no key.
CONTINUITY_OPEN_ACCESS = env.flag("CONTINUITY_OPEN_ACCESS")
if CONTINUITY_OPEN_ACCESS and (HOST not in ("127.0.0.1", "::1", "localhost") or CONTINUITY_PROXIES or env.names("ALLOWED_HOSTS")):
    raise BadSetting("CONTINUITY_OPEN_ACCESS: only for this machine alone: HOST=127.0.0.1, no proxy, no ALLOWED_HOSTS")


def _secret_key() -> str:
    """SECRET_KEY, else the key that the embedded set-up keeps in the data folder; a passing one until that exists."""
    given = env.secret("SECRET_KEY")
    if given:
        return given
    if not _at.embedded_database:
        raise BadSetting("SECRET_KEY: required when DATABASE_URL is set")
    try:
        return (CONTINUITY_DATA_DIR / "secret_key").read_text(encoding="utf-8").strip()
    except OSError:  # Not made yet, or not ours to read: a start checks that, a pure command needs no lasting key.
        return secrets.token_urlsafe(50)


SECRET_KEY = _secret_key()

# The application ------------------------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "django_prometheus",
    "axes",
    "continuity",
    "handoffs",
    "diagnostics",
]
AUTH_USER_MODEL = "continuity.User"
MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "config.middleware.correlation.correlation_middleware",
    "config.middleware.version_header.version_header_middleware",
    "config.middleware.callers.caller_middleware",
    "config.middleware.client_versions.client_version_middleware",
    "config.middleware.compression.compression_middleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.content_security.content_security_middleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    *(["config.middleware.open_access.OpenAccessMiddleware"] if CONTINUITY_OPEN_ACCESS else []),
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.middleware.path_characters.path_characters_middleware",
    "config.middleware.time_zones.ReaderZoneMiddleware",
    "axes.middleware.AxesMiddleware",
    "diagnostics.save_monitor.saves_middleware",
    "config.middleware.store_unavailable.StoreAwayMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
FORM_RENDERER = "config.form_renderer.FormRenderer"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates", BASE_DIR / "config" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["continuity.templatetags.addresses"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "continuity.views.context.site",
            ],
        },
    }
]
LOGIN_URL = LOGOUT_REDIRECT_URL = "/login"
LOGIN_REDIRECT_URL = "/"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
# The names are the library's.
_provider = single_sign_on.read(env)
OIDC_RP_CLIENT_ID, OIDC_RP_CLIENT_SECRET, OIDC_RP_SIGN_ALGO = _provider.client
OIDC_OP_AUTHORIZATION_ENDPOINT, OIDC_OP_TOKEN_ENDPOINT, OIDC_OP_USER_ENDPOINT, OIDC_OP_JWKS_ENDPOINT = _provider.addresses
CONTINUITY_OIDC_ISSUER, CONTINUITY_OIDC_NAME, CONTINUITY_OIDC_TEAM = _provider.whose
OIDC_RP_SCOPES, OIDC_USE_PKCE, OIDC_TIMEOUT = "openid email profile", True, 10
OIDC_AUTHENTICATION_CALLBACK_URL = "single-sign-on-back"
AUTHENTICATION_BACKENDS += _provider.backends
PASSWORD_RESET_TIMEOUT = 3600
# So many wrong passwords for one account from one address lock it for that address for a while.
AXES_FAILURE_LIMIT = env.integer("CONTINUITY_LOCKOUT_AFTER", 5, minimum=1, maximum=1000)
AXES_COOLOFF_TIME = timedelta(minutes=env.integer("CONTINUITY_LOCKOUT_MINUTES", 15, minimum=1, maximum=10_080))
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_DISABLE_ACCESS_LOG = True  # Sign-ins stand in our own audit log.
AXES_ENABLE_ADMIN = False  # We register its attempts in our own style.
AXES_USERNAME_FORM_FIELD = "username"
AXES_CLIENT_IP_CALLABLE = "continuity.core.request_origin.address_of"
AXES_USERNAME_CALLABLE = "continuity.views.accounts.signing_in.name_to_lock"
AXES_LOCKOUT_CALLABLE = "continuity.views.accounts.signing_in.locked_out"
AXES_VERBOSE = False
UNFOLD = _operators_view
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = False

# Static files ---------------------------------------------------------------------------------------------------------
STATIC_URL = "/static/"
# Swagger's files come from ninja's package; as an installed app it would be imported by every command.
_ninja = Path(str(getattr(find_spec("ninja"), "origin", ""))).parent
STATICFILES_DIRS: list[Any] = [BASE_DIR / "static", ("ninja", _ninja / "static" / "ninja")]
# Collected (Docker sets STATIC_ROOT): hashed names, cached for ever. Not collected (`make run`): served from where they lie.
STATIC_ROOT = env.path("STATIC_ROOT", BASE_DIR / "staticfiles") if env.text("STATIC_ROOT") else None
_static_storage = (
    "whitenoise.storage.CompressedManifestStaticFilesStorage" if STATIC_ROOT else "django.contrib.staticfiles.storage.StaticFilesStorage"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": _static_storage},
}
WHITENOISE_USE_FINDERS = STATIC_ROOT is None
MEDIA_ROOT = CONTINUITY_DATA_DIR / "uploads"

# Cookies and transport ------------------------------------------------------------------------------------------------
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = SERVED_OVER_TLS
CSRF_COOKIE_SECURE = SERVED_OVER_TLS
SECURE_SSL_REDIRECT = False
SECURE_HSTS_SECONDS = 31_536_000 if SERVED_OVER_TLS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SERVED_OVER_TLS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# Broker and cache -----------------------------------------------------------------------------------------------------
CACHES: dict[str, Any] = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
if REDIS_URL:
    CACHES["default"] = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": env.text("CONTINUITY_KEY_PREFIX", "continuity"),
    }
CELERY_BROKER_USE_SSL = addresses.broker_tls(REDIS_URL)
CONTINUITY_TASK_APP = "config.celery"  # loaded with the applications, as ROOT_URLCONF is with the first request
CELERY_BROKER_URL = REDIS_URL or "redis://127.0.0.1:6379/0"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = env.text("CONTINUITY_QUEUE", "continuity")
CELERY_TASK_TIME_LIMIT = env.integer("CONTINUITY_TASK_TIME_LIMIT_SECONDS", 600, minimum=1, maximum=86_400)
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Longer than any task may take, or the broker would hand a running task to a second worker. What a killed worker held
    # is not waited for: jobs are rows with leases, and the sweep finds them.
    "visibility_timeout": CELERY_TASK_TIME_LIMIT + 60,
    "socket_timeout": 15,
    "socket_connect_timeout": 3,
    "retry_on_timeout": True,
    "health_check_interval": 10,
}
# A publisher gives up at once: a dead broker never holds up a request, the sweep finds what was not sent.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CONNECTION_TIMEOUT = 2.0
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_MAX_TASKS_PER_CHILD = 1000
CELERY_TIMEZONE = "UTC"

# An append's answer waits so long for what follows from it; what takes longer is told by a later one.
CONTINUITY_FOLLOW_UP_MS = env.integer("CONTINUITY_FOLLOW_UP_MS", 100, minimum=0, maximum=10_000)

# Limits, each named in its refusal (DESIGN.md, API) -------------------------------------------------------------------
CONTINUITY_MAX_MESSAGE_BYTES = env.integer("CONTINUITY_MAX_MESSAGE_MB", 8, minimum=1, maximum=1024) * MIB
CONTINUITY_MAX_BATCH_MESSAGES = env.integer("CONTINUITY_MAX_BATCH_MESSAGES", 1000, minimum=1)
CONTINUITY_MAX_BATCH_BYTES = env.integer("CONTINUITY_MAX_BATCH_MB", 32, minimum=1, maximum=1024) * MIB
CONTINUITY_MAX_UPLOAD_BYTES = env.integer("CONTINUITY_MAX_UPLOAD_MB", 256, minimum=1, maximum=16_384) * MIB
CONTINUITY_MAX_LINE_BYTES = env.integer("CONTINUITY_MAX_LINE_MB", 32, minimum=1, maximum=1024) * MIB
CONTINUITY_MAX_CONVERSATIONS_PER_HOUR = env.integer("CONTINUITY_MAX_CONVERSATIONS_PER_HOUR", 1000, minimum=1)
CONTINUITY_MAX_UPLOAD_FILES = env.integer("CONTINUITY_MAX_UPLOAD_FILES", 20, minimum=1, maximum=1000)
CONTINUITY_MAX_CHAIN_LENGTH = env.integer("CONTINUITY_MAX_CHAIN_LENGTH", 1000, minimum=1, maximum=100_000)
# How long a request may take to arrive: it has CONTINUITY_REQUEST_SECONDS, must keep to a least rate from then on, and has an end.
CONTINUITY_UPLOAD_SECONDS = env.number("CONTINUITY_UPLOAD_SECONDS", 600, minimum=1, maximum=86_400)
CONTINUITY_UPLOAD_LEAST_BYTES = env.integer("CONTINUITY_UPLOAD_LEAST_KB", 8, minimum=1, maximum=1_000_000) * 1024
CONTINUITY_WEB_CONCURRENCY = env.integer("CONTINUITY_WEB_CONCURRENCY", 256, minimum=1, maximum=100_000)
# How long the port stays open after the signal to stop, while /ready says 503.
CONTINUITY_DRAIN_SECONDS = env.number("CONTINUITY_DRAIN_SECONDS", 1, minimum=0, maximum=20)
# Each open stream is one of the CONTINUITY_WEB_CONCURRENCY requests that are served at the same time.
CONTINUITY_MAX_STREAMS = env.integer("CONTINUITY_MAX_STREAMS", 128, minimum=0)
CONTINUITY_MAX_STREAMS_PER_TEAM = env.integer("CONTINUITY_MAX_STREAMS_PER_TEAM", 64, minimum=0)
MAX_CONCURRENT_SESSIONS = env.integer("MAX_CONCURRENT_SESSIONS", 100, minimum=1)
# Django reads a body into memory up to this size; larger bodies come as uploads, which are spooled to disk.
DATA_UPLOAD_MAX_MEMORY_SIZE = CONTINUITY_MAX_BATCH_BYTES + MIB
DATA_UPLOAD_MAX_NUMBER_FILES = CONTINUITY_MAX_UPLOAD_FILES
# How often: calls of one API key or person, wrong keys and sign-ins from one address, password resets from or for one.
CONTINUITY_API_RATE = env.rate("CONTINUITY_API_RATE", (6000, 60))
CONTINUITY_REFUSED_RATE = env.rate("CONTINUITY_REFUSED_RATE", (60, 60))
CONTINUITY_SIGN_IN_RATE = env.rate("CONTINUITY_SIGN_IN_RATE", (30, 60))
CONTINUITY_RESET_RATE = env.rate("CONTINUITY_RESET_RATE", (10, 3600))

# How long things are kept ---------------------------------------------------------------------------------------------
EVENT_RETENTION_HOURS = env.integer("EVENT_RETENTION_HOURS", 24, minimum=1, maximum=720)
SESSION_EXPIRATION_DAYS = env.number("SESSION_EXPIRATION_DAYS", 7, minimum=1 / 24, maximum=30)
SESSION_IDLE_MINUTES = env.integer("SESSION_IDLE_MINUTES", 30, minimum=1, maximum=43_200)
HANDOFF_RETENTION_DAYS = env.integer("HANDOFF_RETENTION_DAYS", 30, minimum=1)

# Agents and their state (FR-051) --------------------------------------------------------------------------------------
STORAGE_TYPE = env.choice("STORAGE_TYPE", "postgres", ["postgres", "file", "redis", "memory"])
# Under the supervisor there are several: web, worker, beat, monitor.
CONTINUITY_PROCESSES = 4 if env.text(leftovers.MARK) else 1
if STORAGE_TYPE == "memory" and CONTINUITY_PROCESSES > 1:
    raise BadSetting("STORAGE_TYPE: memory belongs to one process, and Continuity runs several; choose postgres, file or redis")
# Keys that seal agents' states: the first one seals, the others open what was sealed before a rotation.
CONTINUITY_STATE_KEYS = signing_keys.all_decoded("CONTINUITY_STATE_KEYS", env.secrets("CONTINUITY_STATE_KEYS"))
AGENT_STATE_MESSAGE_HISTORY = env.integer("AGENT_STATE_MESSAGE_HISTORY", 10, minimum=0)
AGENT_STATE_MAX_SIZE_BYTES = env.integer("AGENT_STATE_MAX_SIZE_MB", 10, minimum=1, maximum=1024) * MIB
# Shared state (docs/states.md): how often caches ask what changed, and what one value, one state's versions and one scope may take.
STATE_SYNC_INTERVAL_MS = env.integer("STATE_SYNC_INTERVAL_MS", 1000, minimum=50, maximum=3_600_000)
STATE_MAX_VALUE_BYTES = env.integer("STATE_MAX_VALUE_KB", 64, minimum=1, maximum=1024) * 1024
STATE_MAX_VERSIONS = env.integer("STATE_MAX_VERSIONS", 200, minimum=20, maximum=10_000)
STATE_MAX_KEYS = env.integer("STATE_MAX_KEYS", 1000, minimum=1, maximum=100_000)
STATE_MAX_SCOPE_BYTES = env.integer("STATE_MAX_SCOPE_MB", 10, minimum=1, maximum=1024) * MIB
EVENT_REGISTRY_MAX_SIZE = env.integer("EVENT_REGISTRY_MAX_SIZE", 10_000, minimum=1)
# Replay policies of agents, by name.
CONTINUITY_AGENTS_FILE = env.path("CONTINUITY_AGENTS_FILE", BASE_DIR / "agents.yaml") if env.text("CONTINUITY_AGENTS_FILE") else None
# Hosts and networks that webhooks may be sent to; without any, none is sent.
CONTINUITY_WEBHOOK_HOSTS = receivers.allowed_by("CONTINUITY_WEBHOOK_HOSTS", env.names("CONTINUITY_WEBHOOK_HOSTS"))
HEARTBEAT_INTERVAL_MS = env.integer("HEARTBEAT_INTERVAL_MS", 2000, minimum=100)
# An agent is lost so long after its last beat; two that are missed and half an interval more (FR-007).
AGENT_LOST_AFTER_MS = env.integer("AGENT_LOST_AFTER_MS", HEARTBEAT_INTERVAL_MS * 5 // 2, minimum=HEARTBEAT_INTERVAL_MS + 1)
LIVENESS_PROBE_TIMEOUT_MS = env.integer("LIVENESS_PROBE_TIMEOUT_MS", 5000, minimum=100)

# Back-ups -------------------------------------------------------------------------------------------------------------
CONTINUITY_BACKUP_PASSPHRASE = env.secret("CONTINUITY_BACKUP_PASSPHRASE")
# Where pg_dump and pg_restore are that come with the embedded Postgres; None: those on the PATH.
CONTINUITY_POSTGRES_PROGRAMS = binaries.postgres_programs()
# Keys that the data folder would keep, had the environment not given them.
CONTINUITY_KEYS_GIVEN = [name for name in ("SECRET_KEY", "CONTINUITY_SIGNING_KEY", "CONTINUITY_STATE_KEYS") if env.secret(name)]

# Packages that leave and come in --------------------------------------------------------------------------------------
CONTINUITY_MAX_PACKAGE_BYTES = env.integer("CONTINUITY_MAX_PACKAGE_MB", 4, minimum=1, maximum=32) * MIB
_signing_key = env.secret("CONTINUITY_SIGNING_KEY")
CONTINUITY_SIGNING_KEY = signing_keys.decoded("CONTINUITY_SIGNING_KEY", _signing_key) if _signing_key else b""
CONTINUITY_SIGNING_KEY_FILE = CONTINUITY_DATA_DIR / "signing_key"
CONTINUITY_TRUSTED_KEYS = signing_keys.all_decoded("CONTINUITY_TRUSTED_KEYS", env.names("CONTINUITY_TRUSTED_KEYS"))

# The model that may propose what rules missed (unset: no model) ------------------------------------------------------
CONTINUITY_MODEL_URL = env.text("CONTINUITY_MODEL_URL")
CONTINUITY_MODEL_KIND = env.choice("CONTINUITY_MODEL_KIND", "openai", ["openai", "anthropic"])
CONTINUITY_MODEL_NAME = env.text("CONTINUITY_MODEL_NAME")
CONTINUITY_MODEL_KEY = env.secret("CONTINUITY_MODEL_KEY")
model_address.check(CONTINUITY_MODEL_URL, CONTINUITY_MODEL_NAME, CONTINUITY_MODEL_KEY)
CONTINUITY_MODEL_TIMEOUT_SECONDS = env.number("CONTINUITY_MODEL_TIMEOUT_SECONDS", 30, minimum=0.1, maximum=45)
CONTINUITY_MODEL_PASS_SECONDS = env.number("CONTINUITY_MODEL_PASS_SECONDS", 180, minimum=1, maximum=300)
CONTINUITY_MODEL_PREPARE_SECONDS = env.number("CONTINUITY_MODEL_PREPARE_SECONDS", 0, minimum=0, maximum=120)
CONTINUITY_MODEL_MAX_TOKENS = env.integer("CONTINUITY_MODEL_MAX_TOKENS", 4000, minimum=200, maximum=64_000)
CONTINUITY_MODEL_WINDOW_TOKENS = env.integer("CONTINUITY_MODEL_WINDOW_TOKENS", 12_000, minimum=500, maximum=200_000)
CONTINUITY_MODEL_WINDOWS = env.integer("CONTINUITY_MODEL_WINDOWS", 6, minimum=1, maximum=100)

# The first team's owner (printed once where the password is generated) ------------------------------------------------
CONTINUITY_TEAM_NAME = env.text("CONTINUITY_TEAM_NAME", "My team")
CONTINUITY_OWNER_EMAIL = env.text("CONTINUITY_OWNER_EMAIL", "owner@example.com")
CONTINUITY_OWNER_PASSWORD = env.secret("CONTINUITY_OWNER_PASSWORD")
# Who runs their own database means business; who runs ours may be looking around.
CONTINUITY_DEMO = env.flag("CONTINUITY_DEMO", _at.embedded_database)

# Mail and alert channels (FR-051; unset: not used) --------------------------------------------------------------------
ALERT_EMAIL_TO = env.names("ALERT_EMAIL_TO")
ALERT_WEBHOOK = env.secret("ALERT_WEBHOOK")
ALERT_SLACK_WEBHOOK = env.secret("ALERT_SLACK_WEBHOOK")
ALERT_PAGERDUTY_KEY = env.secret("ALERT_PAGERDUTY_KEY")
ALERT_PAGERDUTY_URL = env.text("ALERT_PAGERDUTY_URL", "https://events.pagerduty.com/v2/enqueue")
# Without a mail server, mail to people (invitations, password resets) is written to the terminal.
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if env.text('SMTP_HOST') else 'console'}.EmailBackend"
DEFAULT_FROM_EMAIL = env.text("CONTINUITY_MAIL_FROM", "Continuity <continuity@localhost>")
EMAIL_TIMEOUT = 10
EMAIL_USE_TLS = env.flag("SMTP_TLS")
EMAIL_HOST = env.text("SMTP_HOST", "localhost")
EMAIL_PORT = env.integer("SMTP_PORT", 25, minimum=1, maximum=65535)
EMAIL_HOST_USER = env.text("SMTP_USER")
EMAIL_HOST_PASSWORD = env.secret("SMTP_PASS")

# Watching -------------------------------------------------------------------------------------------------------------
LOGGING = configuration(
    env.choice("LOG_FORMAT", "auto", ["auto", "json", "console"]),
    env.choice("LOG_LEVEL", "info", ["debug", "info", "warning", "error", "critical"]).upper(),
    # Programs that serve keep their lines; a command's are on its terminal.
    stored=env.flag("CONTINUITY_LOG_STORE", bool(env.text(leftovers.MARK))),
)
CONTINUITY_LOG_LINES = env.integer("CONTINUITY_LOG_LINES", 500_000, minimum=1000, maximum=100_000_000)
TRACE_SAMPLE_RATIO = env.number("TRACE_SAMPLE_RATIO", 0.1, minimum=0.0, maximum=1.0)
PROMETHEUS_EXPORT_MIGRATIONS = False
# Ids that may have series of their own under one label of a metric; the rest is counted as "other".
CONTINUITY_METRIC_IDS = env.integer("CONTINUITY_METRIC_IDS", 1000, minimum=0, maximum=100_000)
# The share of prepared packages whose conversation is folded again in the background and compared.
CONTINUITY_AUDIT_SHARE = env.number("CONTINUITY_AUDIT_SHARE", 1.0, minimum=0.0, maximum=1.0)
# What is asked whether the installation is ready, for its uptime: behind a proxy, or where the monitor runs by itself, that of all.
CONTINUITY_READY_URL = env.text("CONTINUITY_READY_URL", f"{addresses.web_url(HOST, PORT)}/ready")
if not CONTINUITY_READY_URL.startswith(("http://", "https://")):
    raise BadSetting("CONTINUITY_READY_URL: it begins with http:// or https://")
CONTINUITY_METRICS_DAYS = env.integer("CONTINUITY_METRICS_DAYS", 90, minimum=1, maximum=3650)
