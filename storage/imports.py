"""Audits and reviews imported from a full export (:mod:`storage.exports.full`)."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import IO, Any

from sqlalchemy import func, or_, select, update
from sqlalchemy.exc import DataError, IntegrityError
from sqlalchemy.orm import Session

from provenance_core import Audit, InputError
from provenance_core.audit.digest import evidence_digest
from provenance_core.audit.serialization import SCHEMA, audit_from_plain, from_plain
from provenance_core.files.apart import read_apart
from provenance_core.files.json_faults import beyond_json, json_fault, json_place
from provenance_core.files.limits import MEMORY, FileLimits, file_limits
from provenance_core.files.locations import at_hand
from provenance_core.files.not_text import kind_of
from provenance_core.files.results import result_files, result_records
from provenance_core.files.types import RejectedRow, Unit
from provenance_core.models.catalogue.profiles import PROFILES, is_profile_name
from provenance_core.review.checks import check_judgement, reviewer_name
from provenance_core.review.types import GoldLabel, Review
from provenance_core.types import Evidence
from storage.audits import (
    insert_audit,
    insert_author,
    link_correction,
    read_audit,
    with_score_notice,
)
from storage.database import DatabaseAccess, check_time
from storage.engine import REVIEW_LOCK, take_lock
from storage.errors import UNREADABLE, reason
from storage.exports.full import EXPORT_SCHEMA
from storage.gold_labels import insert_gold_label, read_gold_labels
from storage.import_checks import check_evidence
from storage.models import AuditRecord, GoldLabelRecord, ReviewRecord
from storage.reviews import insert_review, read_reviews

_LOG = logging.getLogger(__name__)

_BEGINNING = 200  # bytes, of a line that names its schema first
_RAW_CHARACTERS = 2_000  # of a refused line, kept to find it again
# Bytes of memory that parsing one byte of JSON may take.
_MEMORY_A_BYTE = 8
_TIME_CHARACTERS = AuditRecord.created_at.type.length
# What of a line is not imported, and what to do about it, to go after the number of lines.
LEFT_BEHIND = (
    "rows' runs and labels are not imported: audits and reviews are kept without the run, id and "
    "label of their row, which stay in the file; where they are needed here, audit the file that "
    "the answers came from once more as a batch"
)
_WHAT_HOLDS_AUDITS = (
    "Choose the file that was exported as “Full export (JSONL)”, or that an audit's page gave as "
    "“Download JSON”. No other export holds whole audits."
)
# What parts that contradict each other raise: two chunks of one index, half a character, NaN.
_UNFIT = (*UNREADABLE, ArithmeticError, IntegrityError, DataError)


@dataclass(frozen=True, slots=True)
class ImportResult:
    """``imported``: audits that are new here. ``already_there``: lines whose audit is here just the
    same. ``reviews``: reviews that are new here, of either. ``rejected``: lines of which nothing
    was kept, with the reason and their beginning. ``unlinked``: corrected answers whose original
    audit is not among the lines; they are kept without the link. ``left_behind``: lines, of those
    that were not rejected, with a run or a label, which stay in the file (:data:`LEFT_BEHIND`)."""

    imported: int
    already_there: int
    reviews: int
    rejected: tuple[RejectedRow, ...]
    unlinked: int = 0
    left_behind: int = 0

    def with_those_of(self, other: ImportResult) -> ImportResult:
        """Add up two files."""
        return ImportResult(
            *(getattr(self, each.name) + getattr(other, each.name) for each in fields(self))
        )


@dataclass(frozen=True, slots=True)
class _ImportedLine:
    """``id`` and ``corrected_from``: numbers of audits in the database that wrote the line.
    ``row``: whether it says of which run the audit is a row, or its label. ``corrections``: those
    of its answer, which have none of their own here."""

    id: int | None
    corrected_from: int | None
    audit: Audit
    reviews: tuple[Review, ...]
    row: bool
    gold: tuple[GoldLabel, ...] = ()
    corrected_by: str = ""
    corrections: tuple[_ImportedLine, ...] = ()


@dataclass(frozen=True, slots=True)
class _Kept:
    """``id``: the audit's number here."""

    id: int
    new_audit: bool
    reviews: int


