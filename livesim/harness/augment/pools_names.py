"""Words that names are built from: topics of each skill and tool, verbs, endings, and words of no meaning here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from livesim.harness.augment.grammar import Pool, words


def _pool(train: str, heldout: str) -> Pool:
    return Pool(words(train), words(heldout))


SKILL_TOPICS: Mapping[str, Pool] = MappingProxyType(
    {
        "price_promo": _pool(
            "price cost pricing promo coupon discount deal offer savings sale money pay",
            "tariff rebate voucher markdown bargain charge",
        ),
        "item_qa": _pool(
            "item detail product spec feature material qa facts about goods attribute info",
            "trait makeup property article particulars composition",
        ),
        "size_advice": _pool(
            "size fit sizing measure body wear height chart fitting which_size",
            "dimension girth tailoring stature proportions",
        ),
        "stock_restock": _pool(
            "stock restock inventory left available supply refill amount variant units",
            "remaining reserve backlog depot holdings",
        ),
        "shipping_eta": _pool(
            "shipping eta delivery arrival dispatch ship parcel courier post arrive",
            "freight transit logistics consignment haulage",
        ),
        "returns_policy": _pool(
            "return returns refund policy warranty exchange sendback guarantee take_back",
            "reversal rma swapback undo restitution",
        ),
        "comparison_safe": _pool(
            "compare comparison versus brand rival other_shop cheaper elsewhere fair",
            "contrast benchmark alternative neutral sidebyside",
        ),
        "after_sales_care": _pool(
            "after_sales order support complaint problem service care issue claim",
            "grievance aftercare mishap resolution casework",
        ),
        "item_show": _pool(
            "show display present card pin feature_item next_item demo view",
            "spotlight exhibit unveil highlight reveal",
        ),
        "chitchat_persona": _pool(
            "chat chitchat hello greeting smalltalk welcome persona friendly talk hi",
            "banter rapport mingle salutation icebreaker",
        ),
        "off_topic_deflect": _pool(
            "off_topic deflect troll redirect decline steer refuse unrelated calm",
            "sidestep boundary bait tangent parry",
        ),
        "recovery": _pool(
            "recovery retry fallback error fail failed repair backup fix",
            "contingency outage remedy resilience mend",
        ),
        "order_nudge": _pool(
            "nudge order_hint closing buy checkout cart remind finish purchase",
            "encourage prompt_order basket convert followthrough",
        ),
        "batch_answer": _pool(
            "batch several multi many group merge combine together bundle",
            "aggregate plural digest roundup collective",
        ),
    }
)
"""Topic words by canonical skill id."""

TOOL_TOPICS: Mapping[str, Pool] = MappingProxyType(
    {
        "load_skill": _pool(
            "skill rules guide module manual rulebook instructions sop card page topic",
            "playbook handbook procedure dossier chapter",
        ),
        "product_info": _pool(
            "product item details info goods product_data specs about item_card",
            "article merchandise datasheet profile listing_facts",
        ),
        "price_check": _pool(
            "price cost prices pricing live_price coupon price_tag deal item_price",
            "tariff sticker voucher charge asking_price",
        ),
        "final_price": _pool(
            "final_price total to_pay amount_due checkout_price sum bill net_price payable",
            "grand_total tally invoice outlay settle",
        ),
        "promotion_info": _pool(
            "promotion promo offers discounts campaign gifts deals sale_info flash_sale",
            "perks markdowns giveaways event_terms bonus",
        ),
        "stock_check": _pool(
            "stock inventory available left units supply stock_level pieces in_stock",
            "remaining reserves depot holdings quantity_left",
        ),
        "size_advice": _pool(
            "size fit sizing size_chart body_size which_size measure my_size",
            "girth tailoring dimension fitment best_fit",
        ),
        "shipping_eta": _pool(
            "shipping eta delivery dispatch arrival ship_time parcel delivery_days",
            "transit freight logistics consignment lead_time",
        ),
        "return_policy": _pool(
            "return returns policy return_rules warranty refund_rules exchange return_days",
            "rma reversal take_back_terms cooling_off sendback",
        ),
        "faq_search": _pool(
            "faq search questions answers knowledge faq_entry attribute lookup_fact help",
            "encyclopedia dossier_search reference wiki material_db",
        ),
        "order_lookup": _pool(
            "order order_status my_order purchase orders tracking order_state buy_record",
            "ledger booking receipt transaction case_file",
        ),
        "push_card": _pool(
            "push_card card pin show_card item_link popup display_item send_link",
            "spotlight banner overlay onscreen showcase",
        ),
        "hand_off": _pool(
            "hand_off human agent transfer escalate support_staff person handover",
            "delegate relay operator colleague route_case",
        ),
    }
)
"""Topic words by canonical tool name."""

TOOL_VERBS = _pool(
    "get fetch find show read query check see ask grab view list search look load open do run call give tell pull",
    "retrieve inspect probe obtain consult resolve scan summon acquire peek",
)
SKILL_VERBS = _pool(
    "answer explain handle help tell reply talk cover discuss guide say clarify respond",
    "address_it narrate elaborate manage treat advise inform",
)
SKILL_ENDINGS = _pool(
    "guide rules desk helper manual kit notes pack sheet skill reply mode flow expert help steps tips policy unit",
    "playbook primer protocol brief almanac compendium code lane drill memo",
)
TOOL_ENDINGS = _pool(
    "api tool info data lookup service check query fn op finder reader v2 now call",
    "endpoint feed gateway oracle probe_fn hub rpc resolver",
)
PREFIXES = _pool(
    "skill sk s mod m use do my the shop live room host rs x app new t fn tool api",
    "z unit ext svc core k9 lab pub neo",
)
THINGS = _pool(
    """amber anchor apple arrow aspen autumn badger bamboo barrel beacon beaver berry birch bison bottle branch brick
    bridge bronze brook bucket button cabin cactus camel candle canyon carbon castle cedar cherry circle cloud clover
    cobalt comet copper coral cotton crane crater cricket crystal dahlia daisy desert dolphin donkey dragon eagle ember
    engine falcon feather fern field finch flame flint forest fossil fox garden garnet ginger glacier granite grape
    harbor hazel heron hollow honey horizon iris island ivory jasmine jungle kettle lagoon lantern lemon lily lime
    lion lizard lotus lunar magnet mango maple marble meadow meteor mint mirror moon mosaic moss mountain needle nickel
    oak ocean olive onyx opal orange orbit orchid otter owl paddle palm panda paper pebble pepper pine planet plum
    pocket pond poppy prairie quartz rabbit rain raven reef ribbon river robin rocket rose ruby saddle sail salmon
    sand sapphire shadow shell silver sky snow solar sparrow spring spruce star stone storm stream summer summit sun
    tiger timber topaz tower trail tulip turtle valley velvet violet walnut water willow wind winter wolf yellow
    zebra""",
    """abacus acorn alder almond anvil apricot atlas basil bellow bobcat boulder bramble buckle burrow cactuswren
    caramel cascade catapult chestnut cinder citadel cocoa compass condor cosmos cottage cypress delta dune eclipse
    elm fable fiddle fjord gecko geyser goblet gondola grove gull hamlet hatchet hemlock hinge ibis icicle indigo
    juniper kayak kelp kiwi larch ledger_moss lichen lynx mallet marlin mesa mulberry nectar nutmeg obelisk ox papaya
    parsley pelican pistachio pumice quail quiver radish rhubarb rudder saffron sequoia sickle stork tamarind tundra
    turnip vortex waffle yarrow zephyr""",
)
"""Words that say nothing about the work: two of them make a name that only its description explains."""

PARAM_NAMES: Mapping[str, Pool] = MappingProxyType(
    {
        "link": _pool(
            """item item_no item_id n no num number idx index target slot pos link_id link_no product product_id
            product_no which ref entry listing lot row goods item_link link_number id item_index on_list good nr i""",
            "article article_no ordinal merch piece_no tag shelf_no ware line_item unit_id",
        ),
        "quantity": _pool(
            "qty count pieces amount how_many units num_pieces copies pcs item_count q",
            "volume multiples headcount buy_count packs tally",
        ),
        "option": _pool(
            "variant sku color_size choice version style opt spec kind color_and_size model",
            "flavor selection configuration pick edition",
        ),
        "height_cm": _pool(
            "height tall_cm body_height height_in_cm viewer_height h_cm cm_height how_tall_cm",
            "stature_cm cm_tall bodylength_cm heightcm",
        ),
        "weight_kg": _pool(
            "weight kg body_weight weight_in_kg viewer_weight w_kg kg_weight how_heavy_kg",
            "mass_kg heaviness_kg bodymass_kg weightkg",
        ),
        "topic": _pool(
            "query question subject about keyword term ask aspect what attribute q text",
            "theme matter phrase inquiry search_for",
        ),
        "order": _pool(
            "order_id order_no order_number purchase id order_code number ref order_ref",
            "booking_no receipt_no case transaction_id ticket",
        ),
        "reason": _pool(
            "why cause note message because details text comment explanation issue",
            "rationale motive summary grounds remark",
        ),
        "skill": _pool(
            "name skill_name module which id key rules guide title item page topic_name target",
            "playbook handle entry_name label chapter slug",
        ),
    }
)
"""Parameter names by canonical parameter."""

ADDRESS = _pool(
    """friends family everyone folks dears guests shoppers fans besties buddies pals crew gang neighbors champs darlings
    legends sweeties lovelies angels dreamers honeys mates tribe heroes squad beauties sunshine chums teammates
    gentlefolk partners roomies insiders""",
    "comrades homies companions treasures kinfolk visitors explorers amigos cousins peeps",
)
"""Words of address: how viewers are called in a reply."""
