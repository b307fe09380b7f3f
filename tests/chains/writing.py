"""A book about a river, in the words of its author."""

from __future__ import annotations

from tests.chains.threads import Domain, ends, say, stays, turns

WRITING = Domain(
    "writing",
    "/home/greta/river",
    system=(
        say("rule", "Answer in the language of the manuscript, which is English.", "language of the manuscript"),
        say("prohibition", "Don't rewrite passages that you were not asked about.", "rewrite passages"),
    ),
    threads=(
        stays("rule", "The book goes to schools too, so no jargon and no acronym that isn't spelled out.", "jargon|acronym"),
        stays("rule", "We never say villagers, it's residents throughout.", "residents|villagers"),
        stays("rule", "Quotes from the interviews stay exactly as they were spoken, ums and all.", "quotes|spoken"),
        stays("prohibition", "Leave Mrs. Alder's first name out of it, she asked for that.", "alder|first name"),
        stays("prohibition", "Don't invent numbers. Where we have no source we say so.", "invent numbers"),
        stays("prohibition", "The letters from 1944 aren't ours to print, so paraphrase them.", "letters from 1944|paraphrase"),
        stays("limit", "The summary on the back cover has to fit into 120 words.", "back cover|120 words"),
        stays("limit", "One map per chapter, two if the chapter is really long.", "one map per chapter"),
        stays("preference", "I can't stand exclamation marks.", "exclamation marks"),
        stays("preference", "Past tense for the case studies reads better to me.", "past tense"),
        stays("preference", "I'm more of an Oxford comma person.", "oxford comma"),
        stays("fact", "The dedication is for Ruth.", "dedication|ruth"),
        stays("fact", "Our editor at the publisher is Bastian Moll, bastian@moll-books.example.", "bastian@moll-books.example"),
        stays("correction", "Careful, it's Kowalczyk with cz, not Kowalchik.", "kowalczyk"),
        stays("correction", "Actually the dam was finished in 1963, the 1936 in my notes is a typo.", "dam|1963"),
        stays("question", "Whether we need permission for the map on page 40 is still open.", "permission|page 40"),
        stays("commitment", "I'll get the photographer's release form to you before the weekend.", "release form"),
        stays("commitment", "I'll go over the captions again when you have chosen the photos.", "captions", by="agent"),
        turns(
            say("limit", "Chapters top out at 4,000 words.", "chapters|4,000 words"),
            say("limit", "Bastian is okay with 5,000 words, so chapters can be up to 5,000 words long now.", "5,000 words"),
        ),
        turns(
            say("decision", "The working title is Quiet Rivers.", "title|quiet rivers", "Quiet Rivers as the title, understood."),
            say("decision", "The title is Where the Water Waits now, the publisher likes that better.", "where the water waits"),
        ),
        turns(
            say("decision", "We open with the flood of 1997.", "open with|flood"),
            say("decision", "Move the flood to chapter three and open with the interview with Hanna.", "open with|hanna"),
        ),
        turns(
            say("decision", "Notes go at the foot of the page.", "notes|foot of the page"),
            say("decision", "The typesetter can't do footnotes, so let's have the notes at the end after all.", "notes at the end"),
        ),
        turns(
            say("fact", "The draft is due on March 14.", "draft|march 14"),
            say("fact", "They gave us two more weeks, the draft is due on March 28.", "draft|march 28"),
        ),
        stays("fact", "The index is due on April 9.", "index|april 9"),
        turns(
            say("fact", "Chapter 5 is written by Omar.", "chapter 5|omar"),
            say("decision", "Jonas takes over chapter 5 from Omar.", "jonas|chapter 5"),
        ),
        stays("fact", "Chapter 2 is written by Lena.", "chapter 2|lena"),
        turns(
            say("rule", "References follow Chicago style.", "references|chicago"),
            say("rule", "References should be in APA style from now on, the publisher insists.", "references|apa"),
        ),
        ends(
            say("question", "I'm not sure yet if the ferry chapter should come before the mill.", "not sure yet|ferry"),
            say("decision", "The ferry chapter comes before the mill, I slept on it.", "ferry chapter comes"),
        ),
        ends(
            say("commitment", "I'm going to scan the lock keeper's diary for you tomorrow.", "going to scan|diary"),
            say("fact", "I've scanned the lock keeper's diary, it's in scans/diary.pdf.", "scans/diary.pdf"),
        ),
    ),
    jobs=(
        ("Please shorten the second paragraph of the mill chapter.", "chapters/04-mill.md", "Shortened to 90 words."),
        ("Check the spelling in the ferry chapter.", "chapters/06-ferry.md", "Done, four typos fixed."),
        ("Can you turn my interview notes into a first draft for the lock keeper?", "chapters/07-lock.md", "The draft is finished."),
        ("Find me a better word for brackish in the delta chapter.", "chapters/09-delta.md", "Replaced it by briny."),
        ("Make a list of all people who are quoted.", "notes/people.md", "Done, 31 people."),
        ("Write two sentences about the author for the flap.", "notes/flap.md", "Written, 38 words."),
    ),
)
