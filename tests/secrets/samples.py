"""Made-up secrets, put together at run time so that no scanner of this repository takes them for real ones."""

from __future__ import annotations

import random
import string

_RANDOM = random.Random(20260103)


def letters(count: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    return "".join(_RANDOM.choice(alphabet) for _ in range(count)) + "7a"


UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"
KEY_BODY = "\n".join(letters(62) for _ in range(8))

# kind, the secret alone, a text around it
SECRETS = [
    ("anthropic-key", "sk-ant-api03-" + letters(90), "the key is {}, keep it"),
    ("openai-key", "sk-proj-" + letters(48), "OPENAI: {}"),
    ("openai-key", "sk-" + letters(46), "({})"),
    ("github-token", "ghp_" + letters(34), "git clone with {}"),
    ("github-token", "github_pat_" + letters(70), "{}"),
    ("gitlab-token", "glpat-" + letters(18), "use {} here"),
    ("slack-token", "xoxb-123456789012-1234567890123-" + letters(22), "bot {}"),
    ("slack-webhook", "https://hooks.slack.com/services/T0AB/B0CD/" + letters(22), "post to {}"),
    ("aws-access-key", "AKIA" + letters(14, UPPER).upper(), "id {}"),
    ("aws-access-key", "AKIA" + letters(14, UPPER).upper(), "json\\n{}"),
    ("google-api-key", "AIza" + letters(33), "maps={}"),
    ("stripe-key", "sk_" + "live_" + letters(22), "{}"),
    ("huggingface-token", "hf_" + letters(32), "login {}"),
    ("npm-token", "npm_" + letters(34), "{}"),
    ("sendgrid-key", "SG." + letters(20) + "." + letters(41), "{}"),
    ("pypi-token", "pypi-AgEIcHlwaS5vcmc" + letters(80), "{}"),
    ("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + letters(41), "cookie {}"),
    ("bearer-token", letters(38), "Authorization: Bearer {}"),
    ("basic-auth", letters(18) + "==", 'curl -H "Authorization: Basic {}"'),
    ("url-password", "s3cr3tpw", "postgres://user:{}@db.host:5432/app"),
    ("url-password", "pa55w0rd", "redis://:{}@localhost"),
    ("private-key", f"-----BEGIN RSA PRIVATE KEY-----\n{KEY_BODY}\n-----END RSA PRIVATE KEY-----", "before\n{}\nafter"),
    ("private-key", f"-----BEGIN OPENSSH PRIVATE KEY-----\n{KEY_BODY}", "cut off: {}"),
    ("password", "correcthorsebattery", "DB_PASSWORD={}"),
    ("password", "hunter2hunter2", "password: {}"),
    ("password", "x9Kd", "MYSQL_PWD={} mysql"),
    ("api-key", letters(30), '"apiKey": "{}"'),
    ("api-key", letters(30), '{{\\"api_key\\": \\"{}\\"}}'),
    ("api-key", letters(36) + "/" + letters(8), "secret_access_key = {}"),
    ("secret", letters(28), '{{"client_secret":"{}"}}'),
    ("token", letters(28), "tool --token {} --verbose"),
    ("token", letters(38, HEX), "token={}"),
]

HARMLESS = [
    "commit c99ce2f2e8b1f0d9c0ab12ffee34567890abcdef",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "data:image/png;base64," + letters(3000, string.ascii_letters + string.digits + "+/"),
    "sha512-" + letters(86) + "==",
    "/home/me/projects/secrets/token_store_v2.py:120",
    "max_tokens: 4096, total_tokens=123456789, token_count: 12345678a",
    "password = get_password()",
    "password: string; apiKey: z.string().min(1); secret = settings.SECRET_KEY",
    "const token = req.headers.authorization",
    "Bearer ${TOKEN} or Bearer <token> or Authorization: Bearer your-token-here",
    "postgres://user:password@localhost/db and http://localhost:8000/@foo",
    "API_KEY=your-api-key PASSWORD=$DB_PASSWORD OPENAI_API_KEY=sk-...",
    "token: TokenUsage1, token.type=Ident12, TokenKind::Ident1234",
    "risk-management-of-a-very-long-branch-name-123",
    "ssh://git@github.com:22/x and git@github.com:foo/bar.git and https://user@host:80/x",
    "-----BEGIN PRIVATE KEY----- is how such a file starts",
    "secret/v1/data/foo1bar and tokens: input=123 output=4556abc",
    "password_reset_token_expiry=3600s",
]
