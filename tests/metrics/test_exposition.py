"""Points as text: every name and type as Prometheus reads it, every label whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from diagnostics.measuring import instruments as of
from diagnostics.measuring.exposition import exposition, prometheus_name
from diagnostics.measuring.instruments import INSTRUMENTS, Instrument, InstrumentKind
from diagnostics.measuring.points import MetricPoint
from tests.metrics.reading import samples


def point(instrument: Instrument, *values: float, **labels: str) -> MetricPoint:
    made = MetricPoint(instrument, tuple(labels.items()))
    for value in values:
        made.add(value)
    return made


def test_it_works() -> None:
    counted = point(of.HANDOFFS_FAILED, 1, 1, conversation_id="c", reason="fidelity")
    assert exposition([counted]) == (
        "# HELP lexichord_continuity_handoffs_failed Failed handoffs\n"
        "# TYPE lexichord_continuity_handoffs_failed counter\n"
        'lexichord_continuity_handoffs_failed{conversation_id="c",reason="fidelity"} 2.0\n'
    )


def test_buckets_are_cumulative_and_end_with_all() -> None:
    text = exposition([point(of.FIDELITY_SCORE, 0.4, 0.85, 0.99, 7.0)])
    family = next(iter(text_string_to_metric_families(text)))
    buckets = {sample.labels["le"]: sample.value for sample in family.samples if sample.name.endswith("_bucket")}
    assert buckets == {"0.5": 1, "0.6": 1, "0.7": 1, "0.8": 1, "0.85": 2, "0.9": 2, "0.95": 2, "1": 3, "+Inf": 4}
    assert {sample.name.rpartition("_")[2]: sample.value for sample in family.samples if not sample.labels} == {"sum": 9.24, "count": 4}


@pytest.mark.parametrize("instrument", INSTRUMENTS.values(), ids=INSTRUMENTS)
def test_prometheus_reads_the_name_as_specified_but_for_its_dots(instrument: Instrument) -> None:
    text = exposition([point(instrument, 1.0)])
    plain = instrument.name.replace(".", "_")
    assert f"# TYPE {plain} {instrument.kind}\n" in text
    names = {name for name, _labels in samples(text)}
    assert names == ({f"{plain}_bucket", f"{plain}_sum", f"{plain}_count"} if instrument.kind is InstrumentKind.HISTOGRAM else {plain})
    assert [family.type for family in text_string_to_metric_families(text)] == [instrument.kind.value]


@given(st.text(st.characters(blacklist_categories=["Cs", "Cc", "Zl", "Zp"]) | st.just("\n"), max_size=30))
def test_a_label_may_hold_anything(text: str) -> None:
    family = next(iter(text_string_to_metric_families(exposition([point(of.HANDOFFS_SUCCESS, 1, conversation_id=text)]))))
    assert family.samples[0].labels == {"conversation_id": text}


def test_cont06_names_all_eleven() -> None:
    theirs = [name for name in INSTRUMENTS if name.startswith("lexichord.continuity.")]
    assert len(theirs) == 11
    assert prometheus_name("lexichord.continuity.chain.length") == "lexichord_continuity_chain_length"
