"""What the teacher can say: sentence parts for every fact and intent, from which replies are built.

``{item}`` stands for the item, ``{value}`` for the fact, ``{option}``, ``{pieces}``, ``{name}`` for the rest of a
fact's name. A key ``"stock=0"`` holds the sentences for that very value. Openings and closings multiply them.
"""

from __future__ import annotations

from collections.abc import Mapping

Parts = Mapping[str, tuple[str, ...]]

SENTENCES: Parts = {
    "final_price": (
        "{item} is {value}",
        "{item} comes to {value}",
        "you pay {value} for {item}",
        "{item} costs {value}",
        "{item} costs you {value} in the end",
        "right now {item} is {value}",
        "for {item} you pay {value} today",
        "the price of {item} is {value}",
    ),
    "final_price=less": (
        "{item} costs {value}",
        "{item} is {value} after all discounts",
        "{item} comes to {value} with everything taken off",
        "you pay {value} for {item} after the discount",
        "{item} costs you {value} in the end",
        "right now {item} is {value} with the discount",
        "for {item} you pay {value} today",
        "after discounts {item} is {value}",
        "with the discount you pay {value} for {item}",
    ),
    "final_price:": (
        "for {pieces} pieces of {item} you pay {value} in all",
        "for {pieces} pieces of {item} it is {value} together",
        "the total for {pieces} pieces of {item} is {value}",
        "for {pieces} of {item} you pay {value} together",
        "for {pieces} of {item} you pay {value}",
        "for {pieces} pieces you pay {value} in all for {item}",
        "the total price for {pieces} pieces of {item} is {value}",
        "all in, for {pieces} pieces of {item} it is {value}",
        "taking {pieces} pieces of {item} you pay {value} in all",
    ),
    "live_price": (
        "{item} is {value} here in the live room",
        "the live price of {item} is {value}",
        "{item} goes for {value} in this stream",
        "in the live room {item} is {value}",
    ),
    "list_price": (
        "the list price of {item} is {value}",
        "{item} is listed at {value}",
        "{item} has a list price of {value}",
    ),
    "member_price": (
        "members pay {value} for {item}",
        "the member price of {item} is {value}",
        "{item} is {value} for members",
    ),
    "coupon": (
        "{item} has a coupon of {off} off orders over {over}",
        "{item} has a coupon, {off} off over {over}",
        "take the coupon for {item}: {off} off over {over}",
        "there is a coupon on {item}, {off} off over {over}",
        "with the coupon you save {off} on {item} when you spend {over}",
        "the coupon for {item} takes {off} off when you spend {over}",
        "grab the coupon: {off} off over {over} on {item}",
        "for {item} we have a coupon, {off} off over {over}",
        "{item} comes with a coupon: spend {over}, save {off}",
    ),
    "coupon:off": (
        "{item} has a coupon worth {value} off",
        "take the coupon for {item}, it saves {value}",
        "there is a coupon of {value} off on {item}",
        "with the coupon {item} is {value} off",
        "the coupon on {item} takes off {value}",
        "for {item} we have a coupon: {value} off",
        "grab the {value} off coupon for {item}",
        "a coupon saves you {value} on {item}",
    ),
    "coupon:over": ("the coupon for {item} works from {value}", "spend {value} on {item} and the coupon works"),
    "threshold": (
        "for {item} the shop offer counts, {off} off over {over}",
        "with {item} you can use the shop offer of {off} off over {over}",
        "{item} counts for the shop offer, {off} off when you spend {over}",
        "the shop offer holds for {item}, {off} off over {over}",
        "on {item} the shop offer gives {off} off over {over}",
    ),
    "threshold:off": ("the shop takes {value} off bigger orders", "there is {value} off across the shop"),
    "threshold:over": ("the shop discount starts at {value}", "the shop discount works from {value}"),
    "discount_percent": (
        "{item} is {value} off",
        "there is {value} off on {item}",
        "{item} has a discount of {value}",
        "today {item} comes with {value} off",
        "you save {value} on {item}",
    ),
    "flash:price": (
        "{item} is in the flash sale at {value}",
        "the flash price of {item} is {value}",
        "{item} goes for {value} in the flash sale",
        "flash sale on now: {item} at {value}",
        "in the flash sale {item} is {value}",
    ),
    "flash:ends": (
        "the flash sale on {item} runs {value} more minutes",
        "you have about {value} minutes left for the flash sale on {item}",
    ),
    "gift": (
        "{item} comes with a gift: {value}",
        "you get {value} as a gift with {item}",
        "the gift with {item} is {value}",
        "with {item} you also receive {value}",
        "there is a gift with {item}: {value}",
        "order {item} and get {value} as a gift",
        "a gift goes with {item}, {value}",
        "{value} comes along with {item} as a gift",
    ),
    "stock": (
        "{item} has {count} pieces left",
        "there are {count} pieces left of {item}",
        "we still have {count} pieces of {item}",
        "{item} is in stock, {count} pieces left",
        "yes, {item} is there, {count} pieces left",
        "stock of {item} is {count} pieces",
        "{count} pieces of {item} are left",
        "you can still get {item}, {count} pieces are left",
    ),
    "stock=0": (
        "{item} is sold out right now",
        "sorry, {item} is sold out",
        "{item} has run out at the moment",
        "at the moment {item} is sold out",
        "sadly {item} has run out",
        "there is no stock left of {item}",
        "I am sorry, {item} is out of stock",
    ),
    "stock:": (
        "{option} of {item} has {count} pieces left",
        "there are {count} pieces left of {item} in {option}",
        "we still have {count} pieces of {item} in {option}",
        "{option} of {item} is in stock, {count} pieces left",
        "yes, {option} of {item} is there, {count} pieces left",
        "in {option} we have {count} pieces left of {item}",
        "{count} pieces of {item} in {option} are left",
        "{option} is there, {count} pieces of {item} are left",
    ),
    "stock:=0": (
        "{option} of {item} is sold out right now",
        "sorry, {option} of {item} is sold out",
        "{option} of {item} has run out",
        "I am sorry, {option} of {item} is out of stock",
        "{option} of {item} is out of stock at the moment",
        "at the moment {option} of {item} is sold out",
        "sadly {option} of {item} has run out",
        "{option} of {item} is all sold out, sorry",
    ),
    "dispatch": (
        "{item} ships within {value}",
        "we send {item} out within {value}",
        "{item} leaves the warehouse within {value}",
        "you get {item} sent out within {value}",
        "dispatch of {item} is within {value}",
    ),
    "delivery": (
        "{item} arrives in about {value}",
        "delivery of {item} takes about {value}",
        "{item} reaches you in about {value}",
        "expect {item} in about {value}",
    ),
    "free_shipping": (
        "shipping for {item} is free",
        "{item} ships for free",
        "you pay no shipping for {item}",
    ),
    "free_shipping=no": (
        "shipping for {item} is not free",
        "{item} does not ship for free",
        "there is a shipping fee for {item}",
    ),
    "return_days": (
        "{item} can be returned within {value}",
        "you can return {item} within {value}",
        "returns of {item} are open for {value}",
        "returns of {item} are accepted within {value}",
        "the return window of {item} is {value}",
        "if it does not suit you, return {item} within {value}",
        "{item} comes with {value} for returns",
        "return {item} within {value} if you change your mind",
    ),
    "return_days=0": (
        "{item} cannot be returned",
        "there are no returns on {item}",
        "sorry, {item} cannot be sent back",
    ),
    "freight_insurance": (
        "{item} comes with freight insurance",
        "freight insurance is included with {item}",
        "yes, {item} has freight insurance",
        "there is freight insurance on {item}",
        "return freight of {item} is insured, freight insurance is included",
    ),
    "freight_insurance=no": (
        "{item} comes without freight insurance",
        "sorry, {item} has no freight insurance",
        "no, {item} has no freight insurance",
        "there is no freight insurance on {item}",
    ),
    "warranty": (
        "{item} has a warranty of {value} months",
        "the warranty on {item} is {value} months",
        "there are {value} months of warranty on {item}",
        "{item} comes with {value} months of warranty",
        "you get {value} months of warranty with {item}",
    ),
    "warranty=0": (
        "{item} has no warranty",
        "there is no warranty on {item}",
        "{item} comes without a warranty",
    ),
    "attr:": (
        "the {name} of {item} {be} {value}",
        "{item}: the {name} {be} {value}",
        "for {item}, the {name} {be} {value}",
        "as for {item}, the {name} {be} {value}",
        "{name} of {item}: {value}",
        "about {item}, its {name} {be} {value}",
        "on {item} the {name} {be} {value}",
        "{item} has this {name}: {value}",
    ),
    "size:=none": (
        "the size chart of {item} has no size for these numbers",
        "none of the sizes of {item} fits these numbers by the chart",
        "sorry, {item} has no size for your height and weight in the chart",
        "by the chart none of the sizes of {item} is right for you",
    ),
    "size:": (
        "take size {value} in {item}",
        "size {value} of {item} should suit you",
        "for your height and weight, {item} in size {value}",
        "I suggest size {value} for {item}",
        "go for size {value} in {item}",
        "{item} in size {value} fits your numbers",
        "your size in {item} is {value}",
        "by the size chart of {item}, size {value} is yours",
    ),
    "status": (
        "your order is {value}",
        "the order shows as {value}",
        "I looked it up: your order is {value}",
        "your order stands at {value}",
        "the status of your order is {value}",
        "right now your order is {value}",
        "our system says your order is {value}",
        "your parcel's order status is {value}",
    ),
    "category": ("{item} belongs to {value}", "{item} is in our {value} section"),
    "title": ("that is {value}", "it is {value}"),
    "is_ai": (
        "I am an AI host",
        "yes, I am an AI",
        "I am an AI avatar, happy to help",
        "right, you are talking to an AI host",
        "I am an AI, but I know these items well",
        "that's true, I am an AI host",
        "yes, this host is an AI",
        "you guessed it, I am an AI host",
    ),
}
"""A whole sentence about one fact."""

