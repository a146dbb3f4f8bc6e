"""What the interface says of itself is what it does."""

from __future__ import annotations

from typing import get_type_hints

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api.app import create_app
from api.bodies import AuditBody, AuditsBody, PresetBody, ReviewBody, RunBody, RunChangeBody
from api.guard import Guard
from provenance_core.types import Parameters

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)
ASKED = create_app(Guard(lambda: "127.0.0.1", lambda: ())).openapi()
ADDRESSES = [(path, method) for path, each in ASKED["paths"].items() for method in each]


def ask_at_random(client, examples: int) -> int:
    """Send requests of all shapes, right and wrong, and check every answer; how many were sent."""
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", client.app)
    sent = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.path.endswith("/events"):
            continue  # A stream goes on as long as its run.
        for mode in GenerationMode:

            @settings(
                max_examples=examples,
                derandomize=True,
                database=None,
                suppress_health_check=list(HealthCheck),
                phases=[Phase.generate],
            )
            @given(operation.as_strategy(generation_mode=mode))
            def ask(case: schemathesis.Case) -> None:
                nonlocal sent
                sent += 1
                case.call_and_validate(base_url="http://127.0.0.1", checks=CHECKS)

            ask()
    return sent


@pytest.mark.slow
def test_answers_to_random_requests_are_those_that_are_described(client):
    assert ask_at_random(client, 2) >= 2 * len(ADDRESSES)


@pytest.mark.slow
def test_answers_to_many_random_requests_are_those_that_are_described(client):
    assert ask_at_random(client, 60) >= 60 * len(ADDRESSES)


def test_parameters_are_those_of_the_core():
    found = ASKED["components"]["schemas"]["GivenParameters"]["properties"]
    assert list(found) == list(get_type_hints(Parameters))
    assert all(each["description"] for each in found.values())


@pytest.mark.parametrize(
    "body", [AuditBody, AuditsBody, PresetBody, RunBody, RunChangeBody, ReviewBody]
)
def test_each_request_has_an_example_that_is_one(body):
    (example,) = body.model_json_schema()["examples"]
    assert body.model_validate(example)


@pytest.mark.parametrize(("path", "method"), ADDRESSES)
def test_each_address_is_described_with_its_refusals(path, method):
    described = ASKED["paths"][path][method]
    assert described["description"]
    for status in ("401", "403", "422", "503"):
        assert "application/problem+json" in described["responses"][status]["content"]
    assert described["security"] == [{"HTTPBearer": []}]
