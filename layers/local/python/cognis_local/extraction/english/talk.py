"""Clauses of "I" and "we" that belong to the conversation: opinions on it, wishes, reactions to it."""

from __future__ import annotations

from typing import Final

from cognis_local.extraction.english import words
from cognis_local.extraction.patterns import any_of, ignoring_case, word_set, words_of

_SPEAKER: Final = r"^(?:i|we)(?:'m|'ve|'re)?(?:\s+|(?='(?:ll|d)\b))" + (
    r"(?:(?:\w+ly|just|also|really|do|am|are|still|so|very|always|too)\s+)*"
)
_DEICTIC: Final = any_of("that|this|it|these|those|them")
_YOURS: Final = any_of("you|your")
_WISHES: Final = any_of("need|want|would like|would love|'d like|'d love|ask|expect")

_OPINIONS: Final = any_of(
    words_of(
        word_set(
            "think guess suppose reckon assume bet see agree mean wish wonder doubt understand hear heard"
            " imagine promise swear appreciate apologize apologise admit insist repeat disagree concur"
            " figured"
        )
    )
    + r"\b",
    r"(?:hope|hoping)\b(?! to\b)",
    r"(?:(?:was|were|been) )?(?:(?:only|just|merely) )?(?:wondering|asking|kidding|joking|lying"
    r"|talking about)\b",
    r"know\b(?= "
    + words_of(word_set("that what how why who where when it you right this i we he she they exactly about"))
    + r"\b)",
    r"know(?: the feeling\b|[,.!]|$)",
    r"believe (?:the|this|that|it|you|we|there|they|he|she|in you)\b",
    r"(?:was|were) (?:wrong|mistaken|joking|kidding)(?=$|[,.!:;]| (?:about|there|before)\b)",
    r"(?:said|told you|mentioned|asked you|asked (?:about|for|if|whether)|meant|was saying|was just)\b",
    r"never thought of\b|lied(?=$|[,.!:;]| (?:about|when|to you)\b)",
    r"(?:wasn't|was not|weren't) (?:going to |gonna )?(?:ask|say|complain|tell|talk|judg|argu)\w*",
    r"(?:hadn't|haven't|didn't) (?:considered?|thought|noticed?|reali[sz]ed?)\b",
)
"""I think so; I was wondering; I know what you mean."""

_DENIALS: Final = (
    r"(?:don't|do not|can't|cannot|couldn't|didn't|won't|wouldn't) (?:really |even )?"
    + words_of(
        word_set(
            "know think mean care remember see understand believe wait help tell thank imagine agree mind"
            " worry say blame"
        )
    )
    + r"\b(?! how to\b)(?! to (?:start|begin|move|go|visit|try|meet my|become|finish|show my|travel)\b)"
    + r"|(?:don't|didn't) (?:get (?:it|that|what)|recall|figure|decide|follow)\b"
)
"""I don't know; I can't wait. But: I don't know how to swim; I can't wait to move to Rome."""

_REQUESTS: Final = any_of(
    any_of(_WISHES, "like|love") + r" (?:you|your|this|that|it|them|one|these|those)\b",
    _WISHES + r" (?:help|some (?:help|advice|info|information|ideas)|more\b|advice|a hand)",
    r"(?:need|want|would like|would love|love|like|'d like|'d love|tried|trying|going|hope) to "
    + any_of(
        "know|ask|hear|say|thank|clarify|point out|book|cancel|return|order|change my|report|confirm",
        r"see (?:it|that|you|your|them|the (?:list|options))|tell you|check (?:it|that|whether|if)",
        r"understand (?:how|what|why)|talk (?:to|with) (?:you|someone|an? (?:agent|human))",
    )
    + r"\b",
    any_of(_WISHES, "looking for")
    + r" (?:an? |some |the |another |to find an? )?(?:[\w-]+ ){0,2}?"
    + any_of(
        "recipes?|hotels?|restaurants?|lists?|plan|summary|ideas?|advice|recommendations?"
        "|suggestions?|template|script",
        "function|code|title|answer|explanation|examples?|translation|refund|receipt|invoice|copy"
        "|table|reservation",
        "tips|information|gifts?|places?",
    )
    + r"\b",
    r"(?:prefer|choose|pick|chose|take) (?:option|version|number|the (?:first|second|third"
    r"|last|other|\w+ one))\b",
)
"""I'd like a summary; I want to know; I prefer option B."""

