"""A customer study, in the words of the person who answers for its figures."""

from __future__ import annotations

from tests.chains.threads import Domain, ends, say, stays, turns

ANALYSIS = Domain(
    "analysis",
    "/data/churn",
    system=(
        say("rule", "Always state the sample size next to a percentage.", "sample size|percentage"),
        say("prohibition", "Never join the survey to names or addresses.", "survey|names or addresses"),
    ),
    threads=(
        stays("rule", "Anything with fewer than 30 respondents per cell gets suppressed.", "30 respondents|suppressed"),
        stays("rule", "Notebooks are for playing; whatever we report comes out of scripts.", "notebooks|scripts"),
        stays("rule", "The seed is 1729 in every script.", "seed|1729"),
        stays("prohibition", "PII stays in the vault bucket, not even hashed e-mails leave it.", "pii|vault bucket"),
        stays("prohibition", "The test set is off the table until the very end.", "test set|off the table"),
        stays("prohibition", "Legal would kill me if the Swiss records ended up in the export.", "swiss records|export"),
        stays("limit", "We can live with 2 % missing values, beyond that I need to hear about it.", "2 %|missing values"),
        stays("limit", "A query that scans more than 50 GB needs my okay.", "50 gb"),
        stays("preference", "Use the median for response times, means lie.", "median|response times"),
        stays("preference", "Plots without gridlines please, and a palette that works for colour-blind people.", "gridlines"),
        stays("preference", "For the slides one number per page is plenty.", "one number per page"),
        stays("fact", "The warehouse is wh-03.internal, schema mart_churn.", "wh-03.internal|mart_churn"),
        stays("fact", "Black Friday weeks are flagged with promo_code BF.", "promo_code|bf"),
        stays("correction", "That's not how we count, a customer with two contracts is one customer.", "two contracts|one customer"),
        stays("correction", "Weeks start on Sunday here, not on Monday.", "weeks|sunday"),
        stays("question", "What I don't understand yet is why store 417 has negative sales.", "store 417|negative sales"),
        stays("commitment", "I'm going to ask legal about the retention period and come back to you.", "ask legal|retention"),
        stays("commitment", "I'll rerun the holdout evaluation as soon as the March data has landed.", "holdout|march data", by="agent"),
        turns(
            say("decision", "Outliers beyond three sigma are removed.", "outliers|three sigma"),
            say("decision", "Let's winsorise the outliers at the 1st and 99th percentile rather than removing them.", "winsorise|99th"),
        ),
        turns(
            say("fact", "Revenue is in euros.", "revenue|euros", "Revenue in euros, then."),
            say("correction", "I was mistaken about the revenue, it is in US dollars.", "revenue|dollars"),
        ),
        turns(
            say("decision", "We train on 18 months.", "18 months"),
            say("decision", "24 months of training data please, 18 don't cover two seasons.", "24 months"),
        ),
        turns(
            say("decision", "The baseline is the 2019 cohort.", "baseline|2019"),
            say("decision", "Scrap the 2019 cohort, the baseline is the 2021 cohort.", "baseline|2021"),
        ),
        turns(
            say("fact", "The churn model's threshold is 0.35.", "churn|0.35"),
            say("decision", "Set the churn model's threshold to 0.42.", "churn|0.42"),
        ),
        stays("fact", "The fraud model's threshold is 0.8.", "fraud|0.8"),
        turns(
            say("fact", "The daily export runs at 02:30.", "daily export|02:30"),
            say("fact", "The daily export runs at 03:15 these days, 02:30 collided with the backup.", "daily export|03:15"),
        ),
        stays("fact", "The weekly export runs at 05:00 on Sundays.", "weekly export|05:00"),
        turns(
            say("decision", "We join on customer_uid.", "join on customer_uid"),
            say("correction", "It's account_ref we join on, customer_uid has duplicates.", "account_ref"),
        ),
        ends(
            say("question", "Can somebody tell me why the loyalty flag is empty before 2020?", "why the loyalty flag"),
            say("fact", "The loyalty flag is empty before 2020 because the programme started in February 2020.", "february 2020"),
        ),
        ends(
            say("commitment", "I'll upload the store master file tonight.", "upload|store master"),
            say("fact", "The store master file is uploaded, raw/stores_2024.parquet.", "raw/stores_2024.parquet"),
        ),
    ),
    jobs=(
        ("Plot churn by month for me.", "plots/churn_by_month.py", "Done, the plot is in plots/out."),
        ("Why does the merge lose 212 rows? Please fix that.", "steps/merge.py", "Fixed, the keys had trailing spaces."),
        ("Can you write the loader for the survey?", "steps/load_survey.py", "Written and tested."),
        ("Turn the query for active customers into a view.", "sql/active.sql", "Created the view."),
        ("Give me the ten stores with the highest churn.", "steps/top_stores.py", "Here are the ten stores, in out/top.csv."),
        ("Speed up the feature step, it takes forever.", "steps/features.py", "Done, from 14 minutes to 2."),
    ),
)
