"""Made-up secrets, put together at run time so that no scanner of this repository takes them for real ones."""

from __future__ import annotations

import base64
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
    # A token in a path, in an address, in a longer name, behind an escape.
    ("github-token", "ghp_" + letters(34), "/srv/{}/a.py"),
    ("github-token", "ghp_" + letters(34), "backup_{}"),
    ("github-token", "github_pat_" + letters(70), "x{}"),
    ("openai-key", "sk-proj-" + letters(48), "https://proxy.example.org/{}/v1"),
    ("anthropic-key", "sk-ant-api03-" + letters(90), "my_{}"),
    ("stripe-key", "sk_" + "live_" + letters(22), "key_{}"),
    ("aws-access-key", "AKIA" + letters(14, UPPER).upper(), "s3/{}/x"),
    ("gitlab-token", "glpat-" + letters(18), "https://host/{}"),
    ("slack-token", "xoxb-123456789012-1234567890123-" + letters(22), "?x=%20{}"),
    ("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + letters(41), "https://host/cb/{}"),
    ("google-api-key", "AIza" + letters(33), "\x1b[32m{}\x1b[0m"),
    ("huggingface-token", "hf_" + letters(32), "\\u003d{}"),
    # Other kinds by their shape.
    ("continuity-key", "cont_" + letters(10, HEX) + "_" + letters(41), "KEY is {} here"),
    ("telegram-token", "1234567890:AA" + letters(31), "bot {}"),
    ("telegram-token", "12345678:" + letters(33), "https://api.telegram.org/bot{}/getMe"),
    ("vault-token", "hvs." + letters(24), "vault {}"),
    ("docker-token", "dckr_pat_" + letters(25), "docker {}"),
    ("shopify-token", "shpat_" + letters(30, HEX), "{}"),
    ("grafana-token", "glsa_" + letters(38), "{}"),
    ("url-token", letters(30), "git clone https://{}@git.host.org/team/app.git"),
    # Cookies.
    ("cookie", "session=" + letters(22) + "; theme=dark", "Cookie: {}"),
    ("cookie", "sid=" + letters(22), "{{'cookie': '{}'}}"),
    ("cookie", "sid=" + letters(22), 'fetch(u, {{headers: {{"Cookie": "{}"}}}})'),
    ("cookie", letters(30), "< Set-Cookie: sessionid={}; Path=/; HttpOnly"),
    ("cookie", "sid=" + letters(22), "curl -b '{}' https://host"),
    ("cookie", "sid=" + letters(22), "curl -s --cookie {} https://host"),
    # Options of commands.
    ("password", "geheim!", "curl -u admin:{} https://host/x"),
    ("password", "geheim!", "curl -su 'admin:{}' https://host/x"),
    ("password", "ge heim", 'curl https://host/a?b=c&d=e --user "admin:{}"'),
    ("password", "geheimes", '["curl", "-u", "admin:{}", "https://host"]'),
    ("password", "geheimes", 'bash -lc \\"curl -uadmin:{} https://host\\"'),
    ("password", "geheimes", "curl -X POST \\\n  -u admin:{} \\\n  https://host"),
    ("password", "geheimes", "http --auth admin:{} GET host"),
    ("password", "geheim", "mysql -h db -uroot -p{} shop"),
    ("password", "geheim", "mysqldump -u root -p'{}' shop > x.sql"),
    ("password", "geheim", "sshpass -p {} ssh root@host"),
    ("password", "ge heim", "sshpass -p '{}' ssh root@host"),
    ("password", "geheim", "redis-cli -h host -a {} ping"),
    ("password", "geheim", "docker login -u me -p {} registry.host"),
    ("password", "geheim", "ldapsearch -x -D cn=admin -w {} -b dc=x"),
    ("password", "geheim", "mongosh -u root -p {} host"),
    ("password", "geheim", "openssl rsa -in k.pem -passin pass:{}"),
    ("password", "geheimwort", "tool --password={} run"),
    # Files.
    ("docker-auth", base64.b64encode(b"robot:geheim").decode(), '"auths": {{"ghcr.io": {{"auth": "{}"}}}}'),
    ("docker-auth", base64.b64encode(b"robot:geheim").decode(), '{{\\"auth\\": \\"{}\\"}}'),
    ("password", "geheim", "machine api.host.org login me password {}"),
    ("password", "geheim", "machine api.host.org\n  login me\n  password {}\n"),
    ("password", "geheim1", "machine a password {} login b"),
    ("password", "geheim", "db.host.org:5432:shop:me:{}\n"),
    ("password", "geheim", "     1\t*:*:*:me:{}  .pgpass"),
    # Sentences.
    ("password", "hunter2", "The admin password is {} for now"),
    ("password", "Tr0ub4dor&3", "the password for staging is now {}, please"),
    ("password", "correcthorse", "my password is `{}`."),
    ("password", "winter2026", "Das Admin-Passwort ist {}."),
    ("password", "Sommer!Nacht", "das Passwort für den Testserver lautet {}"),
    ("password", "winter2026", "Passwort: {}"),
    ("password", "hiver2026", "le mot de passe est {}"),
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
    "the password is required, the password is stored hashed and the password is `None`",
    "password is at least 8 characters; the password is in 1Password; a password is never logged",
    "Das Passwort ist falsch. Das Passwort wird mit Argon2 gespeichert.",
    "Cookie: name=value; the Cookie: header, Set-Cookie: sid=<id>; cookie = None",
    "document.cookie = name + '=' + value; SESSION_COOKIE_SECURE=True",
    "curl -u $USER:$PASSWORD https://host && docker run -u 1000:1000 image",
    "mysql -p shop; mysql -P3306; ssh -p 2222 host; mkdir -p /srv/data; docker run -p 8080:80 web",
    "src/app.py:120:5:error:unexpected and web:8080:80:tcp:open",
    '"auth": "bearer", "auth": "c2VydmVyLXNpZGU=", "auth": "required"',
    "the machine login page, the default login and password reset",
    "https://github.com/@scope/package@1.2.3 https://user-name-of-mine@host/x ssh://deploy-user@host",
    "/sk-toolbar-button-primary-large-2/ and css .sk-fading-circle-12-animation-delay",
    "tool --password=$PW --password=<password> --password=PASSWORD --password-stdin",
    "git log --format=12:34:56:78:90 and 2026-01-02T10:20:30:5432:x",
]
