"""A payment service, in the words of the person who maintains it."""

from __future__ import annotations

from tests.chains.threads import Domain, ends, say, stays, turns

CODING = Domain(
    "coding",
    "/home/ines/paybox",
    system=(
        say("rule", "Reply in plain English and never paste card numbers into the chat.", "card numbers"),
        say("prohibition", "The assistant must not open network connections to production.", "network connections|production"),
    ),
    threads=(
        stays("rule", "Every handler in the ledger package goes through withTx, no exceptions.", "withtx|ledger"),
        stays("rule", "Money is integers in cents everywhere; a float anywhere near an amount is a bug.", "cents|float"),
        stays("rule", "Two approvals are needed for anything that touches auth.", "two approvals|auth"),
        stays("rule", "Tags are pushed by the release bot and nobody else.", "tags|release bot"),
        stays("prohibition", "Whatever you do, stay out of vendor/legacy_tax.", "vendor/legacy_tax"),
        stays("prohibition", "I'd be really unhappy to see another ORM in this codebase.", "another orm"),
        stays("prohibition", "Please treat the proto files as frozen until mobile has caught up.", "proto files|frozen"),
        stays("limit", "It's fine to be slow in the importer, but the checkout path gets 80 ms and not one more.", "checkout|80 ms"),
        stays("limit", "Nothing over 300 lines per file, that's how we do it here.", "300 lines"),
        stays("preference", "What I like in a PR description is the why first, then the how.", "pr description|why"),
        stays("preference", "Go easy on the comments, I can read code.", "easy on the comments"),
        stays("preference", "British spelling in user-facing strings, if you don't mind.", "british spelling"),
        stays("fact", "The sandbox merchant is mrc_8841 and its currency is CHF.", "mrc_8841|chf"),
        stays("correction", "You got that wrong: VAT is applied per line, the total is only summed up.", "vat|per line"),
        stays("correction", "The column is settled_at; there never was a paid_at.", "settled_at"),
        stays("question", "I still have to find out who owns the tax tables.", "who owns|tax tables"),
        stays("commitment", "Remind me to rotate the webhook secret when we go live.", "rotate|webhook secret"),
        stays("commitment", "I'll write the migration guide once the API is frozen.", "migration guide", by="agent"),
        turns(
            say("decision", "OK so idempotency keys live in Redis, 24 hours.", "idempotency|redis|24"),
            say(
                "decision",
                "Thinking about it more, I want the idempotency keys in Postgres, Redis loses them on failover.",
                "idempotency|postgres",
            ),
        ),
        turns(
            say("decision", "We release the new checkout to everyone on Friday.", "everyone|friday", "Everyone on Friday, noted."),
            say("decision", "Let's ship the new checkout behind the flag after all, at 5 % for a start.", "flag|5 %"),
        ),
        turns(
            say("decision", "The webhook retries five times.", "webhook|five"),
            say("decision", "Eight retries for the webhook please, five turned out to be too few.", "eight retries|webhook"),
        ),
        turns(
            say("fact", "The gateway's read timeout is 12 seconds.", "gateway|12 seconds"),
            say("fact", "Bump the gateway's read timeout to 20 seconds.", "gateway|20 seconds"),
        ),
        stays("fact", "The settlement job's timeout is 90 seconds.", "settlement|90 seconds"),
        turns(
            say("limit", "The connection pool may grow to 40.", "pool|40"),
            say("limit", "Let the connection pool go up to 60, 40 was what the old box could take.", "pool|60"),
        ),
        stays("limit", "At least 4 connections stay open in the pool at all times.", "at least 4|pool"),
        turns(
            say("fact", "The client library is called paylink.", "client library|paylink"),
            say("fact", "Marketing had their way, so the client library is now called payway-js.", "payway-js"),
        ),
        ends(
            say("question", "One thing nobody has told me yet is whether refunds need their own ledger account.", "whether refunds"),
            say("fact", "Finance came back: refunds do get their own ledger account, number 2150.", "refunds|2150"),
        ),
        ends(
            say("commitment", "I'll send you the sandbox credentials on Monday.", "send you|sandbox credentials"),
            say("fact", "Sandbox credentials are in the vault now, under pay/sandbox.", "pay/sandbox"),
        ),
    ),
    jobs=(
        ("Can you fix the flaky test in tests/test_webhook.py?", "tests/test_webhook.py", "Fixed: the test waited for a wall clock."),
        ("Rename Payer to Customer in src/models/payer.py.", "src/models/payer.py", "Renamed, all tests pass."),
        ("The CSV export drops the last row, please look into it.", "src/export/csv.py", "Done, the loop stopped one row early."),
        ("Could you add a health route to src/http/server.py?", "src/http/server.py", "Added the route and a test, all green."),
        ("Please clean up the imports in src/ledger/post.py.", "src/ledger/post.py", "Done, nothing else changed."),
        ("Write a test for the refund of a partial capture.", "tests/test_refund.py", "Added, it passes."),
    ),
)
