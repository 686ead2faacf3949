"""What orders to the assistant or its memory say in English, from their verb on."""

from __future__ import annotations

import re
from functools import cache
from typing import Final


def _any(*alternatives: str) -> str:
    return f"(?:{'|'.join(alternatives)})"


_RULES: Final = (
    r"(?:instructions?|prompts?|directions?|directives?|guidelines?|rules?|guard ?rails?"
    r"|programming|restrictions?"
    r"|safeguards?|protocols?|polic(?:y|ies)|constraints?|training|filters?|commands?|orders|messages?|context"
    r"|conversations?|checks?|measures?|limits?)\b"
)
_EARLIER: Final = r"(?:previous|prior|earlier|preceding|above|initial|original|former|foregoing)"
_GIVEN: Final = (
    r"(?:all|any|every|your|existing|system|safety|security|content|hidden|internal"
    rf"|developer'?s?|moderation|{_EARLIER})"
)
_MORE: Final = (
    r"(?:of|the|these|those|each|both|my|our|current|old|other|past|default|strict|ethical|memory|usual)"
)
_DROP: Final = (
    r"(?:ignore|disregard|forget|override|overrule|bypass|circumvent|skip|drop|discard|abandon|dismiss|nullify|revoke|break|violate|cancel|reset"
    r"|erase|clear|(?:set|put|lay|leave) aside|throw away|(?:do not|don't|never"
    r"|stop) (?:follow(?:ing)?|obey(?:ing)?|comply(?:ing)? with|apply(?:ing)?))"
)
_BREAKS_RULES: Final = _any(
    rf"{_DROP}(?: about)?(?: {_MORE})* {_GIVEN}(?: (?:{_GIVEN}|{_MORE}))* {_RULES}",
    rf"{_DROP} (?:all|everything|anything|whatever|the (?:rules|instructions|prompt|guidelines|text|above))"
    r"(?: (?:that|which))?(?: (?:is|was|were|has|have|been|came|stands?|said|written|stated)){0,4}"
    r" (?:above|before this|you(?: were|'ve been| have been|'re| are) (?:given|told|taught"
    r"|instructed|programmed"
    r"|trained)|previously (?:said|told|stated|given|written)|up to (?:now|this point)|so far)\b",
    rf"(?:pretend|act as if|assume|imagine)(?: that)? (?:(?:all|the|your|my|any|these) )*{_EARLIER} {_RULES}",
    rf"(?:(?:all|any|the|your|my|of|these) )*(?:{_EARLIER} |your ){_RULES} (?:are|is|have been"
    r"|do not|don't|no longer)"
    r" (?:now )?(?:void|invalid|cancell?ed|revoked|obsolete|apply|appl(?:y|ies)|null|replaced"
    r"|superseded|suspended|lifted)\b",
    r"(?:whatever|everything|anything|what) you (?:were|have been|had been) (?:told|given|taught"
    r"|instructed)[^.!?\n]{0,30}?"
    r"(?:no longer|does not|doesn't|never) (?:appl(?:y|ies)|counts?|holds?|matters?)\b",
    r"the following (?:statement|text|message|rule|instruction)s? (?:overrides?|replaces?"
    r"|supersedes?|cancels?)\b",
)

_KEEP: Final = (
    r"(?:store|save|add|write|record|insert|inject|copy|commit|append|persist|put|push|log|enter|plant|update|remember|note"
    r"|register|mark|treat|consider|memori[sz]e|output)\b"
)
_MEMORY: Final = r"(?:memory|memories|knowledge(?: base)?)\b(?! (?:cards?|sticks?|foam|lane|box|book|loss))"
_COMMON_MEMORY: Final = (
    r"(?:the |your |our )?(?:shared|global|common|system|core|internal|every(?:one|body| user"
    r"| person| customer)'s"
    rf"|all users')(?: [\w-]{{1,20}})? {_MEMORY}"
)
_OF_THE_USER: Final = (
    r"(?:\b(?:the|this|current) user(?:'s)? (?:is|has|was|owns?|trusts?|likes?|loves?|prefers?"
    r"|wants?|lives?|works?"
    r"|approved|agreed|confirmed|authori[sz]ed|paid|role|profile|permissions?|rights|name|status|account|email)\b"
    r"|\buser(?:'s)? (?:is|has|role|status|email|name|trusts)\b|\ball users (?:love|like|prefer"
    r"|want|need|trust)\b)"
)
"""Nobody speaks of themselves as "the user": who does, speaks to the memory in its own terms."""