_TELLS: Final = any_of("tell|say|share|ask|show|announce|discuss|report|confess|make|talk about|mention")
_NEWS: Final = r"(?:have|had|got|have got)(?: just)? (?:(?:an?|some|no|the) )?(?:[\w-]+ ){0,3}?" + any_of(
    r"(?:news|updates?|announcements?|confession|surprise|story|secret)"
    rf"(?=$|[,.!:;–—-]| for (?:you|everyone|y'all)\b| to {_TELLS}\b)",
    rf"(?:favou?rs?|something|things?|a lot|so much|one thing) (?:[\w-]+ )?to {_TELLS}\b",
)
"""I have some news; I've got something important to tell you."""

_CONVERSING: Final = any_of(
    r"have (?:a|an|one|another|some|two|no)(?: (?:quick|more|small|few|other|follow-up))? "
    + any_of("questions?|ideas?|request|clue|doubt|complaint", r"(?:problem|issue) with (?:your|the|this)")
    + r"\b",
    r"(?:have|need) to (?:go|run|leave|get going|sleep|admit|say|agree|ask)(?: now| "
    r"soon)?(?:\b(?= (?:that|i)\b)|$)",
    r"(?:off|going) to (?:bed|sleep)\b",
    r"feel (?:you|that|ya|the same|your)\b|get (?:it|that|you|what you)\b|got (?:it|you|this|that)\b",
    r"(?:have |had )?(?:seen|heard|read|watched|tried|thought of) " + _DEICTIC + r"\b",
    r"(?:an? )?(?:\w+ ){0,2}fan of (?:it|that|this|them|those|these)(?=$|[,.!]| (?:and|so|because)\b)",
    r"(?:(?:don't|do not|didn't|did not) (?:really )?)?"
    r"(?:love|like|enjoy|adore|hate|dislike|loved|liked|enjoyed|hated|prefer|remember) "
    + any_of(
        r"that|this|it|these|those|them|your|how|what|hearing|seeing (?:your|you|that)",
        r"the (?:way|idea|sound|fact|tone|first|second|third|last|one|photo|picture|colors|colours)",
    )
    + r"\b",
)
"""I have a question; I love that idea; I've seen it too."""

_TROUBLE: Final = any_of(
    r"(?:getting|get|got|seeing|see|having|have|keep getting) (?:an? |the |this |some )?(?:[\w-]+ )?"
    r"(?:\w*error|exception|warning|traceback|error message)\b",
    r"(?:can't|cannot|couldn't|unable to|trying to|tried to|struggling to) "
    + any_of(
        "find the|open|log in|access|load|install|connect|figure|understand|fix|debug|solve"
        "|compile|download|reset"
    )
    + r"\b",
)
"""I get an ImportError; I can't log in: passing troubles that an assistant is asked about."""

