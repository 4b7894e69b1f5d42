"""What tools and their parameters are for, in other words; distractor tools that serve nothing here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from livesim.harness.augment.grammar import Pool

TOOL_FRAMES = Pool(
    train=(
        "{}",
        "[look up|get|read|check|find|fetch] {}",
        "[shows|gives|returns|tells] {}",
        "[for|about] {}",
        "{} [of a link|of an item|by link|for one item]",
    ),
    heldout=(
        "[retrieves|pulls up|reports|produces] {}",
        "[answers with|source for|query for] {}",
        "{} [per listing|for a given article]",
    ),
    wide=(
        "[says|states|lists] {}",
        "[asks|ask] the shop for {}",
    ),
)
"""``{}`` is the phrase of a read-only tool about an item."""

PLAIN = Pool(train=("{}",), heldout=("{}",))
"""No frame: the phrase is a whole clause already."""

UNFRAMED = frozenset({"load_skill", "order_lookup", "push_card", "hand_off", "final_price", "size_advice"})
"""Tools whose phrases are whole clauses."""

TOOL_PHRASES: Mapping[str, Pool] = MappingProxyType(
    {
        "load_skill": Pool(
            train=(
                "[open|load|read|fetch|get|show] [a skill|a skill's rules|the rules of a skill|one skill]",
                "[open|load|read] [a skill|skill rules] [by name|before replying|first]",
                "[rules|text|body|full text] of [a skill|one skill|a listed skill]",
            ),
            heldout=(
                "[unfold|bring up|display] [a skill's contents|what a skill says]",
                "[view the page behind|consult] a skill",
            ),
            wide=(
                "[guidance|how-to|instructions] [before speaking|for a topic|of a skill]",
                "[learn|study] [a skill|the rules of a skill]",
            ),
        ),
        "product_info": Pool(
            train=(
                "[product|item] [data|details|facts|information]",
                "[title, category and features|features and specs|title and attributes]",
                "[the item's|an item's] [card|details|attributes]",
            ),
            heldout=(
                "[datasheet|profile] [of merchandise|of goods]",
                "[name, class and makeup|general characteristics]",
            ),
            wide=("[everything|all there is] about [a thing|one piece]",),
        ),
        "price_check": Pool(
            train=(
                "[current|live|today's|the] [price|item price] and [coupons|discounts|coupon price]",
                "[price|prices] [now|today|live|after coupons] [and coupons|with discounts]",
                "[list price, live price|the price, the live price] and coupons",
                "[what it costs|cost of one piece|price of one piece] [now|with coupons|today]",
            ),
            heldout=(
                "[what a single unit sells for|the going rate of one unit] plus vouchers",
                "[charge for one unit|asking price] and [rebates|markdowns]",
            ),
            wide=(
                "[money for one piece|the sum for one|what one pays] [at this moment|tonight] [and savings|with codes]",
                "[figure in yuan|price tag] and [codes|reductions|savings]",
                "how [cheap|dear|expensive] [an item is|it is] [at this moment|tonight|with codes]",
            ),
        ),
        "final_price": Pool(
            train=(
                "[total|final price|amount to pay|sum] for [a quantity|several pieces|n pieces|a number of pieces]",
                "[price|total|cost] of [several|more|n] pieces [after all discounts|with discounts|at checkout]",
                "[what to pay|the total] for [a given quantity|so many pieces] [after|with] [discounts|coupons]",
            ),
            heldout=(
                "[grand sum due at the till|bill] for [multiple units|a given headcount of units]",
                "[settlement|outlay] when [buying many|ordering multiple units]",
            ),
            wide=("[what several cost|the sum of several] [after reductions|with codes]",),
        ),
        "promotion_info": Pool(
            train=(
                "[running|current|all] [promotions|offers|deals|campaigns]",
                "[coupons, gifts and sales|discounts and gifts|coupons and thresholds]",
                "[promotion|offer|discount|campaign] [rules|terms|details]",
            ),
            heldout=(
                "[perks|markdowns|bonuses] [in force|and their conditions]",
                "[giveaways and special events|terms of the present event]",
            ),
            wide=("[savings|reductions|price cuts] [there are|of the day]",),
        ),
        "stock_check": Pool(
            train=(
                "[stock|pieces left|units left|stock level|inventory]",
                "[pieces|units] [in stock|available|left] [by option|by color and size|of an option]",
                "[whether it is|is it] [in stock|available|sold out]",
                "[stock|availability] of [an option|a color and size]",
            ),
            heldout=(
                "[remaining supply|what the warehouse holds]",
                "[how much is on the shelves|reserves] [per variant|by color]",
            ),
            wide=(
                "[count|number] [on hand|there is] [for each option|in each colour]",
                "[can one still get it|gone or still here|is any left]",
                "[pieces in the storeroom|what we have] [in a colour|in a size]",
            ),
        ),
        "size_advice": Pool(
            train=(
                "[size|fitting size|right size|which size] [from|by|for a] height and weight",
                "[recommend|suggest|pick|advise] [a size|the size] [from|by] height and weight",
                "[size advice|sizing|size chart] [by|from] [height and weight|body data]",
            ),
            heldout=(
                "[garment dimension|S to XL] [matching|suited to] a body's stature and mass",
                "[fitting|tailoring] hint [based on|given] body measurements",
            ),
            wide=("[will it fit|what fits] [somebody of that height|by height]",),
        ),
        "shipping_eta": Pool(
            train=(
                "[shipping|delivery|dispatch] [time|times|days|and arrival]",
                "when [it|an item|the parcel] [ships|arrives|leaves]",
                "[dispatch|shipping] and [delivery|arrival] [time|times|days]",
                "[delivery|arrival] [date|estimate|time]",
            ),
            heldout=(
                "[transit duration|courier lead time|freight estimate]",
                "[how soon a package turns up|day of handover to the courier]",
            ),
            wide=(
                "[days on the road|transport time|waiting time]",
                "[the day it comes|when the box comes]",
                "[posting|sending out] and [days to the door|the journey]",
            ),
        ),
        "return_policy": Pool(
            train=(
                "[return|returns|refund] [rules|policy|days|terms]",
                "[return|return days|returns] and [warranty|freight insurance|exchange]",
                "[how to return|returning|sending back] [an item|it]",
                "[warranty|guarantee] and [return|refund] [days|terms]",
            ),
            heldout=(
                "[cooling-off period|money-back terms|give-back conditions]",
                "[repair cover and take-back|how long goods can go back]",
            ),
            wide=(
                "[bringing back|handing back|swapping] [days|rules]",
                "[a change of heart|if it disappoints|not happy with it]",
                "[insurance|protection] and [days to think it over|trial days]",
            ),
        ),
        "faq_search": Pool(
            train=(
                "[answers|facts|details] [about|on] [a topic|an attribute|a feature], [e.g. material|like material]",
                "[material, use and other facts|material and care|features and usage] by topic",
                "[item|product] [questions and answers|faq|facts] by [topic|keyword]",
                "one [attribute|feature|property] of the item",
            ),
            heldout=(
                "[encyclopedia entry|reference text] on [a trait|what it is made of]",
                "[composition, care and the like|a named characteristic]",
            ),
            wide=(
                "[know-how|knowledge] [about|on] [a keyword|a point|one point]",
                "[care|fabric|origin|texture|weight] and so on",
                "[a deeper look at|a word on] [a property|one point]",
            ),
        ),
        "order_lookup": Pool(
            train=(
                "[status|state|progress] of [an order|a viewer's order|one order]",
                "[look up|check|find|read] [an order|an order's status|one order by number]",
                "[where|how far] an order is",
            ),
            heldout=(
                "[track a past purchase|progress of a booking]",
                "[situation of a purchase by its receipt number]",
                "[trace|follow] a [purchase|parcel] by its [receipt|booking] number",
            ),
            wide=("[how an order goes|what became of an order]",),
        ),
        "push_card": Pool(
            train=(
                "[show|push|pin|display|send|post] [an item card|the item's card|an item on screen|a product card]",
                "[put|bring] [an item|an item card|a product card] [on screen|up for viewers]",
            ),
            heldout=(
                "[overlay a listing on the broadcast|spotlight an article for the audience]",
                "[make a merchandise panel pop up]",
            ),
            wide=("[let viewers see|hold up] [an item|a product]",),
        ),
        "hand_off": Pool(
            train=(
                "[hand|pass|transfer|send] [the viewer|the case|it|a request] to [a human|staff|a person|support]",
                "[call|get|ask|alert] [a human|staff|support] [to help|to take over|for the viewer]",
                "[human|staff] [help|support|takeover]",
            ),
            heldout=(
                "[delegate|relay] the matter to [a colleague|an operator]",
                "[have an employee take care of the matter]",
            ),
            wide=("[somebody of the crew|a person] [takes over|steps in]",),
        ),
    }
)
"""What each tool is for, by canonical name."""

PARAM_NOTES: Mapping[str, Pool] = MappingProxyType(
    {
        "link": Pool(
            train=("[link|item] number", "number of the [link|item]", "which [link|item]"),
            heldout=("[ordinal|position] of the article", "the listing's numeral"),
        ),
        "quantity": Pool(
            train=("how many [pieces|units]", "number of pieces", "pieces [to buy|ordered]"),
            heldout=("[multiples|volume] wanted",),
        ),
        "option": Pool(
            train=("[color|colour] and size, e.g. red/M", "option such as red/M", "[variant|option], like red/M"),
            heldout=("[selection|edition], for instance red/M",),
        ),
        "height_cm": Pool(
            train=("[body |]height in cm", "[viewer's |]height, cm"),
            heldout=("stature in centimetres", "how tall, centimetres"),
        ),
        "weight_kg": Pool(
            train=("[body |]weight in kg", "[viewer's |]weight, kg"),
            heldout=("mass in kilograms", "how heavy, kilograms"),
        ),
        "topic": Pool(
            train=("what it is about", "[topic|keyword|subject], e.g. material", "[attribute|feature] asked for"),
            heldout=("the [trait|matter] at issue",),
        ),
        "order": Pool(
            train=("order [number|id|code]", "[number|id] of the order"),
            heldout=("[receipt|booking] code",),
        ),
        "reason": Pool(
            train=("why", "[short |]reason", "what it is about, in short"),
            heldout=("[motive|grounds] in brief",),
        ),
        "skill": Pool(
            train=("[name|title] of the skill", "skill [name|to open|to load]", "which skill"),
            heldout=("the listed [label|handle]",),
        ),
    }
)
"""Descriptions by canonical parameter."""


@dataclass(frozen=True, slots=True)
class Distractor:
    """A tool that serves nothing here: its description, name topics, and parameters as (name, kind) pairs."""

    description: str
    topics: tuple[str, ...]
    params: tuple[tuple[str, str], ...]


def _d(description: str, topics: str, *params: str) -> Distractor:
    pairs = (param.split(":") for param in params)
    return Distractor(description, tuple(topics.split()), tuple((name, kind) for name, kind in pairs))


DISTRACTORS_TRAIN: tuple[Distractor, ...] = (
    _d("[weather|weather today|forecast] [in a city|of a city]", "weather forecast sky_report", "city:string"),
    _d("[play|start|choose] [background music|a song]", "music song playlist", "song:string"),
    _d("[dim|change|set] the [studio|room] lights", "lights lamp studio_light", "level:integer"),
    _d("[convert|change] [yuan to dollars|currencies]", "currency convert exchange_rate", "amount:integer"),
    _d("[book|reserve] a [meeting room|studio slot]", "booking room_slot calendar", "day:string"),
    _d(
        "[last month's|past] [sales report|sales numbers] for the [team|boss]",
        "sales_report month",
        "month:integer",
    ),
    _d("[translate|render] a text [into another language|to French]", "translate language", "text:string"),
    _d("[send|write] an email to the [team|boss]", "email mail_team message", "text:string"),
    _d("[time|clock] in [a city|another city]", "world_clock city_time", "city:string"),
    _d("[switch|change] [the camera|to another camera]", "camera switch_camera view_angle", "camera:integer"),
    _d("[staff|host] [shift plan|schedule] of a day", "shift schedule rota", "day:string"),
    _d("[draw|pick] a [random number|lucky number] for the crew", "random_number dice lucky", "limit:integer"),
    _d("[old|past] prices [of last year|for the yearly report]", "price_history old_price year_price", "link:integer"),
    _d(
        "[stock|pieces] [ordered from the factory|on order at the supplier]",
        "factory supplier_stock",
        "link:integer",
    ),
    _d("[shipping|freight] cost [between warehouses|from the factory]", "warehouse_freight move_cost", "link:integer"),
    _d("[viewer|watch] [numbers|counts] of [past|earlier] streams", "stream_stats audience_count", "stream:integer"),
)
"""Distractors of the training split, near-duplicates of real tools at the end."""

DISTRACTORS_HELDOUT: tuple[Distractor, ...] = (
    _d("[tide|pollen] [table|level] of a region", "tide pollen almanac_region", "region:string"),
    _d("[edit|trim] a recorded clip", "clip trim_video", "clip:string"),
    _d("[file|submit] an expense claim", "expense claims_form", "sum:integer"),
    _d("[purchase price|buying cost] agreed with the wholesaler", "wholesale_price buying_cost", "article:integer"),
    _d("[spare parts|samples] kept in the office cupboard", "spare_parts sample_box", "article:integer"),
    _d("[rank|score] of competing channels", "channel_rank league", "channel:string"),
)
"""Distractors of the held-out split."""
