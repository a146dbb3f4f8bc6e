"""What a request brings. The fields of the parameters are those of the one table of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Self, get_type_hints

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    create_model,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from provenance_core.audit.serialization import to_plain
from provenance_core.files.types import FieldMapping
from provenance_core.parameters import PARAMETERS
from provenance_core.review.types import JudgedVerdict, Judgement
from provenance_core.types import Parameters

LARGEST_NUMBER = 2**31 - 1  # that a database keeps
_EXAMPLE_QUERY = "When was the bridge opened?"
_EXAMPLE_CONTEXT = ["The Sydney Harbour Bridge was opened on 19 March 1932."]


def _example(**body: Any) -> ConfigDict:
    """An example of a request, for the description of the interface."""
    return ConfigDict(json_schema_extra={"examples": [body]})


class Body(BaseModel):
    """A request: fields of other names are refused, so that a slip of the pen is not silent."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="wrap")
    @classmethod
    def _refuse_booleans(cls, given: Any, read: ModelWrapValidatorHandler[Self]) -> Self:
        """Python takes true for 1; whoever sends it means something else."""
        made = read(given)
        if places := list(_booleans_as_numbers(given, made, ())):
            wrong = PydanticCustomError("boolean_number", "a number was expected")
            lines = [InitErrorDetails(type=wrong, loc=place, input=True) for place in places]
            raise ValidationError.from_exception_data(cls.__name__, lines)
        return made


def _booleans_as_numbers(
    given: Any, made: Any, place: tuple[int | str, ...]
) -> Iterator[tuple[int | str, ...]]:
    """Places where true or false was given and a number was made of it."""
    if isinstance(given, bool):
        if type(made) in (int, float):
            yield place
    elif isinstance(given, dict):
        for name, value in given.items():
            of = made.get(name) if isinstance(made, dict) else getattr(made, str(name), None)
            yield from _booleans_as_numbers(value, of, (*place, name))
    elif isinstance(given, list) and isinstance(made, list | tuple):
        for at, (value, of) in enumerate(zip(given, made, strict=False)):
            yield from _booleans_as_numbers(value, of, (*place, at))


def _parameter_fields() -> dict[str, Any]:
    """A field for each parameter of an audit, none of which has to be given."""
    meanings = {name: info.meaning for name, info in PARAMETERS.items()}
    meanings["detector"] = "name of the detector that scores the answer"
    return {
        name: (kind | None, Field(None, description=meanings[name]))
        for name, kind in get_type_hints(Parameters).items()
    }


if TYPE_CHECKING:
    GivenParameters = Body
else:
    GivenParameters = create_model(
        "GivenParameters",
        __base__=Body,
        __doc__="Parameters of an audit; what is not given is as in the preset, else the default.",
        **_parameter_fields(),
    )


class Context(Body):
    """A context item. ``name``: of its file, may be empty."""

    text: str
    name: str = ""


class AuditSettings(Body):
    """How to audit. Without a preset and a profile: the default preset of the pages, else the
    default profile with the detector's own values."""

    profile: str | None = Field(None, description="name of the profile of models")
    preset: int | None = Field(
        None, ge=1, le=LARGEST_NUMBER, description="number of a saved preset"
    )
    parameters: GivenParameters = Field(default_factory=GivenParameters)


class AuditBody(AuditSettings):
    """One answer to audit."""

    model_config = _example(
        query=_EXAMPLE_QUERY, answer="It was opened in 1932.", context=_EXAMPLE_CONTEXT
    )

    answer: str = Field(description="the answer to check")
    context: list[str | Context] = Field(description="the context items, each a text")
    query: str = Field("", description="the question; without one the answer takes its place")


class AuditsBody(Body):
    """Several answers to audit, each with its own settings."""

    model_config = _example(
        audits=[
            {"answer": "It was opened in 1932.", "context": _EXAMPLE_CONTEXT},
            {"answer": "It was opened in 1923.", "context": _EXAMPLE_CONTEXT},
        ]
    )

    audits: list[AuditBody] = Field(min_length=1)


class RunBody(AuditSettings):
    """A run over many answers, which a worker process audits."""

    model_config = _example(
        name="September",
        rows=[
            {
                "query": _EXAMPLE_QUERY,
                "answer": "It was opened in 1932.",
                "context": _EXAMPLE_CONTEXT,
                "label": 1,
            }
        ],
    )

    name: str = Field(description="a name that no other run has")
    rows: list[dict[str, Any]] = Field(
        min_length=1, description="rows of any format that a batch run reads, by their keys"
    )
    format: str | None = Field(None, description="read the rows as this format")
    mapping: FieldMapping | None = Field(None, description="which key holds which field")


class RunChangeBody(Body):
    """What is changed of a run."""

    model_config = _example(name="September, corrected")

    name: str = Field(description="the new name, which no other run has")


PRESET_FILE: dict[str, Any] = {
    "schema": "provenance-preset/1",
    "name": "support desk",
    "created_at": "2026-11-02T09:30:00+00:00",
    "created_by": "Ann",
    "profile": "embedded",
    "parameters": to_plain(Parameters(top_k=5, threshold=0.473)),
    "evidence": {
        "filter": "run September",
        "url": "runs=September",
        "labels_from": "the data set",
        "n": 400,
        "base_rate": 0.62,
        "objective": "balanced accuracy",
        "figures": [{"name": "ROC AUC", "value": 0.912, "low": 0.883, "high": 0.938, "reason": ""}],
    },
}


class PresetBody(Body):
    """A preset of another database. ``file``: as ``/presets/{number}/file`` gave it there."""

    model_config = _example(file=PRESET_FILE, name="")

    file: dict[str, Any] = Field(description="the file of a preset, as JSON")
    name: str = Field("", description="what to call it here; empty for its name in the file")


class ReviewBody(Body):
    """What a person says of an audit. ``reviewer``: needed where nobody signs in; else the name
    comes from the token."""

    model_config = _example(reviewer="Ann", judgement={"verdict": "supported", "comment": "page 2"})

    judgement: Judgement
    reviewer: str = ""


class GoldLabelBody(Body):
    """The verdict that settles what reviewers say of an answer. ``decided_by``: needed where nobody
    signs in; else the name comes from the token."""

    model_config = _example(decided_by="Ann", verdict="hallucinated")

    verdict: JudgedVerdict
    comment: str = ""
    decided_by: str = ""


class SharesBody(Body):
    """Who is to judge a run's answers. ``judgements``: to how many of them each answer goes."""

    model_config = _example(reviewers=["Ann", "Ben"], judgements=1)

    reviewers: list[str] = Field(max_length=100, description="names; none takes all shares back")
    judgements: int = Field(1, ge=1, le=100)
