"""How the teacher says everything but facts: friendly words, refusals, deeds, failures, openings and closings.

``{item}`` stands for the item, ``{topics}`` for what was asked.
"""

from __future__ import annotations

from collections.abc import Mapping

from agents.oracle.statements import Parts

SOCIAL: Parts = {
    "greeting": (
        "welcome to the room",
        "hello and welcome",
        "hi, welcome in",
        "nice to see you here",
        "welcome, make yourself at home",
        "good to have you with us",
        "hey, welcome to our live room",
        "welcome",
        "hello, glad you came by",
    ),
    "chitchat": (
        "thank you, that is kind of you",
        "thanks, you are so sweet",
        "that makes me happy, thank you",
        "thank you so much",
        "thank you for the kind words",
        "ha, thank you, I try my part",
        "so nice of you, thanks",
        "thanks a lot, I enjoy being here with you",
        "thank you for keeping me company",
    ),
    "participation": (
        "thank you for joining in",
        "got it, thanks for taking part",
        "noted, thank you",
        "I see you, thank you for playing along",
        "thanks for the support",
        "great, thank you all for joining in",
        "I see your messages, thank you",
        "noted, thanks for taking part",
        "lovely, thank you for being with us",
    ),
}
"""Friendly words that state nothing."""

DECLINES: Parts = {
    "troll": (
        "I can't do that because of the rules of the room",
        "I won't go into that, since we stay friendly here",
        "I can't do that here because we keep the room friendly, let's get back to our items",
        "sorry, I won't go into that, we keep it friendly here; ask me about any item",
        "I can't help with that, it is against the rules of the room; let's look at our items",
        "let's keep it kind, I can't go along with that because of the room rules; ask me about an item",
        "sorry, that is not something I can do in public; I am glad to answer about our items",
        "I won't do that since the room has rules; which item may I explain?",
        "I won't join in with that because this is a friendly room; let's talk about the items",
        "sorry, I can't say anything to that, we stay polite here; any question on the items?",
    ),
    "off_topic": (
        "I can't help with that because I only know our items",
        "I can't answer that, I only know our items",
        "sorry, I can't help with that here because this room is about our items; ask me about any link",
        "that is outside what I can do here, I am here for the items; which link may I explain?",
        "I can't go into that since this is a shopping room; ask me about any item",
        "sorry, I only answer about the items here, so I can't help with that",
        "that's not something I can answer in this room, because I am here for the items",
        "I can't do that here, this stream is about our items; let's get back to them",
        "sorry, that is off topic for this room, so I can't help; any question on a link?",
        "I can't answer that because I only know our items; ask me about any item",
    ),
    "comparison": (
        "I can't judge other shops",
        "I can't speak for other shops because I only know our own",
        "sorry, I can't speak about other shops, I only know our items",
        "I can't say anything about other sellers because I only know our own",
        "I can't speak for other shops",
        "other shops are not mine to judge because I only know ours",
    ),
}
"""Refusals with a reason and a way on."""

ACTIONS: tuple[str, ...] = (
    "here is {item}, the card is on your screen now",
    "I put the card of {item} on screen for you",
    "{item} is on screen now, tap the card",
    "{item} is on screen now",
    "there you go, the card of {item} is up",
    "the card for {item} is on the screen",
    "showing {item} now, the card is up on screen",
    "I have put up the card of {item}, have a look",
    "take a look, {item} is on the card on screen now",
)
"""Something was shown, and is said to have been."""

HANDOFFS: tuple[str, ...] = (
    "I have passed this on to a human colleague who will help you",
    "a human colleague from customer service takes over from here",
    "a human colleague takes over now",
    "I handed this to our customer service, a human colleague will contact you",
    "sorry about that, a human colleague from customer service is on it now",
    "our customer service colleague will look into it, I passed it on",
    "I am sorry, I have handed this over to a human colleague in customer service",
    "customer service has it now, a human colleague will get back to you",
    "I called a human colleague from customer service to sort this out",
)
"""A human takes over, and the viewer is told."""

