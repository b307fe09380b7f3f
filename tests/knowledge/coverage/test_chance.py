from __future__ import annotations

from math import log

from hypothesis import given
from hypothesis import strategies as st

from continuity.knowledge.coverage.chance import Judge, chance, marks_of
from continuity.knowledge.coverage.term_uses import ANY, TermUse, TermUses
from continuity.knowledge.coverage.weights import WEIGHTS

TERMS = ("cart", "Cart", "cart_total", "HTTP", "v2", "gemüse", "订单")


@given(st.lists(st.tuples(st.sets(st.sampled_from(TERMS), max_size=4), st.booleans()), max_size=30), st.integers(0, 40))
def test_it_works(messages: list[tuple[set[str], bool]], later: int) -> None:
    uses = TermUses(1_000, 18_000)
    for seq, (terms, person) in enumerate(messages):
        uses.count_all(sorted(terms), seq, person=person)
    seq, every = len(messages) + later, uses.use_of(ANY)
    unused = TermUse(last_seq=seq - every.messages)

    weighed = Judge(uses, seq).weighed(TERMS)

    for term, weight in weighed.items():
        use = uses.get(term) or unused
        rare = log((every.messages + 1) / (use.messages + 0.5))
        assert weight == max(0.0, rare * chance(marks_of(term, use, seq, every.heard_seq), WEIGHTS.values))
