"""Which language a text is in, where that is clearly not English.

Names, numbers, code and tables have no language to tell, nor has a text of a few words: none of
them is ever called foreign.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from provenance_core.lexicon.words import is_function_word
from provenance_core.types import ContextItem, Notice

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

# The languages that are told apart, in English. What has no name here is taken for its nearest.
_NAMES = {
    "af": "Afrikaans", "am": "Amharic", "ar": "Arabic", "az": "Azerbaijani", "be": "Belarusian",
    "bg": "Bulgarian", "bn": "Bengali", "ca": "Catalan", "cs": "Czech",
    "cy": "Welsh", "da": "Danish", "de": "German", "el": "Greek", "en": "English",
    "eo": "Esperanto", "es": "Spanish", "et": "Estonian", "eu": "Basque", "fa": "Persian",
    "fi": "Finnish", "fr": "French", "ga": "Irish", "gl": "Galician", "gu": "Gujarati",
    "ha": "Hausa", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian",
    "hy": "Armenian", "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ja": "Japanese",
    "ka": "Georgian", "kk": "Kazakh", "km": "Khmer", "kn": "Kannada", "ko": "Korean",
    "lo": "Lao", "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian", "ml": "Malayalam",
    "mn": "Mongolian", "mr": "Marathi", "ms": "Malay", "my": "Burmese", "ne": "Nepali",
    "nl": "Dutch", "nn": "Norwegian", "no": "Norwegian", "pa": "Punjabi", "pl": "Polish",
    "ps": "Pashto", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "si": "Sinhala",
    "sk": "Slovak", "sl": "Slovenian", "so": "Somali", "sq": "Albanian", "sr": "Serbian",
    "sv": "Swedish", "sw": "Swahili", "ta": "Tamil", "te": "Telugu", "th": "Thai",
    "tl": "Tagalog", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek",
    "vi": "Vietnamese", "yo": "Yoruba", "zh": "Chinese", "zu": "Zulu",
}  # fmt: skip
_NO_LANGUAGE = "zxx"  # The library's class for numbers, markup and identifiers.
# Function words that other languages write alike.
_SHARED = frozenset(
    """
    a all am an as at be by can do for had has he her his i if in is it may me might more most no
    of off on once or our out own same so some such that to under up very was we were what who will
    """.split()  # noqa: SIM905 - a list of words, not of quoted strings
)
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
# Scripts without spaces between words: Thai to Myanmar, Khmer, kana, Han.
UNSPACED = re.compile(r"[\u0e00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_SYMBOL = re.compile(r"[{}()\[\]<>=_/\\|*#@$^&~`+;\"]")
_SAMPLED = 20_000  # characters of a long text that are read
_SLICES = 20
_MIN_WORDS = 5
_MIN_LETTERS = 20
_MIN_UNSPACED = 10  # A Chinese or Japanese word is a letter or two.
# Of names few words begin small, and of German, whose nouns begin large, about half.
_MIN_SMALL_WORDS = 3
_MIN_SMALL_SHARE = 0.35
_MAX_SYMBOLS = 0.05  # Of code and tables more of the characters are symbols.
_ENGLISH_SHARE = 0.08
# The least probability of a language in Latin letters, and in letters that English does not use.
_SURE = 0.6
_NAMED_BY_SCRIPT = 0.2
NOT_ENGLISH = "not_english"  # code of the notice


def foreign_language(text: str) -> str:
    """Name the language that most of a text is in, where it is not English. The English name; ""
    for English, and for a text that does not clearly have another language.

    >>> foreign_language("Die Brücke wurde im Jahr 1932 für den Verkehr geöffnet.")
    'German'
    >>> foreign_language("The bridge was opened to traffic in 1932.")
    ''
    """
    sample = _sample(text)
    words = _WORD.findall(sample)
    letters = sum(map(len, words))
    latin = len(_LATIN.findall(sample))
    if 2 * latin < letters:
        unspaced = len(UNSPACED.findall(sample))
        if unspaced < _MIN_UNSPACED and (len(words) < _MIN_WORDS or letters < _MIN_LETTERS):
            return ""
        return _named(sample, _NAMED_BY_SCRIPT)
    if len(words) < _MIN_WORDS or letters < _MIN_LETTERS or _is_english(words):
        return ""
    small = [word for word in words if word[0].islower()]
    if len(small) < max(_MIN_SMALL_WORDS, _MIN_SMALL_SHARE * len(words)):
        return ""
    if len(_SYMBOL.findall(sample)) > _MAX_SYMBOLS * len(sample):
        return ""
    return _named(" ".join(small), _SURE)


def check_language(answer: str, context: Sequence[ContextItem]) -> tuple[Notice, ...]:
    """Tell the user of models that read English alone that a text is in another language. A notice
    where most of either is in another language; else none."""
    of_answer = foreign_language(answer)
    of_context = foreign_language("\n".join(item.text for item in context))
    if not of_answer and not of_context:
        return ()
    if of_answer == of_context:
        said = f"Answer and context seem to be in {of_answer}"
    elif of_answer and of_context:
        said = f"The answer seems to be in {of_answer}, the context in {of_context}"
    else:
        which = "answer" if of_answer else "context"
        said = f"The {which} seems to be in {of_answer or of_context}"
    return (
        Notice(
            NOT_ENGLISH, f"{said}. The embedded models read English, so that the score says little."
        ),
    )


def _sample(text: str) -> str:
    """The text, of a long one stretches from all over it."""
    if len(text) <= _SAMPLED:
        return text
    step, size = len(text) // _SLICES, _SAMPLED // _SLICES
    return "\n".join(text[start : start + size] for start in range(0, len(text), step))


def _is_english(words: list[str]) -> bool:
    """Whether enough of the words are function words of English alone. It spares most texts the
    library, which takes half a second to load."""
    found = sum(is_function_word(word) and word.casefold() not in _SHARED for word in words)
    return found >= _ENGLISH_SHARE * len(words)


def _named(text: str, least: float) -> str:
    """The language of ``text`` where it has at least the probability ``least``, "" for English."""
    code, probability = _identifier().classify(text)
    return "" if code in ("en", _NO_LANGUAGE) or probability < least else _NAMES[code]


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages([*_NAMES, _NO_LANGUAGE])
    return identifier