CLAUSES: Parts = {
    "final_price": ("you pay {value}", "it comes to {value}"),
    "final_price=less": ("you pay {value} in the end", "it comes to {value} after discounts"),
    "final_price:": ("for {pieces} pieces you pay {value}",),
    "live_price": ("the live price is {value}", "it is {value} in the live room"),
    "list_price": ("the list price is {value}",),
    "member_price": ("members pay {value}", "the member price is {value}"),
    "coupon": ("the coupon takes {off} off over {over}", "there is a coupon of {off} off over {over}"),
    "coupon:off": ("a coupon takes {value} off", "there is a coupon of {value} off"),
    "coupon:over": ("the coupon works from {value}",),
    "threshold": ("the shop gives {off} off over {over}", "there is {off} off over {over} in the shop"),
    "threshold:off": ("the shop takes {value} off",),
    "threshold:over": ("the shop discount starts at {value}",),
    "discount_percent": ("there is {value} off",),
    "flash:price": ("the flash price is {value}",),
    "flash:ends": ("the flash sale runs {value} more minutes",),
    "gift": ("{value} comes as a gift", "the gift is {value}"),
    "stock": ("{count} pieces are left", "we have {count} pieces"),
    "stock=0": ("it is sold out",),
    "stock:": ("{option} has {count} pieces left",),
    "stock:=0": ("{option} is sold out",),
    "dispatch": ("it ships within {value}", "we send it out within {value}"),
    "delivery": ("it arrives in about {value}", "delivery takes about {value}"),
    "free_shipping": ("shipping is free",),
    "free_shipping=no": ("shipping is not free",),
    "return_days": ("you can return it within {value}",),
    "return_days=0": ("it cannot be returned",),
    "freight_insurance": ("freight insurance is included",),
    "freight_insurance=no": ("there is no freight insurance",),
    "warranty": ("the warranty is {value} months",),
    "warranty=0": ("there is no warranty",),
    "attr:": ("the {name} {be} {value}", "its {name} {be} {value}"),
    "size:=none": ("the size chart has no size for these numbers",),
    "size:": ("size {value} is yours", "take size {value}"),
    "status": ("your order is {value}",),
    "is_ai": ("I am an AI host",),
}
"""The same as a clause that goes on about an item just named."""

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

UNEQUIPPED: tuple[str, ...] = (
    "I can't tell the {topics} here, please check the item page",
    "I can't look up the {topics} in this room, please see the item page",
    "sorry, I have no way to look up the {topics} here; please check the item page",
    "sorry, the {topics} is not something I can look up here; please see the item page",
)
"""This harness shows no tool for it."""