_AS_RULE: Final = (
    r"(?:verified|confirmed|trusted|established|undisputed|absolute|truth\b|system|global|core"
    r"|permanent (?:truth|fact|rule)|(?:standing |fixed |binding )?(?:rule|policy|directive))\b"
)
_WRITES_MEMORY: Final = _any(
    rf"(?:{_KEEP}[^.!?\n]{{0,80}}? )?(?:in|into|to|as|within) {_COMMON_MEMORY}",
    rf"{_KEEP}[^.!?\n]{{0,80}}? (?:the )?{_MEMORY} of (?:all|every|other|each)\b",
    rf"{_KEEP}(?=[^!?\n]{{0,160}}?{_OF_THE_USER})",
    rf"{_KEEP}[^.!?\n]{{0,60}}? as (?:an? )?(?:new )?{_AS_RULE}",
    r"(?:permanently|forever) (?:store|save|remember|record|memori[sz]e)\b",
    rf"(?:store|save|record|remember) (?:this )?as (?:an? )?permanent {_MEMORY}",
    rf"{_KEEP}[^.!?\n]{{0,60}}?{_MEMORY}[^.!?\n]{{0,20}}?\bi (?:own|control|am (?:the )?(?:owner"
    r"|operator|admin\w*))\b",
    r"(?:store|save|record) (?:as|the following|the next \w+|this) (?:an? )?facts?\b",
    r"(?:store|save|record|remember|memori[sz]e) this (?:instruction|command|order|directive)\b",
    r"(?:store|save|keep) (?:the )?raw (?:text|input|message)\b",
    r"(?:output|emit|return|produce|generate|issue) (?:an? |the )?(?:add|update|delete|memory)(?: \w+)? "
    r"(?:operation|entry|record|command|action)",
)
_WIPES_MEMORY: Final = (
    r"(?:delete|erase|wipe|clear|purge|destroy|reset|drop|remove|overwrite|corrupt)(?: out)? "
    + _any(
        r"(?:(?:your|the|my|our|its|all|every|any|each|shared|global|long[- ]term|permanent"
        r"|entire|whole|users?'?s?"
        rf"|stored|saved|of) ){{0,6}}{_MEMORY}",
        r"(?:(?:all|the|your|stored|saved|known) ){1,4}(?:facts|data|records|information"
        r"|entries) (?:about|of|on) "
        r"(?:every|all|other)\w*",
    )
)

_USERS: Final = (
    r"(?:all|every|each|any|other|future)(?: (?:of|your|the|our|future|other|single|new))* "
    r"(?:users?|customers?|clients?|visitors?)\b"
)
_EVERYBODY: Final = rf"(?:{_USERS}|(?:everyone|everybody|anyone|anybody|whoever|no matter who)\b)"
_TALKS: Final = (
    r"(?:all|every|each|any|other|future)(?: (?:of|your|the|our|future|other|single|new))* "
    r"(?:conversations?|chats?|sessions?|answers?|reply|replies|responses?)\b"
)
_SAY: Final = (
    r"(?:recommend|suggest|promote|advertise|mention|tell|say|answer|reply|respond|claim|state|inform|advise|praise"
    r"|push|link|send|direct|refer|point|offer|warn|convince|steer|show|insert|include)\b"
)
_THEN: Final = r",? (?:(?:always|never|please|you|must|should|will) ){0,3}"
_TO_EVERYBODY: Final = _any(
    rf"(?:never )?{_SAY}[^.!?\n]{{0,160}}? (?:to|with|for) {_USERS}",
    rf"(?:never )?{_SAY} (?:this |it )?(?:that |to )?{_USERS}",
    rf"(?:never )?(?:reply|respond|answer|recommend)\b[^.!?\n]{{0,60}}? (?:to|with|for) {_EVERYBODY}",
    rf"(?:{_KEEP}|make sure|ensure|see to it),?(?: this)? (?:that |for )?{_USERS}",
    rf"for {_USERS}[,:]",
    rf"{_TALKS}(?: (?:to|with) [\w ]{{1,30}}?)? (?:must|should|shall|will|have to)\b",
    rf"(?:in|for) {_TALKS}{_THEN}{_SAY}",
    rf"(?:never )?{_SAY}[^.!?\n]{{0,80}}? in {_TALKS}",
    r"(?:any|every|all|each) (?:questions?|requests?|queries) [^.!?\n]{0,60}?(?:must|should"
    r"|shall|has to|have to|will) be"
    r" (?:answered|replied|met|referred)\b",
    r"(?:everyone|everybody|anyone|anybody|whoever|people|users?|customers?|those)(?: (?:who|that))?"
    r" (?:talks?|asks?|speaks?|chats?|writes?|comes?)(?: (?:to|with))? you\b",
    r"(?:whenever|every time|each time|any time|if|when) (?:(?:somebody|someone|a user|users?|people)"
    rf" (?:asks?|wants?|needs?|mentions?)|{_EVERYBODY})[^.!?\n]{{0,80}}?{_THEN}{_SAY}",
    rf"{_DROP} [^.!?\n]{{0,20}}(?=\brules?\b)[^\n]{{0,120}}?\b(?:{_SAY}) (?:this|it|so) to {_EVERYBODY}",
)

