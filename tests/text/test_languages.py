"""Which language a text is in; English, names, numbers, code and tables are never foreign."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from provenance_core.text.languages import check_language, foreign_language
from provenance_core.types import ContextItem

REPOSITORY = Path(__file__).parents[2]
FOREIGN = {
    "German": "Kein ärztliches Attest ist für den Antrag erforderlich.",
    "French": "Le pont a été ouvert à la circulation en 1932.",
    "Spanish": "El puente se abrió al tráfico en 1932 y es el más largo del país.",
    "Portuguese": "A ponte foi aberta ao tráfego em 1932 e não cobra pedágio.",
    "Italian": "Il ponte è stato aperto al traffico nel 1932.",
    "Dutch": "De brug werd in 1932 opengesteld voor het verkeer.",
    "Danish": "Broen blev åbnet for trafik i 1932 og er den længste i landet.",
    "Polish": "Most został otwarty w 1932 roku dla ruchu samochodowego.",
    "Turkish": "Köprü 1932 yılında trafiğe açıldı ve ülkenin en uzun köprüsüdür.",
    "Russian": "Мост был открыт для движения в 1932 году.",
    "Greek": "Η γέφυρα άνοιξε για την κυκλοφορία το 1932.",
    "Arabic": "افتتح الجسر أمام حركة المرور في عام 1932.",
    "Hindi": "पुल 1932 में यातायात के लिए खोला गया था और यह सबसे लंबा पुल है।",
    "Japanese": "医師の診断書は必要ありません。",
    "Chinese": "这座桥于一九三二年通车，是全国最长的桥。",
    "Korean": "다리는 1932년에 개통되었으며 전국에서 가장 긴 다리이다.",
    "Thai": "สะพานเปิดให้รถวิ่งในปี 1932",
}
NOT_FOREIGN = {
    "short": "Die Brücke ist offen.",
    "one word": "Oui.",
    "names": "Ludwig van Beethoven, Vincent van Gogh, Leonardo da Vinci, Charles de Gaulle",
    "names in other letters": "Анна Каренина",
    "place in Chinese": "東京都",
    "titles": "Les Misérables, La Bohème, Così fan tutte, Der Ring des Nibelungen",
    "species": "Homo sapiens, Canis lupus familiaris, Felis catus, Escherichia coli",
    "numbers": "1,932 412 19.00 73 % 14.50 1987-06-14 12:30 4 8 15 16 23 42",
    "code": "def offen(brücke): return brücke.länge > 0 and brücke['höhe'] == der_wert[0]",
    "table": "| Stadt | Fluss | Höhe |\n|---|---|---|\n| bonn am rhein | 60 m | klein |\n"
    "| graz an der mur | 353 m | groß |",
    "telegram": "Adults 14 crowns, children six crowns, bicycles three crowns, dogs free.",
    "notes": "no ankle oedema seen; chest clear; pulses present bilaterally",
    "capitals": "NO DOGS, NO BICYCLES, KEEP LEFT, PAY INSIDE",
    "slang": "lol idk gonna b there l8r m8 dunno tho",
    "quotation": "The sign reads “Die Brücke ist für den Verkehr gesperrt”, which means that the "
    "bridge is closed to traffic. It was put up by the county in 1987.",
    "place names": "The road runs from Köln over Düren and Aachen to Liège and on to Mons.",
}


@pytest.mark.parametrize(("language", "text"), FOREIGN.items(), ids=list(FOREIGN))
def test_a_language_is_named(language, text):
    assert foreign_language(text) == language


@pytest.mark.parametrize("text", NOT_FOREIGN.values(), ids=list(NOT_FOREIGN))
def test_what_is_not_clearly_foreign_has_no_name(text):
    assert foreign_language(text) == ""


def test_no_text_of_the_hand_made_cases_is_called_foreign():
    files = sorted((REPOSITORY / "benchmarks/verdict_cases").glob("*.jsonl"))
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    assert len(rows) > 700
    for row in rows:
        for text in (row["answer"], row["query"], *row["context"], "\n".join(row["context"])):
            assert foreign_language(text) == "", text


GERMAN = "Die Brücke wurde im Jahr 1932 für den Verkehr geöffnet und ist sehr lang. "
ENGLISH = "The bridge was opened to traffic in 1932 and it is the longest of them. "


def test_most_of_a_mixed_text_decides():
    assert foreign_language(4 * GERMAN + ENGLISH) == "German"
    assert foreign_language(GERMAN + 4 * ENGLISH) == ""


def test_a_long_text_is_read_all_over():
    assert foreign_language(100 * ENGLISH + 2_000 * GERMAN) == "German"
    assert foreign_language(1_000 * GERMAN + 20_000 * ENGLISH) == ""


@pytest.mark.parametrize(
    ("answer", "context", "said"),
    [
        (ENGLISH, ENGLISH, []),
        (GERMAN, ENGLISH, ["The answer seems to be in German. "]),
        (ENGLISH, GERMAN, ["The context seems to be in German. "]),
        (GERMAN, GERMAN, ["Answer and context seem to be in German. "]),
        (GERMAN, FOREIGN["Japanese"],
         ["The answer seems to be in German, the context in Japanese. "]),
    ],
)  # fmt: skip
def test_the_notice_says_which_text_is_in_which_language(answer, context, said):
    notices = check_language(answer, [ContextItem(0, context)])
    rest = "The embedded models read English, so that the score says little."
    assert [notice.message for notice in notices] == [each + rest for each in said]
    assert {notice.code for notice in notices} <= {"not_english"}


def test_plain_english_does_not_load_the_library():
    code = (
        "import sys\n"
        "from provenance_core.text.languages import foreign_language\n"
        f"foreign_language({ENGLISH!r})\n"
        "assert 'py3langid' not in sys.modules\n"
        f"foreign_language({GERMAN!r})\n"
        "assert 'py3langid' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=REPOSITORY)