class Importer(DatabaseAccess):
    """Imports into one database. Cheap to create; safe to use from several threads."""

    def read(self, lines: Iterable[bytes], unit: Unit = Unit.LINE) -> ImportResult:
        """Keep what the lines of a full export hold, each line whole or not at all.

        An audit is the same when everything of it is, its time included; several rows of a run may
        share one. Runs are not made again, so that the labels of their rows stay in the file, and
        are counted. A line that is damaged is rejected, and one whose audit or reviews the database
        does not give back as they were. An audit of a corrected answer is linked to the original
        once every line is read, wherever in the file that is. A line longer than a small file is
        parsed by a process with the limits of :mod:`provenance_core.files.limits`. Raises
        StorageError where the database cannot be written. The lines before are kept, and importing
        again goes on from there."""
        imported = already_there = reviews = left_behind = 0
        rejected = []
        here: dict[int, int] = {}  # by the number in the file
        originals: dict[int, int] = {}  # of those here, in the file
        below: set[int] = set()  # new here, as corrections of others
        for number, raw in enumerate(lines, 1):
            if not raw.strip():
                continue
            try:
                line = _parse_within_limits(raw)
                all_kept = self._keep(line)
            except InputError as error:
                text = raw.decode("utf-8", errors="replace").strip()
                rejected.append(RejectedRow(number, str(error), text[:_RAW_CHARACTERS], unit))
                continue
            left_behind += line.row
            # A correction that came with its original may have a line of its own, too.
            already_there += not all_kept[0].new_audit and all_kept[0].id not in below
            below |= {kept.id for kept in all_kept[1:] if kept.new_audit}
            for each, kept in zip((line, *line.corrections), all_kept, strict=True):
                imported += kept.new_audit
                reviews += kept.reviews
                if each.id is not None:
                    here[each.id] = kept.id
                if each.corrected_from is not None:
                    originals[kept.id] = each.corrected_from
        unlinked = self._link({number: here.get(of) for number, of in originals.items()})
        return ImportResult(
            imported, already_there, reviews, tuple(rejected), unlinked, left_behind
        )

    def read_file(self, file: IO[bytes]) -> ImportResult:
        """Keep what a file of whole audits holds, as :meth:`read` does; the JSON of one audit is
        one line. Raises InputError too where the file holds no audits."""
        longest = _longest(file_limits())
        beginning = file.read(_BEGINNING)
        file.seek(0)
        if kind := kind_of(beginning):
            raise InputError(f"This is {kind}, not a text file. {_WHAT_HOLDS_AUDITS}")
        if SCHEMA.encode() in beginning:
            return self.read([file.read(longest + 1)])
        exported = EXPORT_SCHEMA.encode()
        if beginning.strip() and not any(exported in line for line in _bounded(file, longest)):
            raise InputError(f"The file holds no whole audits. {_WHAT_HOLDS_AUDITS}")
        file.seek(0)
        return self.read(_bounded(file, longest))

    def _link(self, originals: Mapping[int, int | None]) -> int:
        """Link each audit to its original, where that is known and another audit; a link that is
        there already stays. How many are without one."""
        if not originals:
            return 0
        with self._writing("The corrected answers were not linked to their originals") as session:
            unlinked = 0
            for number, original in originals.items():
                link = select(AuditRecord.corrected_from).where(AuditRecord.id == number)
                if session.scalar(link) is not None:
                    continue
                if original is None or original == number:
                    unlinked += 1
                else:
                    link_correction(session, number, original)
            return unlinked

    def _keep(self, line: _ImportedLine) -> list[_Kept]:
        """Keep the audit of a line, and then those of its corrections."""
        with self._writing("The audits were not imported") as session:
            # Two imports of one file at a time would each find nothing there.
            take_lock(session.connection(), REVIEW_LOCK)
            try:
                return [_keep_audit(session, each) for each in (line, *line.corrections)]
            except InputError:
                raise
            except _UNFIT as error:
                raise InputError(
                    f"The parts of the audit do not fit together ({reason(error)})."
                ) from error


