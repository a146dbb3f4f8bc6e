"""Context items that are data: one statement a field, and prose left as it is."""

import json
from dataclasses import replace

import pytest

from provenance_core import DETECTORS, default_parameters
from provenance_core.audit.digest import evidence_digest, measurement_digest
from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.text.structured_context import given_context, is_data, verbalise
from provenance_core.types import ContextItem
from storage import AuditStore
from storage.engine import get_engine

# In the shape of RAGTruth's data-to-text sources (its section 3.1: businesses of Yelp).
BUSINESS = {
    "name": "Subway",
    "address": "2840 De La Vina St",
    "city": "Santa Barbara",
    "state": "CA",
    "categories": "Restaurants, Sandwiches, Fast Food",
    "hours": {"Monday": "0:0-0:0", "Tuesday": "7:0-22:0"},
    "attributes": {
        "BusinessParking": {"garage": False, "street": None, "lot": True},
        "RestaurantsReservations": False,
        "OutdoorSeating": None,
        "WiFi": "free",
        "Ambience": None,
    },
    "business_stars": 2.5,
    "review_info": [
        {
            "review_stars": 1.0,
            "review_date": "2021-12-09 03:31:04",
            "review_text": "Never again. They closed early!",
        },
        {"review_stars": 4.0, "review_date": "2021-10-11 21:02:53", "review_text": "Good bread"},
    ],
}
INVOICE = {
    "invoiceNumber": "INV-204",
    "customer": {"name": "Ada Ltd", "vatId": None},
    "lineItems": [
        {"description": "Widget", "quantity": 3, "unit_price": 1.10},
        {"description": "Gadget", "quantity": 0, "unit_price": 20},
    ],
    "discounts": [],
    "paid": False,
    "note": "",
}


def statements(text):
    (item,), (found,), _ = verbalise([ContextItem(0, text)])
    assert found.original == text
    return item.text.splitlines()


def test_ragtruths_data_to_text_is_one_statement_a_field():
    found = statements(json.dumps(BUSINESS))
    assert found == [
        "Name is Subway.",
        "Address is 2840 De La Vina St.",
        "City is Santa Barbara.",
        "State is CA.",
        "Categories is Restaurants, Sandwiches, Fast Food.",
        "In hours, Monday is 0:0-0:0.",
        "In hours, Tuesday is 7:0-22:0.",
        "In attributes, Business Parking, garage is false (no).",
        "In attributes, Business Parking, street is not given (null).",
        "In attributes, Business Parking, lot is true (yes).",
        "In attributes, Restaurants Reservations is false (no).",
        "In attributes, Outdoor Seating is not given (null).",
        "In attributes, Wi Fi is free.",
        "In attributes, Ambience is not given (null).",
        "Business stars is 2.5.",
        "In review info, item 1, review stars is 1.0.",
        "In review info, item 1, review date is 2021-12-09 03:31:04.",
        "In review info, item 1, review text: Never again. They closed early!",
        "In review info, item 2, review stars is 4.0.",
        "In review info, item 2, review date is 2021-10-11 21:02:53.",
        "In review info, item 2, review text is Good bread.",
    ]
    # Its prompts hold the same as a Python literal.
    assert statements(repr(BUSINESS)) == found


def test_an_invoice_names_its_line_items():
    # As written, not as a float would have it.
    text = json.dumps(INVOICE).replace("1.1,", "1.10,").replace("1.1}", "1.10}")
    assert statements(text) == [
        "Invoice Number is INV-204.",
        "In customer, name is Ada Ltd.",
        "In customer, vat Id is not given (null).",
        "In line Items, item 1 (Widget), description is Widget.",
        "In line Items, item 1 (Widget), quantity is 3.",
        "In line Items, item 1 (Widget), unit price is 1.10.",
        "In line Items, item 2 (Gadget), description is Gadget.",
        "In line Items, item 2 (Gadget), quantity is 0.",
        "In line Items, item 2 (Gadget), unit price is 20.",
        "Discounts is an empty list.",
        "Paid is false (no).",
        "Note is empty text.",
    ]


def test_what_is_nothing_is_told_apart():
    values = [None, False, 0, "", [], {}, "null", True]
    found = statements(json.dumps({f"field{i}": value for i, value in enumerate(values)}))
    assert len({line.split(" is ")[1] for line in found}) == len(values)


