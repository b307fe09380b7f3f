"""How the embedded Postgres is set up."""

from __future__ import annotations

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "password_encryption": "scram-sha-256",
    "shared_preload_libraries": "pg_stat_statements",
    "max_connections": "60",
    "shared_buffers": "64MB",
    "effective_cache_size": "512MB",
    "work_mem": "8MB",
    "maintenance_work_mem": "64MB",
    "min_wal_size": "64MB",
    "max_wal_size": "512MB",
    "io_method": "sync",
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    "idle_in_transaction_session_timeout": "10min",
    "client_connection_check_interval": "10s",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_min_messages": "warning",
    # A failed statement may hold a message's text: errors are logged without the statement that caused them.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}
UNSAFE_BUT_FAST = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "200",
    "client_connection_check_interval": "100ms",  # tests kill clients, and wait until the server has noticed
}