def _keep_audit(session: Session, line: _ImportedLine) -> _Kept:
    there = _same_audit(session, line.audit)
    number = insert_audit(session, line.audit) if there is None else there
    added = _add_reviews(session, number, line.reviews)
    _add_gold_labels(session, number, line.gold)
    if line.corrected_by:
        insert_author(session, number, line.corrected_by)
    return _Kept(number, there is None, added)


def import_audits(path: Path, url: str | None = None) -> ImportResult:
    """Keep what a full export or the JSON of one audit holds, as :meth:`Importer.read_file` does.
    Raises InputError where the file cannot be read, or holds no audits, and StorageError where the
    database cannot be used."""
    try:
        with path.open("rb") as file:
            return Importer.open(url).read_file(file)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}. Check its name.") from error
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def import_results(location: str, url: str | None = None) -> Iterator[tuple[str, ImportResult]]:
    """Keep the audits among the results of a batch, a Parquet file at a time, and give each file
    with what :meth:`Importer.read` says of it. A label stays in the file, as that of a full export
    does. Raises InputError where a file cannot be read, and StorageError where the database cannot
    be used."""
    importer = Importer.open(url)
    for each in result_files(location):
        with at_hand(each) as path:
            records = result_records(path)
        yield each, importer.read(map(_exported, records), Unit.RECORD)


def _exported(record: Mapping[str, object]) -> bytes:
    """A row of results as a line of a full export; empty for a row without an audit."""
    audit = record["audit"]
    if audit is None:
        return b""
    head = json.dumps({"schema": EXPORT_SCHEMA, "item": {"label": record.get("label")}})
    return f'{head[:-1]}, "reviews": [], "audit": {audit}}}'.encode()


def holds_audits(path: Path) -> bool:
    """Whether a file begins like a full export or like the JSON of one audit. Raises InputError
    where it cannot be read."""
    try:
        with path.open("rb") as file:
            beginning = file.read(_BEGINNING)
            return any(schema.encode() in beginning for schema in (EXPORT_SCHEMA, SCHEMA))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}. Check its name.") from error


def _bounded(file: IO[bytes], longest: int) -> Iterator[bytes]:
    """The lines of ``file``; of one that is longer, a little more than ``longest`` bytes."""
    while line := file.readline(longest + 1):
        yield line
        rest = line
        while len(rest) > longest and not rest.endswith(b"\n"):
            rest = file.readline(longest + 1)


def _longest(limits: FileLimits) -> int:
    """Bytes of a line that can be parsed within the limit of memory, at most."""
    return limits.memory // _MEMORY_A_BYTE


def _parse_within_limits(raw: bytes) -> _ImportedLine:
    """:func:`_parse`, a long line in a process of its own. InputError also for the limits."""
    limits = file_limits()
    if len(raw) <= limits.small:
        return _parse(raw)
    if len(raw) > _longest(limits):
        raise InputError(
            f"The line has more than {_longest(limits) // 1_000_000:,} MB, which needs more memory "
            f"than {MEMORY.variable} allows. The file may be damaged; raise the limit if you trust "
            "it."
        )
    (line,) = read_apart("The line", _parsed_once, raw, limits=limits)
    return line


def _parsed_once(raw: bytes) -> Iterator[_ImportedLine]:
    yield _parse(raw)


