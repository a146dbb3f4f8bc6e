"""What people and tools call the fields of a row: the one table of synonyms."""

from __future__ import annotations

import re
import unicodedata


def plain_name(key: str) -> str:
    """Write a key in small letters without accents, with underscores. The same for every common way
    of writing."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key.strip())
    letters = unicodedata.normalize("NFKD", split.casefold())
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.sub(r"\W+", "_", unicodedata.normalize("NFC", bare)).rstrip("_")


# In other languages than English. A column that is taken by such a name is shown as a guess.
_TRANSLATED = {
    "answer": (
        "antwort", "modellantwort", "réponse", "respuesta", "risposta", "resposta", "antwoord",
        "odpowiedź", "svar", "ответ", "回答", "答案", "답변", "yanıt", "cevap",
    ),
    "context": (
        "kontext", "kontexte", "contexte", "contextes", "contexto", "contextos", "contesto",
        "contesti", "kontekst", "контекст", "上下文", "文脈", "컨텍스트", "bağlam", "dokument",
        "dokumente", "quelle", "quellen", "textstelle", "textstellen", "abschnitt", "abschnitte",
        "extrait", "extraits", "documento", "documentos", "documenti", "fuente", "fuentes",
        "fonte", "fonti",
    ),
    "query": (
        "frage", "nutzerfrage", "benutzerfrage", "anfrage", "pregunta", "consulta", "domanda",
        "pergunta", "vraag", "pytanie", "fråga", "spørsmål", "spørgsmål", "вопрос", "问题", "質問",
        "질문", "soru",
    ),
    "label": (
        "urteil", "gestützt", "belegt", "halluziniert", "halluzination", "étiquette",
        "halluciné", "etiqueta", "veredicto", "alucinación", "etichetta", "verdetto",
        "allucinazione", "rótulo", "alucinação",
    ),
    "source_model": ("modell", "modèle", "modelo", "modello"),
}  # fmt: skip
TRANSLATED: dict[str, tuple[str, ...]] = {
    field: tuple(map(plain_name, names)) for field, names in _TRANSLATED.items()
}
# The likelier first. A column is taken once, by the first field here that knows its name.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "answer": (
        "answer", "response", "actual_output", "generated_answer", "model_answer",
        "model_response", "model_output", "output", "output_value", "predicted_answer",
        "predicted_answers", "bot_answer", "bot_response", "assistant_answer",
        "assistant_response", "assistant_message", "ai_answer", "ai_response", "chatbot_answer",
        "chatbot_response", "llm_answer", "llm_response", "llm_output", "rag_answer",
        "rag_response", "system_answer", "system_response", "final_answer", "prediction",
        "agent_answer", "agent_response", "answer_text", "response_text", "generated_response",
        "generated_texts", "replies", "outputs",
        "completion", "generation", "generated_text", "generated", "summary", "claim",
        "hypothesis", "reply",
        *TRANSLATED["answer"],
    ),
    "context": (
        "context", "contexts", "retrieved_contexts", "retrieval_context", "retrieved_context",
        "retrieved_documents", "retrieved_docs", "retrieved_chunks", "retrieved_passages",
        "retrieved_nodes", "retrieved_texts", "source_documents", "source_nodes",
        "retrieved_contents", "retrieval_results", "search_results", "retriever_resources",
        "documents", "document", "passages", "passage",
        "chunks", "docs", "doc", "knowledge", "evidence", "grounding", "premise", "reference_text",
        "source_text", "source_document", "article", *TRANSLATED["context"], "source", "sources",
        "text",
    ),
    "query": (
        "query", "question", "user_input", "user_query", "input", "input_value", "prompt",
        "user_prompt", "instruction", "user_question", "user_message",
        "questions", "question_text", "query_text", "search_query",
        "request", "inputs", *TRANSLATED["query"],
    ),
    "label": (
        "label", "labels", "gold_label", "gold", "verdict", "is_supported", "supported",
        "is_faithful", "faithful", "is_grounded", "grounded", "is_factual", "hallucination",
        "is_hallucination", "hallucinated", "is_hallucinated", "hallucination_label",
        "has_hallucination", "human_label", "adherence_score", "adherence", "overall_supported",
        *TRANSLATED["label"],
    ),
    "id": ("id", "_id", "row_id", "example_id", "sample_id", "uid", "uuid", "query_id"),
    "group": (
        "group", "source_id", "bbcid", "document_id", "doc_id", "article_id", "hash",
        "conversation_id",
    ),
    "subset": ("subset", "split", "dataset", "source_ds", "category", "domain"),
    "task": ("task", "task_type", "task_name"),
    "source_model": (
        "source_model", "model", "model_name", "generator", "llm", "llm_model", "summarizer",
        *TRANSLATED["source_model"],
    ),
}  # fmt: skip


_FIELD_OF = {name: field for field, names in reversed(SYNONYMS.items()) for name in names}

# What was expected, and not what was answered.
_REFERENCE = re.compile(
    r"(?:reference|expected|ground_?truth|gold(?:en)?|target|ideal|correct)(?:_(?:answer|output|"
    r"response|text)s?)?"
)


def names_a_reference(heading: str) -> bool:
    """Whether a heading names an answer that was expected.

    >>> names_a_reference("Ground Truth"), names_a_reference("reference_contexts")
    (True, False)
    """
    return _REFERENCE.fullmatch(plain_name(heading)) is not None


def field_of(heading: str) -> str:
    """The field that a heading is a known name of, "" where it is none.

    >>> field_of("Retrieved Contexts"), field_of("latency")
    ('context', '')
    """
    return _FIELD_OF.get(plain_name(heading), "")
