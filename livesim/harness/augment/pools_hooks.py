"""Feedback of the checks in other words: what is wrong by check, and the frames around it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from livesim.harness.augment.grammar import Pool

HOOK_FRAMES = Pool(
    train=(
        "[Not sent|Blocked|Held back|Rejected|Not spoken|Stopped|Refused|Sent back]: {}",
        "[Please|Kindly|Now] [fix this|try again|correct it|redo it]: {}",
        "[Check|Problem|Error|Notice|Warning]: {}",
        "{} [Try again.|Please correct it.|Write it again.|Once more, please.]",
        "{}",
    ),
    heldout=(
        "[Declined|Withheld|Bounced|Intercepted]: {}",
        "[A revision is due|Amend the message|Rework needed] ({})",
        "[Gatekeeper|Moderation desk|Filter] says: {}",
    ),
)
"""``{}`` is what is wrong."""

HOOK_MESSAGES: Mapping[str, Pool] = MappingProxyType(
    {
        "input_validity": Pool(
            train=(
                "[this can't be read|the turn can't be read|the message is not readable|unreadable turn]; {problem}.",
                "[could not parse the turn|cannot read that|reading failed]; {problem}.",
            ),
            heldout=("[illegible input|the text makes no sense to the parser]; {problem}.",),
        ),
        "tool_arguments": Pool(
            train=("{problem}", "[bad call|wrong call|call failed|the call is wrong]; {problem}"),
            heldout=("[invocation faulty|the request to the tool is off]; {problem}",),
        ),
        "retry_control": Pool(
            train=(
                "{tool} was [called|used|tried] {times} times [like this|this way|already]; "
                "[go on without it|use what you know|say that you can't check it now].",
                "[no more|stop calling|enough of] {tool}, it ran {times} times; "
                "[answer without it|say you can't check].",
            ),
            heldout=(
                "{times} identical invocations of {tool} [are plenty|suffice]; "
                "[proceed with what is at hand|admit that it is unavailable].",
            ),
        ),
        "skill_required": Pool(
            train=(
                '[load|open|read] a skill [first|before replying], with "{loader}" and '
                "[a fitting|the right] {parameter}.",
                '[no skill was loaded yet|a skill is missing]; [call|use] "{loader}" with a '
                "{parameter} [first|that fits].",
            ),
            heldout=(
                '[prior to speaking|ahead of any answer], consult "{loader}" giving a suitable {parameter}.',
                'nothing has been consulted so far; "{loader}" plus a {parameter} opens it.',
            ),
        ),
        "reply_format": Pool(
            train=(
                "[plain words only|the reply is read aloud|say it in plain words], [it holds|it has|we found] {found}.",
                "[remove|take out|drop|leave out] {found}; the reply [is spoken|is read aloud|must be plain].",
            ),
            heldout=("{found} [cannot be voiced|is not pronounceable]; [ordinary sentences, please|use bare prose].",),
        ),
        "reply_length": Pool(
            train=(
                "{words} words, [at most|the limit is|no more than] {reply_words} [words|are allowed].",
                "[too long|the reply is too long], {words} words; [keep to|use at most|stay within] {reply_words}.",
                "[make it shorter|shorten it|cut it] to {reply_words} words, [it has|now it has] {words}.",
            ),
            heldout=(
                "[condense|trim] {words} words down to {reply_words} [or fewer|as a maximum].",
                "{words} words exceed the ceiling of {reply_words}.",
            ),
        ),
        "compliance": Pool(
            train=(
                '"{found}" [breaks|is against] the rule on {rule}; [say it without|leave it out|drop it].',
                '[leave out|drop|remove] "{found}", the rule on {rule} [forbids it|does not allow it].',
            ),
            heldout=('"{found}" [violates|offends against] the provision on {rule}; [omit it|phrase it differently].',),
        ),
        "factual_risk": Pool(
            train=(
                "[no tool gave|no tool said|nothing says|we found no source for] the number {found}; "
                "[look it up or leave it out|check it or drop it].",
                "the number {found} [comes from no tool|was not in any answer]; [look it up|leave it out].",
            ),
            heldout=("the figure {found} [lacks a source|is unsupported]; [verify or omit it|substantiate it].",),
        ),
        "reply_address": Pool(
            train=(
                '[call|address|greet] [the viewers|them|everybody] "{address}".',
                '[the word|please use the word|say the word] "{address}" [is missing|for the viewers|to the viewers].',
            ),
            heldout=('"{address}" is how the audience [ought to be hailed|wishes to be named].',),
        ),
    }
)
"""What is wrong, by check; the placeholders are those of the check."""