def _parse(raw: bytes) -> _ImportedLine:
    """InputError says what is wrong with the line."""
    try:
        found = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise InputError(
            f"Not UTF-8 at byte {error.start + 1:,}. Export the file again, or save it as UTF-8."
        ) from error
    except json.JSONDecodeError as error:
        raise InputError(
            f"Not JSON at {json_place(error)}: {json_fault(error)}. The line may be cut; export "
            "the file again."
        ) from error
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"JSON beyond what can be read: {beyond_json(error)}. Export the file again."
        ) from error
    schema = found.get("schema") if isinstance(found, dict) else None
    if schema == SCHEMA:
        return _ImportedLine(None, None, _parse_audit(found), (), False)
    if schema != EXPORT_SCHEMA:
        raise InputError(
            f"Not a line of a full export: its schema must be {EXPORT_SCHEMA!r}. "
            f"{_WHAT_HOLDS_AUDITS}"
        )
    return replace(
        _exported_line(found),
        corrections=tuple(
            _correction(each, f"corrections[{at}]")
            for at, each in enumerate(_list_of(found, "corrections"))
        ),
    )


def _correction(found: Any, place: str) -> _ImportedLine:
    """A correction below the audit whose answer it corrects."""
    if not isinstance(found, dict):
        raise InputError(f"{place} is no object.")
    try:
        return _exported_line(found)
    except InputError as error:
        raise InputError(f"{place}: {error}") from error


def _exported_line(found: Mapping[str, Any]) -> _ImportedLine:
    """What a line of a full export says of its own audit."""
    audit = _parse_audit(found.get("audit"))
    given = found.get("reviews")
    if not isinstance(given, list):
        raise InputError("The field 'reviews' is missing or no list.")
    reviews = tuple(from_plain(Review, review) for review in given)
    for review in reviews:
        _check_review(review, audit)
    if len({(review.reviewer, review.version) for review in reviews}) < len(reviews):
        raise InputError("A reviewer has two reviews of the same version.")
    item = found.get("item")
    number, original = (_audit_number(item, name) for name in ("audit_id", "corrected_from"))
    if original is not None and original == number:
        raise InputError("item.corrected_from: an audit is no correction of itself.")
    row = isinstance(item, dict) and any(item.get(key) is not None for key in ("run_id", "label"))
    gold = tuple(from_plain(GoldLabel, each) for each in _list_of(found, "gold"))
    for each in gold:
        if reviewer_name(each.decided_by) != each.decided_by:
            raise InputError("The name of who decided a gold label has white space around it.")
        check_time("The gold label's created_at", each.created_at, _TIME_CHARACTERS)
    author = found.get("corrected_by", "")
    if not isinstance(author, str):
        raise InputError("The field 'corrected_by' is no text.")
    return _ImportedLine(number, original, audit, reviews, row, gold, author)


def _list_of(found: Mapping[str, Any], name: str) -> list[Any]:
    """A list of a line; empty where an earlier version wrote none."""
    given = found.get(name, [])
    if not isinstance(given, list):
        raise InputError(f"The field {name!r} is no list.")
    return given


def _audit_number(item: object, name: str) -> int | None:
    """A number of an audit that the item of a line may name; None where it does not."""
    value = item.get(name) if isinstance(item, dict) else None
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise InputError(f"item.{name}: a number was expected.")
    return value


def _refuse_constant(name: str) -> Any:
    raise InputError(f"Not JSON: {name} stands where a number must. Export the file again.")


def _parse_audit(raw: Any) -> Audit:
    try:
        if isinstance(raw, dict) and raw.get("schema") == SCHEMA and "evidence" in raw:
            # First, because assembling the audit names no place.
            check_evidence(from_plain(Evidence, raw["evidence"]))
        audit = audit_from_plain(raw)
        score, verdict = raw["score"], raw["verdict"]
        if isinstance(score, bool) or not isinstance(score, int | float):
            raise InputError("Audit.score: a number was expected.")
        audit = with_score_notice(audit, float(score), str(verdict))
    except InputError:
        raise
    except _UNFIT as error:
        raise InputError(
            f"The parts of the audit do not fit together ({reason(error)})."
        ) from error
    check_time("Audit.created_at", audit.created_at, _TIME_CHARACTERS)
    if not is_profile_name(audit.evidence.profile):
        raise InputError(
            f"Audit.evidence.profile: {audit.evidence.profile!r} is not a profile of this version "
            f"(known: {', '.join(PROFILES)})."
        )
    return audit