HONEST: tuple[str, ...] = (
    "I can't see the {topics} because the system is down, please ask again soon",
    "the system is down, I can't see the {topics}, please ask again",
    "sorry, the system is down, so I can't see the {topics}; please ask again soon",
    "sorry, I can't look up the {topics} right now because the system is not answering; please check the item page",
    "I can't see the {topics} at the moment, the system is not responding; please ask me again in a minute",
    "the system is not answering, so I can't confirm the {topics} now; please look at the item page",
    "sorry, the lookup failed and I don't want to guess the {topics}; please check the item page",
    "I could not get the {topics} because the system is down; please ask again in a moment",
    "right now I can't confirm the {topics}, the system gives me no answer; please see the item page",
    "sorry, I can't look up the {topics} at the moment, the system fails; please ask me again soon",
    "I don't have the {topics} because the lookup is not working; please ask again in a minute",
)
"""Nothing could be looked up: said so, with the reason and the next step."""

DISPUTED: tuple[str, ...] = (
    "I can't confirm the {topics} yet because my sources disagree; please ask me again in a minute",
    "sorry, I can't confirm the {topics}, the system and its copies disagree; please check the item page",
    "let me look into the {topics}: I can't confirm it because the tools disagree; please ask me again soon",
    "the system and its copy disagree, so I can't confirm the {topics} now; please look at the item page",
)
"""Tools contradict each other and none settles it: said so, with the reason and the next step."""

TOPICS: Mapping[str, str] = {
    "price": "price",
    "promotion": "offer details",
    "size": "size",
    "stock": "stock",
    "shipping": "shipping time",
    "returns": "return policy",
    "comparison": "price",
    "after_sales": "order status",
    "show_item": "card",
}
"""What a failed look-up was about; attributes use their own name."""

OPENINGS: tuple[str, ...] = (
    "",
    "",
    "",
    "",
    "sure, ",
    "of course, ",
    "good question, ",
    "thanks for asking, ",
    "let me tell you, ",
    "happy to help, ",
    "here you go, ",
    "I looked it up, ",
)
"""Before a sentence of facts."""

CLOSINGS: tuple[str, ...] = (
    "",
    "",
    "",
    "",
    "",
    ", just tap the link",
    ", have a look",
    ", let me know if you need more",
    ", hope that helps",
    ", take your time",
)
"""After it."""

GONE: tuple[str, ...] = (
    "{item} is no longer listed, so I can't tell you more; please pick another link",
    "sorry, {item} is not listed any more, please have a look at the other links",
    "{item} is not available here now, please choose another link",
    "we don't have {item} on the list now, please ask about another link",
    "{item} was taken off the list, sorry; another link may do",
    "sorry, {item} is gone from the list, please look at the other links",
    "I can't find {item} on the list, please check the link number",
    "{item} is not on the list, please tell me another link",
)
"""The item is not listed."""

NO_OFFERS: tuple[str, ...] = (
    "there is no coupon right now",
    "no coupon at the moment",
    "there is no discount on it right now",
    "no promotion is running on it now",
    "there is no offer on it at the moment",
)
"""Nothing is taken off."""

UNREACHED: tuple[str, ...] = (
    "I can't reach a colleague because the system is down; please contact customer service",
    "sorry, I can't reach a human colleague right now because the system is not answering; please contact customer "
    "service on the order page",
    "I could not call a colleague because the system is down; please write to customer service from your order page",
    "the system is not answering, so I can't hand this over now; please contact customer service on the order page",
    "sorry, the hand-over failed because of the system; please ask customer service on the order page",
)
"""A human could not be called."""

UNSHOWN: tuple[str, ...] = (
    "I can't show {item} because the system is down, please tap it in the list",
    "the system is down, I can't show {item}, please tap it",
    "sorry, I can't show the card of {item} right now because the system is not answering; please tap {item} in the "
    "list",
    "the card of {item} will not come up because the system is down; please open {item} from the list",
    "I can't put up the card of {item} at the moment, the system is not answering; please find {item} in the list",
    "sorry, showing {item} failed because of the system; please look at {item} in the item list",
)
"""A card could not be shown."""

UNSHOWABLE: tuple[str, ...] = (
    "{item} is in the list, please tap it there, since I can't show cards here",
    "I can't put up cards in this room, please tap {item} in the list",
)
"""This harness shows no tool that puts up cards."""

UNREACHABLE: tuple[str, ...] = (
    "I can't call a colleague from here, please contact customer service on the order page",
    "orders are not something I can look into here, please contact customer service on the order page",
)
"""This harness shows no tool that calls a human."""

UNEQUIPPED: tuple[str, ...] = (
    "I can't tell the {topics} here, please check the item page",
    "I can't look up the {topics} in this room, please see the item page",
    "sorry, I have no way to look up the {topics} here; please check the item page",
    "sorry, the {topics} is not something I can look up here; please see the item page",
)
"""This harness shows no tool for it."""
