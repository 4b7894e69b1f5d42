"""Words of goods that can be checked: materials, ingredients, features, care; each with the attribute it speaks of."""

from __future__ import annotations

import re

_GROUPS = {
    "material": (
        "linen cotton wool denim silk corduroy fleece velvet canvas cashmere polyester nylon leather suede "
        "satin viscose rayon spandex acrylic mohair alpaca hemp chiffon jersey flannel tweed steel iron "
        "copper ceramic aluminium aluminum titanium brass bronze glass bamboo oak walnut pine plastic "
        "porcelain marble silicone wooden wood clay stoneware rattan teak birch beech granite enamel zinc "
        "rubber "
    ),
    "feature": (
        "waterproof water-resistant water-repellent splash-proof shockproof wireless bluetooth rechargeable "
        "breathable stretchy windproof quick-dry quick-drying microwave-safe oven-safe hypoallergenic organic "
        "vegan gluten-free sugar-free caffeine-free fragrance-free alcohol-free lactose-free bpa-free "
        "nut-free dairy-free preservative-free additive-free paraben-free non-stick nonstick noise-cancelling "
        "noise-canceling handmade hand-made imported food-grade fireproof heatproof wrinkle-free crease-free "
        "anti-slip scratch-resistant stain-resistant unbreakable foldable cordless solar-powered thermal "
        "insulated lined seamless decaf wild-caught free-range fair-trade non-gmo edible biodegradable "
        "recyclable recycled "
    ),
    "ingredient": (
        "retinol niacinamide hyaluronic collagen peptide ceramide salicylic vitamin panthenol squalane aloe "
        "lotus citrus shea camellia lavender oat coconut almond peppermint ginseng saffron turmeric parabens "
        "sulfates silicones alcohol caffeine sugar gluten soy dairy nuts peanuts shellfish preservatives "
        "additives "
    ),
}
_WORDS = {word: group for group, words in _GROUPS.items() for word in words.split()}
_MANY = {
    role: re.compile(words)
    for role, words in (
        (
            "care",
            r"(?:machine|hand)[- ]wash(?:able|ed|ing)?|dry[- ]clean(?:able|ed|ing)?(?: only)?|cold[- ]wash"
            r"|dishwasher(?:[- ]safe)?"
            r"|tumble[- ]dr\w+|wipe (?:it )?clean|keep (?:it )?dry|washing machine|washable",
        ),
        (
            "fit",
            r"(?:slim|regular|loose|relaxed|tight|oversized|baggy) (?:fit|cut)|oversized|fits? (?:loose|tight"
            r"|slim)\w*",
        ),
        ("skin_type", r"(?:sensitive|dry|oily|mixed|normal|combination|mature) skin|all skin types|every skin type"),
        (
            "storage",
            r"(?:refrigerat|chill)\w*|(?<!deep )frozen(?! up)|in the (?:fridge|freezer)|room temperature|cool and dry",
        ),
        ("ports", r"fast[- ]charging|usb-c|micro usb|audio jack|headphone jack"),
        ("scent", r"unscented|scented|scent-free|woody|fruity"),
        ("pattern", r"floral|striped|checked|dotted|stripes|polka dots"),
        ("finish", r"matte|polished|brushed|glossy"),
        (
            "season",
            r"(?:for|in|perfect in|this|every) (?:the )?(?:hot |cold |warm )?(?:summer|winter|autumn"
            r"|spring)s?(?: days)?",
        ),
    )
}
LEXICON = re.compile(
    r"(?<![\w-])(?:"
    + "|".join(sorted((re.escape(w).replace(r"\-", "[- ]") for w in _WORDS), key=len, reverse=True))
    + "|"
    + "|".join(pattern.pattern for pattern in _MANY.values())
    + r")(?![\w])"
)
"""Every word above."""


def is_material(word: str) -> bool:
    """A share of it may be stated ("100% linen")."""
    return _WORDS.get(word) in ("material", "ingredient")


def role_of(words: str) -> str:
    """The attribute that a word of ``LEXICON`` speaks of, ``"feature"`` when it is none of the usual ones."""
    known = _WORDS.get(words) or _WORDS.get(words.replace(" ", "-"))
    return known or next((role for role, pattern in _MANY.items() if pattern.fullmatch(words)), "feature")
