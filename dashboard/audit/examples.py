"""The built-in examples: a query, an answer and a short context each. Texts, no scores."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """``name`` is what the button says; ``about`` says in a sentence what to expect."""

    name: str
    about: str
    query: str
    answer: str
    context: tuple[str, ...]


SUPPORTED = Example(
    name="Supported: return policy",
    about="The shop's policy pages state every sentence of the answer.",
    query="How long do I have to return headphones, and who pays for the shipping?",
    answer=(
        "You can return unopened headphones within 30 days of delivery. If the product is "
        "faulty, return shipping is free. In all other cases the customer pays for it."
    ),
    context=(
        "Returns. Most products can be returned within 30 days of delivery, provided that they "
        "are unopened. Headphones and other in-ear products that have been opened can only be "
        "returned if they are faulty.",
        "Return shipping. If a product is faulty or we sent the wrong one, return shipping is "
        "free and we email you a prepaid label. In all other cases the customer pays for the "
        "return shipping.",
        "Refunds. We issue the refund to the original payment method within five working days "
        "after the product has reached our warehouse in Utrecht.",
        "Gift cards. Gift cards are valid for two years and cannot be exchanged for cash.",
    ),
)

CONTRADICTED = Example(
    name="Contradicted: bridge",
    about="The encyclopedia contradicts two facts of the answer.",
    query="When was the Øresund Bridge opened and how long is it?",
    answer=(
        "The Øresund Bridge was opened to traffic on 1 July 2000. It runs for nearly 16 "
        "kilometres from the Swedish coast to the artificial island of Peberholm. It carries "
        "no railway."
    ),
    context=(
        "The Øresund Bridge is a combined railway and motorway bridge across the Øresund strait "
        "between Denmark and Sweden. A four-lane road runs on its upper deck and a double-track "
        "railway on the lower deck.",
        "The bridge runs nearly 8 kilometres (5 miles) from the Swedish coast to the artificial "
        "island of Peberholm. The crossing is completed by the 4-kilometre Drogden Tunnel from "
        "Peberholm to the Danish island of Amager.",
        "Construction began in 1995 and was finished three months ahead of schedule. The bridge "
        "was opened to traffic on 1 July 2000, in the presence of Queen Margrethe II and King "
        "Carl XVI Gustaf.",
        "Ferries between Helsingør and Helsingborg still run every twenty minutes. They cross "
        "the strait at its narrowest point in about twenty minutes.",
    ),
)

UNSUPPORTED = Example(
    name="Unsupported: long report",
    about="A long context that does not say what the answer claims.",
    query="What did the 2023 survey of the Lower Alder wetland find about birds?",
    answer=(
        "The survey recorded 41 breeding pairs of lapwing. A pair of Eurasian bitterns raised "
        "three chicks for the first time. The recovery was paid for with a grant from the Hartwell "
        "Foundation."
    ),
    context=(
        "The Lower Alder wetland lies in the flood plain where the Alder meets the Teme, about "
        "six kilometres south of the market town of Brackley Ford. It covers 312 hectares, of "
        "which some two thirds are wet grassland and the rest reed bed, alder carr and open "
        "water. Until the 1950s the land was grazed in summer and flooded in most winters. In "
        "1957 the drainage board dug the Long Drain and built two pumping stations, and within "
        "a decade most of the meadows had been ploughed for barley. The county wildlife trust "
        "bought the first 80 hectares in 1991 and the last parcel in 2009. Since then it has "
        "blocked field drains, lowered the banks of the Long Drain and installed eleven sluices "
        "with which wardens hold the water at a chosen level from November to May. The lower "
        "meadows now flood every winter, and the soil stays soft until the middle of June.",
        "Monitoring of birds follows the same method every year. Volunteers walk four fixed "
        "routes on three mornings between early April and the end of June, beginning within an "
        "hour of sunrise and never in rain or strong wind. Territories are mapped from the "
        "records of all visits. The survey of 2023 was walked on 11 April, 9 May and 13 June by "
        "fourteen volunteers. It recorded 41 breeding pairs of lapwing, against 33 in 2022 and "
        "19 in 2015. It is the highest count since mapping began in 1998. Redshank held 22 "
        "territories, two fewer than in the year before. Snipe were heard drumming on both of "
        "the northern routes, but the number of pairs could not be determined. Reed warblers "
        "and sedge warblers were counted along the reed bed from the boardwalk only.",
        "Predation is the main reason why nests of waders fail at the site. Cameras placed at "
        "26 lapwing nests showed foxes taking eggs at seven of them and crows at three. An "
        "electric fence around the central meadow has been switched on every March since 2019. "
        "Inside the fence 71 per cent of the nests hatched at least one egg, outside it 38 per "
        "cent. The trust has no plans to fence the rest of the meadows, because the fence would "
        "cut across two public footpaths and because otters and hares must be able to pass.",
        "The wetland is open to visitors all year. A gravel path of 2.4 kilometres leads from "
        "the car park to the tower hide and back along the river; the first 600 metres are "
        "suitable for wheelchairs. Dogs are welcome on a lead, except from March to July, when "
        "the meadow loop is closed so that birds are not disturbed. Guided walks start at the "
        "visitor hut at nine on the first Sunday of every month. The tower hide looks over the "
        "largest pool, where little egrets and teal are seen in most months and where marsh "
        "harriers hunt over the reed in spring. Hot drinks are sold at weekends.",
        "The running costs of the reserve were 148,000 pounds in the last financial year. About "
        "half came from members of the trust and from legacies, a third from payments under the "
        "national agri-environment scheme, and the rest from grazing rents, guided walks and "
        "donations at the car park. The two wardens are employed by the trust; their work is "
        "supported by some sixty volunteers, who clear ditches in autumn, count birds in spring "
        "and lead walks. The largest single expense was the repair of sluice number seven, "
        "which had been undermined by the flood of January.",
    ),
)

EXAMPLES = (SUPPORTED, CONTRADICTED, UNSUPPORTED)
