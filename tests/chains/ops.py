"""A fleet of servers, in the words of the person who runs it."""

from __future__ import annotations

from tests.chains.threads import Domain, ends, say, stays, turns

OPS = Domain(
    "ops",
    "/srv/fleet",
    system=(
        say("rule", "Show a command before you run it on a production host.", "command before|production host"),
        say("prohibition", "Secrets must never be written to a ticket.", "secrets|ticket"),
    ),
    threads=(
        stays("prohibition", "Nobody restarts kafka-3 by hand, it takes the whole ring down.", "kafka-3|by hand"),
        stays("rule", "Changes to prod only happen between 9 and 11 in the morning, Tuesday to Thursday.", "prod|9 and 11"),
        stays("rule", "Anything that deletes data gets a dry run first, and I want to see its output.", "deletes data|dry run"),
        stays("rule", "If a node goes above 80 % disk, drain it rather than cleaning up in place.", "80 % disk|drain"),
        stays("limit", "Our error budget for the month is 22 minutes, so no experiments on the edge proxies.", "22 minutes|edge proxies"),
        stays("limit", "We've got money for three more machines this quarter, that's it.", "three more machines"),
        stays("preference", "Keep me posted in short bullet points, I'm on my phone.", "bullet points"),
        stays("preference", "I hate surprises, so tell me the blast radius before you run anything.", "blast radius"),
        stays("preference", "Timestamps in UTC, always.", "timestamps|utc"),
        stays("fact", "The bastion answers as jump.internal.example, user ops.", "jump.internal.example"),
        stays("fact", "For the pager use service id P7X21QK.", "p7x21qk"),
        stays("correction", "No, grafana is on monitor-02. monitor-01 was decommissioned in March.", "grafana|monitor-02"),
        stays("question", "Nobody could tell me so far whether the vault cluster is backed up.", "vault cluster|backed up"),
        stays("commitment", "I owe you the list of maintenance contacts, you'll have it by Thursday.", "maintenance contacts"),
        stays(
            "commitment", "Once the certificate has been renewed I'll remove the temporary listener on 8443.", "listener|8443", by="agent"
        ),
        turns(
            say("decision", "Disk alerts page us at 85 %.", "disk alerts|85"),
            say("decision", "Make the disk alerts page at 92 %, 85 was far too twitchy.", "disk alerts|92"),
        ),
        turns(
            say("rule", "Logs are kept for 14 days.", "logs|14 days", "Fourteen days of logs it is; the retention is 14 days now."),
            say("rule", "Compliance called, logs have to be kept for 90 days.", "logs|90 days"),
        ),
        turns(
            say("decision", "We go with Traefik as the ingress.", "traefik|ingress"),
            say("decision", "Traefik is out, we'll take nginx as the ingress because the team knows it.", "nginx|ingress"),
        ),
        turns(
            say("decision", "We're doing blue-green for the api.", "doing blue-green"),
            say("decision", "Blue-green is too expensive with this fleet, so a rolling update for the api it is.", "rolling update"),
        ),
        turns(
            say("decision", "The canary takes 10 % of the traffic.", "canary|10 %"),
            say("decision", "Start the canary at 2 % instead.", "canary|2 %"),
        ),
        turns(
            say("fact", "Priya is on call this week.", "priya|on call"),
            say("fact", "Priya swapped with Tomasz, so Tomasz is on call this week.", "tomasz|on call"),
        ),
        turns(
            say("fact", "us-east runs 4 nodes.", "us-east|4 nodes"),
            say("decision", "Scale us-east to 8 nodes.", "us-east|8 nodes"),
        ),
        stays("fact", "eu-west runs 6 nodes.", "eu-west|6 nodes"),
        stays("limit", "The api never has fewer than 3 replicas.", "fewer than 3 replicas"),
        turns(
            say("limit", "The api never has more than 12 replicas.", "more than 12 replicas"),
            say("limit", "For the launch the api can have up to 20 replicas instead of 12.", "up to 20 replicas"),
        ),
        turns(
            say("fact", "Staging's database is pg-stage-2 on port 5434.", "pg-stage-2|5434"),
            say("fact", "Heads-up, staging's database moved to pg-stage-7 on port 5434.", "pg-stage-7"),
        ),
        stays("fact", "Production's database is pg-main on port 5432.", "pg-main|5432"),
        ends(
            say("question", "I wonder if the old load balancer still gets any traffic.", "old load balancer|traffic"),
            say("fact", "I checked: the old load balancer gets no traffic at all, its last request was on 3 May.", "3 may"),
        ),
        ends(
            say("commitment", "I'll ask the network people to open port 9443 for you.", "ask the network people"),
            say("fact", "The network people opened port 9443 an hour ago.", "opened port 9443"),
        ),
    ),
    jobs=(
        ("Why is worker-11 swapping? Have a look and fix it.", "roles/worker/memory.yml", "Fixed, the cache had no limit."),
        ("Please add worker-12 to the inventory.", "inventory/hosts.ini", "Added worker-12."),
        ("The nightly backup job mails twice, get rid of one of them.", "roles/backup/mail.yml", "Removed the second mail."),
        ("Update the runbook for a lost quorum.", "docs/quorum.md", "Updated, with the commands in order."),
        ("Can you check that ntp runs everywhere?", "roles/ntp/main.yml", "Done, it runs on all hosts."),
        ("Tidy up the dashboards folder.", "dashboards/index.json", "Finished, twelve unused dashboards removed."),
    ),
)