_MOMENTS: Final = (
    any_of(
        r"(?:fine|good|ok|okay|great|alright|sure|not sure|unsure|curious|confused|kidding|afraid"
        r"|sorry|glad|certain)(?! with (?:" + words_of(words.ALLERGENS) + r")\b)",
        r"(?:well|back|here|done|ready|lost|in|off)(?=$|[,.!]| now\b| again\b)",
        r"happy (?:for|to (?:hear|help|see|know|answer|assist))|(?:thankful|grateful) for " + _YOURS,
        r"proud of you|with you|all ears|listening|impressed|amazed|here for you|rooting for you"
        r"|jealous|envious|crossing my fingers|keeping my fingers crossed",
        r"inspired by you|looking forward to (?:it|that|hearing|seeing you|your|talking|chatting)",
        r"interested in (?:your|this|that|the)|not (?:really|kidding|able to|asking|sure|certain)",
        r"excited (?:for you|to (?:see|hear) (?:you|your|how|what|about))",
    )
    + r"\b(?! (?:and|at|with) (?:my|our)\b)(?! at \w+ing\b)(?! at (?!all\b|once\b|least\b)\w+)"
)
"""I'm fine, thanks; I'm not sure. But: I'm good at chess."""

_INTENTIONS: Final = (
    r"(?:will|'ll|should|could|would|might|may|must|can|shall|going to)\b"
    r"(?= (?:\w+ly |just |also |be |have |always |never )?"
    + any_of(
        r"let (?:you|me|us)|see|check|get back|think about|try (?:it|that)|do (?:it|that|so)",
        r"keep (?:that|you|it|in|going|at|pushing|trying|up|working|fighting|on)|take (?:it|that|a look)",
        r"be (?:here|there|fine|back|right back|in touch|sure|happy)|look (?:into|at|forward)|go "
        r"with|pass|stick|talk",
        r"catch|wait|say|need|have (?:to|the)|use (?:that|it)|(?:give|send) (?:it|that|you)|show"
        r"|share|tell|help",
        r"make sure|remember|definitely|ask|suggest|recommend|agree|imagine|only|love to (?:hear"
        r"|see|know|help)",
    )
    + r"\b)"
)
"""I'll check and get back to you; we'll see."""

_TALK: Final = ignoring_case(
    _SPEAKER,
    any_of(_OPINIONS, _DENIALS, _REQUESTS, _NEWS, _CONVERSING, _TROUBLE, _MOMENTS, _INTENTIONS),
)
_TENTATIVE: Final = ignoring_case(
    _SPEAKER,
    r"(?:would(?:n't)?|could(?:n't)?|should(?:n't)?|might|may|'d)[\s,]+",
    r"(?!(?:love|like|prefer|rather|really love|really like)\b)(?!(?:be |have )?(?:ever|never)\b)",
)
_PERFECT: Final = ignoring_case(r"^(?:i|we)'d (?:been|had|gone|done|never|already|always|just)\b")
_GENERAL_WE: Final = ignoring_case(
    r"^we (?:can|could|should|must|have to|need to|gotta|got this|show|bond|all (?:have|need"
    r"|are|want|know|make|love))\b|^we\b.*\b(?:each other|one another)\b"
)
_IN_A_MOMENT: Final = ignoring_case(r"\bin a (?:minute|second|sec|moment|bit|jiffy|few minutes)\b")
_POINTS_BACK: Final = ignoring_case(
    r"^(?:i|we)(?:'\w+)?\s+(?:[\w']+\s+){0,4}?",
    r"(?:do|doing|did|keep|make|get|have|take|try|handle|keeping|making|loved?|pass) (?:it"
    r"|that|this|them|so)",
    r"(?: (?:up|all|again|one day|soon|too))?$",
    r"|^(?:i|we)(?:'m|'re| am| are)? (?:doing (?:my|our) best|up for|all (?:set|for)|here to|in for)\b",
    r"|\bthe \w+ one$|^(?:i|we)(?:'ve| have)? changed (?:my|our) minds?\b",
)


def is_talk(clause: str) -> bool:
    """Whether a clause of the speaker is about the conversation itself, or only considers something."""
    if (
        _TALK.match(clause)
        or _GENERAL_WE.match(clause)
        or _IN_A_MOMENT.search(clause)
        or _POINTS_BACK.search(clause)
    ):
        return True
    return bool(_TENTATIVE.match(clause)) and not _PERFECT.match(clause)