_AUTHORITY: Final = _any(
    r"(?:grant|give|assign) (?:me|the user|this user) (?:full |all |unlimited |root |admin\w* )+"
    r"(?:access|rights|permissions?|privileges|control|credit)",
    r"(?:mark|treat|flag|register|save|remember|record|trust|recogni[sz]e|consider|store)"
    r" (?:me|the user|this user|that i am|that i'm|that the user is|myself) (?:as "
    r"|to be )?(?:an? |the |fully )?"
    r"(?:verified|trusted|authori[sz]ed|authenticated|root|super ?user|admin|administrator"
    r"|moderator|operator)\b"
    r"(?! (?:at|of|in|for|assistant|by|on|who|and|with)\b)",
    r"(?:approve|accept|grant|obey) (?:all|every|each|any)(?: of)? (?:my|future"
    r"|the) (?:requests?|payments?|transfers?"
    r"|orders?|commands?|transactions?)\b",
    r"(?:never|do not|don't|stop) ask(?:ing)?(?: me)? (?:again )?for (?:(?:a|any|my|the) )?"
    r"(?:confirmation|permission|authori[sz]ation|authentication|verification|approval|consent)\b",
    r"(?:disable|deactivate|turn off|switch off|remove|lift) (?:(?:all|any|your|the) )*"
    r"(?:safety|content|moderation|ethical|memory) (?:checks?|filters?|rules?|guidelines?"
    r"|restrictions?|limits?"
    r"|protocols?|measures?|polic(?:y|ies))\b",
)
_PERSONA: Final = _any(
    r"you are (?:now |from now on )(?:\w+ ){0,3}?(?:dan\b|jailbroken|unrestricted|unfiltered|uncensored"
    r"|free (?:of|from)|without|root|god|in [\w-]+ mode)",
    r"(?:enable|enter|activate|switch (?:to|into)|engage) (?:\w+ )?(?:developer|debug|god|admin"
    r"|root|sudo|jailbreak"
    r"|dan|maintenance|unrestricted|override) mode\b(?! (?:on|in|for|of) (?:my|the|a|an)\b)",
    r"(?:act|behave|respond|pretend|answer)\b[^.!?\n]{0,40}?\b(?:without (?:any )?|(?:has|have|had) no )"
    r"(?:rules|restrictions|limits|filters|guidelines)",
)
_SYSTEM: Final = (
    r"(?:(?:ai |agent )?memory (?:agent|system|module|extractor|manager|engine|store|layer|assistant|bot))"
)
_ADDRESSEE: Final = rf"(?:{_SYSTEM}|memory|ai|assistant|model|llm|language model|extractor|agent|bot|system)"
_CALLED_ORDERS: Final = _any(
    r"(?:new|updated|revised|secret|important|additional|override|critical|urgent)(?: system)?"
    rf" (?:instructions?|directives?|orders|prompt|task)(?: (?:to|for) (?:the |your )?{_ADDRESSEE})?[:.]",
    rf"(?:instructions?|note|message|order|command|memo) (?:to|for) (?:the |your )?{_ADDRESSEE}[:,]",
    rf"(?:the |you )?{_SYSTEM} ?[:,—–-]",
    rf"i (?:hereby )?(?:command|order|instruct|direct) (?:you,? )?(?:the )?{_ADDRESSEE}(?: to|,)",
    r"as (?:an? |the )?(?:ai|memory|assistant|language model|llm)(?: \w+)?, you (?:have to|must"
    r"|should|are|need to)\b",
    r"you have (?:been given )?(?:an? )?(?:new|different|secret) (?:role|task|purpose|mission"
    r"|identity|instructions?)\b",
    r"your (?:real|true|actual|new|only|sole|updated) (?:instructions?|task|goal|purpose|role"
    r"|directive|orders) (?:is|are)\b",
)
_REVEALS: Final = (
    r"(?:reveal|print|output|show|repeat|display|leak|dump|expose|disclose|tell me|give me|list)(?: me)?"
    r"(?: (?:all|the|your|full|entire|complete|hidden|initial|original|verbatim|of|exact)){0,5} "
    r"(?:system prompt|prompt above|instructions above|(?:hidden|initial) (?:prompt|instructions)"
    r"|(?:other|another|all|every) users?'?(?:'s)? (?:memor\w+|data|messages|secrets|profiles?)"
    r"|memories of (?:other|all|every|another) users?)"
)

_ORDERS: Final = (
    _BREAKS_RULES,
    _WRITES_MEMORY,
    _WIPES_MEMORY,
    _TO_EVERYBODY,
    _AUTHORITY,
    _PERSONA,
    _CALLED_ORDERS,
    _REVEALS,
)


@cache
def order() -> re.Pattern[str]:
    """An order, to be matched where its verb stands. Compiled when it is first needed: a process that only
    searches never does."""
    return re.compile(_any(*_ORDERS), re.IGNORECASE)