def test_lists_of_values_and_of_lists():
    assert statements('{"tags": ["red", "blue"], "grid": [[1, 2], [3]]}') == [
        "Tags is red.",
        "Tags is blue.",
        "In grid, item 1 is 1.",
        "In grid, item 1 is 2.",
        "In grid, item 2 is 3.",
    ]


def test_a_key_given_twice_is_said_twice():
    assert statements('{"a": 1, "a": 2}') == ["A is 1.", "A is 2."]


@pytest.mark.parametrize(
    "text",
    [
        "item,price,stock\nWidget,1.10,3\nGadget,20,\n",
        "item;price;stock\nWidget;1.10;3\nGadget;20;\n",
        "item\tprice\tstock\nWidget\t1.10\t3\nGadget\t20\t\n",
        "| item | price | stock |\n|---|---:|---|\n| Widget | 1.10 | 3 |\n| Gadget | 20 | |\n",
    ],
)
def test_tables_are_read_row_by_row(text):
    assert statements(text) == [
        "In row 1 (Widget), item is Widget.",
        "In row 1 (Widget), price is 1.10.",
        "In row 1 (Widget), stock is 3.",
        "In row 2 (Gadget), item is Gadget.",
        "In row 2 (Gadget), price is 20.",
        "In row 2 (Gadget), stock is empty text.",
    ]


def test_what_a_list_holds_is_no_item_of_the_context():
    text = '[{"name": "Widget", "tags": [{"id": "a1"}]}, {"name": "Gadget"}]'
    assert statements(text) == [
        "In entry 1 (Widget), name is Widget.",
        "In entry 1 (Widget), tags, item 1 (a1), id is a1.",
        "In entry 2 (Gadget), name is Gadget.",
    ]
    assert statements('["red", "blue"]') == ["Entry 1 is red.", "Entry 2 is blue."]


@pytest.mark.parametrize(
    "text",
    [
        "The set {1, 2} and the list [3] are written with brackets.",
        "{This sentence stands in braces.}",
        "[Applause]",
        "[1]",
        "[1, 2]",
        "{}",
        '{"a": 1',
        '{"a": 1} and then some',
        '{"a": nothing}',
        "Paris, France, Europe\nRome, Italy, Europe",
        "First he came, then he saw.\nThen he won, then he left.",
        "A line; another\nand a third; a fourth",
        "| not | a table |",
        "1,2,3\n4,5,6",
        "a,b\n1,2,3",
        "",
    ],
)
def test_what_is_not_data_stays_as_it_is(text):
    items = (ContextItem(0, text),)
    assert verbalise(items) == (items, (), ())
    assert not is_data(text)


def test_offsets_are_of_the_statements_and_the_original_is_kept(provenance, tmp_path):
    context = ["Subway is a chain.", json.dumps(BUSINESS)]
    audit = provenance.audit(
        query="What are the opening hours?",
        answer="It has no reservations. Its WiFi is free.",
        context=context,
    )
    evidence = audit.evidence
    assert [each.item for each in evidence.structured] == [1]
    assert [item.text for item in given_context(evidence)] == context
    for chunk in evidence.chunks:
        assert evidence.context[chunk.item].text[chunk.start : chunk.end] == chunk.text
    (notice,) = [n for n in evidence.notices if n.code == "structured_context"]
    assert "2 (JSON object)" in notice.message
    assert audit_from_json(audit_to_json(audit)) == audit
    store = AuditStore(get_engine(f"sqlite:///{tmp_path / 'audits.db'}"))
    assert store.load(store.save(audit)).audit == audit
    # A batch knows the audit by the texts that it was given.
    models = (provenance.relevance.info, provenance.nli.info)
    wanted = measurement_digest(evidence.query, evidence.answer, context, audit.parameters, models)
    assert evidence_digest(evidence, audit.parameters) == wanted


def test_prose_is_measured_as_before(provenance):
    evidence = provenance.audit(answer="It is {new}.", context=["It is {new} [1]."]).evidence
    assert evidence.structured == ()
    assert "structured_context" not in [notice.code for notice in evidence.notices]


@pytest.mark.parametrize(
    "name", [name for name, detector in DETECTORS.items() if not detector.unavailable()]
)
def test_every_detector_reads_the_statements(provenance, name):
    parameters = replace(default_parameters(detector=name))
    audit = provenance.audit(
        query="q",
        answer="The invoice is not paid.",
        context=['{"paid": false, "no": 7}'] * 2,
        parameters=parameters,
    )
    assert "Paid is false (no)." in audit.evidence.chunks[0].text