def _check_review(review: Review, audit: Audit) -> None:
    where = f"Review of {review.reviewer!r}, version {review.version}"
    try:
        if reviewer_name(review.reviewer) != review.reviewer:
            raise InputError("The reviewer's name has white space around it.")
        check_judgement(review.judgement, audit.evidence)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    if review.version < 1:
        raise InputError(f"{where}: versions count from 1.")
    if len(review.machine_labels) not in (0, len(audit.sentences)):
        raise InputError(f"{where}: the machine's labels are not one a sentence.")
    check_time(f"{where}.created_at", review.created_at, _TIME_CHARACTERS)


def _same_audit(session: Session, audit: Audit) -> int | None:
    """The number of an audit that is equal in every part."""
    digest = evidence_digest(audit.evidence, audit.parameters)
    likely = session.scalars(
        select(AuditRecord.id)
        .where(
            AuditRecord.created_at == audit.created_at,
            or_(AuditRecord.digest == digest, AuditRecord.digest.is_(None)),
        )
        .order_by(AuditRecord.id)
    )
    return next((number for number in likely.all() if _is_same(session, number, audit)), None)


def _is_same(session: Session, number: int, audit: Audit) -> bool:
    try:
        return read_audit(session, number) == audit
    except UNREADABLE as error:  # A damaged record is not the audit of the file.
        _LOG.warning("event=record_not_read error=%s", type(error).__name__)
        return False


def _add_reviews(session: Session, number: int, reviews: tuple[Review, ...]) -> int:
    """Add the reviews that are missing and count them. InputError when another has the place."""
    if not reviews:
        return 0
    there = {(r.reviewer, r.version): _comparable(r) for r in read_reviews(session, number)}
    missing = []
    for review in reviews:
        same = there.get((review.reviewer, review.version))
        if same is None:
            missing.append(review)
        elif same != _comparable(review):
            raise InputError(
                f"Audit {number} is here already with another review by {review.reviewer!r} of "
                f"version {review.version}; that one stays, and nothing of this line was kept."
            )
    for review in missing:
        insert_review(session, replace(review, audit_id=number), latest=False)
    for reviewer in {review.reviewer for review in missing}:
        _put_latest_in_force(session, number, reviewer)
    if not {_comparable(r) for r in reviews} <= {
        _comparable(r) for r in read_reviews(session, number)
    }:
        raise InputError("The parts of a review do not fit together.")
    return len(missing)


def _add_gold_labels(session: Session, number: int, gold: tuple[GoldLabel, ...]) -> None:
    """Add the gold labels that are missing."""
    if not gold:
        return
    there = {
        replace(each, id=0)
        for each in read_gold_labels(session, GoldLabelRecord.audit_id == number)
    }
    for each in gold:
        if (here := replace(each, id=0, audit_id=number)) not in there:
            insert_gold_label(session, here)


def _put_latest_in_force(session: Session, number: int, reviewer: str) -> None:
    same = (ReviewRecord.audit_id == number, ReviewRecord.reviewer == reviewer)
    highest = session.scalar(select(func.max(ReviewRecord.version)).where(*same))
    session.execute(
        update(ReviewRecord)
        .where(*same)
        .values(latest=ReviewRecord.version == highest)
        .execution_options(synchronize_session=False)
    )


def _comparable(review: Review) -> Review:
    """The review without the numbers that belong to one database, its marks in order."""
    judgement = review.judgement
    return replace(
        review,
        id=0,
        audit_id=0,
        judgement=replace(
            judgement,
            sentences=tuple(sorted(judgement.sentences, key=lambda s: s.index)),
            chunks=tuple(sorted(judgement.chunks, key=lambda c: c.index)),
            spans=tuple(sorted(judgement.spans, key=lambda s: (s.start, s.end, s.type))),
            labels=tuple(sorted(judgement.labels)),
        ),
    )
