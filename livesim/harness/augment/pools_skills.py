"""What skills are for, in other words: phrase grammars by canonical id, frames around them, noise skills."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from livesim.harness.augment.grammar import Pool, words

SKILL_FRAMES = Pool(
    train=(
        "{}",
        "[questions|asks|comments|requests] [about|on] {}",
        "[answer|answers|reply to|replies on|handle] {}",
        "when [a viewer|someone|the chat] asks about {}",
        "for {}",
        "use for {}",
        "topic: {}",
    ),
    heldout=(
        "[matters|inquiries] [concerning|regarding] {}",
        "[covers|deals with|addresses] {}",
        "if the audience brings up {}",
        "[suited to|meant for] {}",
    ),
    wide=(
        "[whenever|as soon as] [people|viewers] want to know {}",
        "[the one|the right one] for {}",
        "{} and [so on|similar]",
    ),
)
"""``{}`` is the phrase. None of them asserts more than another."""

SKILL_PHRASES: Mapping[str, Pool] = MappingProxyType(
    {
        "price_promo": Pool(
            train=(
                "[price|the price|prices|cost|how much] and [coupons|discounts|offers|deals|promotions]",
                "[what it costs|what an item costs] and [coupons|discounts|promotions]",
                "[prices|price], [coupons|discounts] and [gifts|sales]",
                "[coupons|discounts|deals|promotions] and [the price|prices|how much to pay]",
            ),
            heldout=(
                "[what a thing sells for|the amount to pay] plus [vouchers|rebates|markdowns]",
                "[tariffs|charges] and [bargains|special terms]",
            ),
            wide=(
                "[money matters|what to pay|the sum asked|the price tag] and [savings|reductions|codes]",
                "[how expensive it is|whether it is cheap|value for money] and [special offers|price cuts|savings]",
                "[naming|quoting] [a sum|a figure in yuan] [after|with] [reductions|savings|codes]",
                "[money|budget|yuan] [questions|matters]",
            ),
        ),
        "item_qa": Pool(
            train=(
                "[material|what it is made of], [specs|features] and [use|usage]",
                "[item|product] [details|features|facts|properties]",
                "[what an item is like|details of an item|facts about a product]",
                "[features|specs|details|attributes] of [an item|a product|the goods]",
            ),
            heldout=(
                "[traits|characteristics|makeup] of [an article|a piece of merchandise]",
                "[composition|ingredients] and [how it works|technical data]",
            ),
            wide=(
                "[fabric|substance|texture|quality] and [build|handling|workmanship]",
                "[what it does|what it can do|what it is good for]",
                "[describing|explaining] [a thing|the goods|an object] [closely|in detail]",
                "[what is inside|what it consists of|what went into it]",
                "[weight, colour and care|cleaning and care|origin and care]",
                "[know-how|knowledge] [about|of] [a thing|the goods]",
            ),
        ),
        "size_advice": Pool(
            train=(
                "[which size|what size] [to take|fits|to pick|to choose]",
                "[size|sizing|fit] [by|from|for a] height and weight",
                "[size|sizing] [advice|help|choice|and fit]",
                "[choosing|picking|finding] [a size|the right size]",
            ),
            heldout=(
                "[matching clothes to body measurements|whether it will be too tight or loose]",
                "[S, M, L or XL for a given build|dimensions for a given body]",
            ),
            wide=(
                "[will it fit|does it fit] [a tall person|somebody of that height]",
                "[how wide and long|how roomy] [it is|it comes out]",
            ),
        ),
        "stock_restock": Pool(
            train=(
                "[stock|what is in stock|items in stock] and [colors|sizes|options] left",
                "[whether it is|is it] [in stock|sold out|still available]",
                "[stock|inventory|availability] [and restocks|of an option|of colors and sizes]",
                "[how many are left|pieces left|units left] [in stock|of an item|of an option]",
            ),
            heldout=(
                "[remaining quantity|what the warehouse still holds] [per color|per variant]",
                "[supply that remains|when goods run out]",
            ),
            wide=(
                "[count on hand|numbers on hand|what we have] [in each colour|in each size|of every kind]",
                "[can one still get it|is any left|anything left]",
                "[gone or still here|sold out or not|scarcity]",
                "[spare pieces|pieces in the storeroom] and [refills|new arrivals]",
            ),
        ),
        "shipping_eta": Pool(
            train=(
                "[shipping|delivery] [time|times|days|and arrival]",
                "when [an order|a parcel|it] [ships|arrives|leaves|is delivered]",
                "[dispatch|shipping] and [delivery|arrival] [time|times|dates]",
                "how [long|fast] [shipping|delivery] [takes|is]",
            ),
            heldout=(
                "[transit duration|courier lead time] and [postage|freight]",
                "[how soon a package turns up|the day the package gets there]",
            ),
            wide=(
                "[waiting time|the wait] [for a parcel|after ordering|until it is here]",
                "[mailing|posting|sending out] [of orders|an order|a box]",
                "[days on the road|the journey of a parcel|transport]",
                "[the day it comes|when the box comes|when it is at the door]",
                "[carriers|logistics] and [dates|days]",
                "how many days [from us to you|to the door|until it is home]",
            ),
        ),
        "returns_policy": Pool(
            train=(
                "[returns|sending back|return rules], [refunds|warranty] and [exchanges|guarantee]",
                "[return|returns] and [warranty|refund|exchange] [rules|terms|policy]",
                "[can it be returned|how to return|returning an item]",
                "[return|refund] [days|policy|rules] and warranty",
            ),
            heldout=(
                "[giving goods back|money-back terms] and [repair cover|guarantee periods]",
                "[undoing a purchase|cooling-off periods]",
            ),
            wide=(
                "[a change of heart|changing one's mind|second thoughts] and [refunds|swaps]",
                "[bringing back|handing back|swapping] [a piece|what was bought]",
                "[if it disappoints|not happy with it|what if it does not fit]",
                "[a payout|being paid out] and [insurance|protection]",
                "[days to think it over|trial days]",
                "[defects|faults] in [so many months|the first year]",
            ),
        ),
        "comparison_safe": Pool(
            train=(
                "[comparing|comparison] with [other shops|other brands|rivals|other products]",
                "[cheaper elsewhere|other brands|is it better than another]",
                "[this or that item|our item versus others|which of two is better]",
                "[fair|safe|neutral] [comparison|comparing] of [brands|shops|items]",
            ),
            heldout=(
                "[how we stack up against competitors|alternatives in other stores]",
                "[weighing one label against another|claims of lower prices in other places]",
            ),
            wide=(
                "[which is the wiser buy|pros and cons]",
                "[somebody says it is cheaper|doubts about the price] [next door|in the mall]",
            ),
        ),
        "after_sales_care": Pool(
            train=(
                "[my order|orders], [complaints|problems] and [refund status|claims]",
                "[after-sales|order] [problems|issues|help|support|care]",
                "[broken or late orders|trouble with an order|an order gone wrong]",
                "[order status|where is my order] and [complaints|problems]",
            ),
            heldout=(
                "[grievances|mishaps] after [a purchase|buying]",
                "[tracking a purchase|damaged goods] and [redress|resolution]",
            ),
            wide=(
                "[something arrived broken|nothing arrived yet|a wrong parcel]",
                "[upset|angry|unhappy] [buyers|people who bought]",
            ),
        ),
        "item_show": Pool(
            train=(
                "[showing|show|presenting|putting up] [an item|a link|a product|another item]",
                "[requests to see|wish to see|asks to see] [an item|a link|a product]",
                "[pinning|pushing|displaying] [an item card|a card|a link]",
                "[link 3 please|show me that one|next item please]",
            ),
            heldout=(
                "[bringing an article on screen|a closer look at merchandise]",
                "[demonstrating goods|spotlighting a chosen article]",
            ),
            wide=(
                "[let us see it|hold it up|a look at it]",
                "[jump|switch|move] to [a number|another link]",
            ),
        ),
        "chitchat_persona": Pool(
            train=(
                "[greetings|hellos|hello], [small talk|chat] and [thanks|praise|fun]",
                "[small talk|chitchat|friendly chat] and [greetings|hellos|the host]",
                "[friendly|casual|light] [talk|chat|words|replies]",
                "[greetings|saying hello] and [who the host is|questions about the host]",
            ),
            heldout=(
                "[banter|pleasantries] and [salutations|newcomers]",
                "[sociable remarks|cheerful conversation] [without a product|not about goods]",
            ),
            wide=(
                "[being nice|good mood|kind words] and [waves|welcomes]",
                "[compliments|hi, thanks and jokes|jokes] [from viewers|in the chat]",
                "[people who just say hi|those who drop by|who just came in]",
                "[the host's name and nature|getting to know the host|whether the host is a machine]",
                "[idle|just for fun|nothing to sell] talk",
            ),
        ),
        "off_topic_deflect": Pool(
            train=(
                "[off-topic|unrelated|odd] [talk|comments|questions] and [trolls|bait|spam]",
                "[trolls|bait|provocation] and [off-topic|unrelated] [talk|comments]",
                "[what does not belong here|things outside the shop]",
                "[declining|turning down] [off-topic|unrelated|bad] requests",
            ),
            heldout=(
                "[tangents|digressions] and [hecklers|mischief]",
                "[remarks that stray from shopping|attempts to derail the show]",
            ),
            wide=(
                "[politics|gossip|insults] and [nonsense|noise]",
                "[keeping|staying] on the subject",
            ),
        ),
        "recovery": Pool(
            train=(
                "[a tool|when a tool|if a tool] [failed|fails|gives an error|does not answer]",
                "[failed|broken] [tools|tool calls|look-ups] [and retries|and what to do]",
                "[what to do after|steps after] [a tool error|a failed call]",
            ),
            heldout=(
                "[outages|malfunctions] of [a look-up|the system]",
                "[when data cannot be obtained|plan B after a breakdown]",
            ),
        ),
        "order_nudge": Pool(
            train=(
                "[a gentle|a soft|a short] [hint|reminder|word] [to order|to buy|to check out]",
                "[closing|finishing] [a sale|an order] [softly|gently]",
                "[viewers|someone] [about|ready|close] to [buy|order]",
            ),
            heldout=(
                "[turning interest into a purchase|encouraging hesitant customers]",
                "[inviting the audience to proceed to the basket]",
            ),
        ),
        "batch_answer": Pool(
            train=(
                "[several|many|two or more] [questions|viewers|comments] at once",
                "[answering|serving] [several|many] [viewers|questions] in one [reply|go]",
                "[merging|combining] [answers|replies] for [several|many] viewers",
            ),
            heldout=(
                "[a pile of messages in a single window|simultaneous inquiries]",
                "[one message that serves a crowd]",
            ),
        ),
    }
)
"""What each skill is for, by canonical id."""

NOISE_SKILLS = Pool(
    train=(
        "[host|team|staff] [schedule|shift plan|rota] [for the week|of the month]",
        "[studio|room] [light|camera|sound] [setup|checks]",
        "[daily|weekly|monthly] [sales|traffic|viewer] [report|summary] for the [team|boss]",
        "[new host|new staff|intern] [training|onboarding] notes",
        "[writing|drafting] [a teaser|a poster|a post] for [tomorrow's|the next] stream",
        "[backstage|warehouse] [packing|labels|cleaning] steps",
        "[supplier|factory] [contacts|contracts|visits]",
        "[makeup|outfit|hair] of the host",
        "[music|background music|sound effects] [list|choice]",
        "[opening|closing] [lines|script] of the [show|stream]",
    ),
    heldout=(
        "[archive|backup] of [old recordings|past footage]",
        "[influencer|partner] [collaboration|outreach] plans",
        "[tax|bookkeeping] [paperwork|forms]",
        "[rehearsal|stage decoration] checklist",
        "[recruiting|payroll] of [moderators|assistants]",
    ),
)
"""Descriptions of skills that serve no viewer: behind the scenes, never the right one for a reply."""

NOISE_BODIES = Pool(
    train=(
        "- [Not needed to answer viewers|This does not answer viewers].\n- [Ask the team lead|See the team board].",
        "- [For the crew only|Internal notes].\n- [Keep it up to date|Read it before the show].",
    ),
    heldout=("- [Concerns the back office alone|Of no use on air].\n- [File it after the show|Consult the producer].",),
)

NOISE_TOPICS = Pool(
    train=words(
        "schedule studio report training teaser packing supplier makeup music opening camera shift poster warehouse "
        "intern outfit script lights contract"
    ),
    heldout=words("archive outreach paperwork rehearsal payroll recordings decoration moderators bookkeeping"),
)
"""Topic words for the names of noise skills."""
