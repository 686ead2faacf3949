"""The words of time in English."""

from __future__ import annotations

from cognis_memory.domain.dates.details import Clock, PartOfDay, SeasonName
from cognis_memory.domain.dates.spans import CalendarUnitName
from cognis_memory.domain.dates.terms import AmountUnit


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday mon",
            "tuesday tue tues",
            "wednesday wed weds",
            "thursday thu thur thurs",
            "friday fri",
            "saturday sat",
            "sunday sun",
        )
    )
    for name in names.split()
}
PLURAL_WEEKDAYS = {name + "s": number for name, number in WEEKDAYS.items() if name.endswith("day")}

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
        1,
    )
    for name in names.split()
}
# Short forms and words with another life: only beside a number or after a word of time.
AMBIGUOUS_WEEKDAYS = frozenset({"mon", "wed", "sat", "sun"})
AMBIGUOUS_MONTHS = word_set("march april june august sept") | {name for name in MONTHS if len(name) == 3}
# Written with a full stop as a rule.
ABBREVIATED_MONTHS = frozenset(name for name in MONTHS if len(name) < 5) - {"may", "june", "july"}
NAME_MONTHS = frozenset({"april", "may", "june", "august", "jan"})
VERB_MONTHS = frozenset({"may", "march", "mar"})
VERB_SEASONS = frozenset({"fall", "spring"})

SEASONS: dict[str, SeasonName] = {
    "spring": "spring",
    "springtime": "spring",
    "summer": "summer",
    "summertime": "summer",
    "autumn": "autumn",
    "fall": "autumn",
    "winter": "winter",
    "wintertime": "winter",
}
PLURAL_SEASONS: dict[str, SeasonName] = {
    "springs": "spring", "summers": "summer", "autumns": "autumn", "falls": "autumn", "winters": "winter",
}  # fmt: skip

UNITS: dict[str, CalendarUnitName] = {
    "day": "day",
    "week": "week",
    "wk": "week",
    "weekend": "weekend",
    "month": "month",
    "quarter": "quarter",
    "qtr": "quarter",
    "year": "year",
    "yr": "year",
    "decade": "decade",
}
PLURAL_UNITS: dict[str, CalendarUnitName] = {name + "s": unit for name, unit in UNITS.items()}

# word: (unit, how many of it)
AMOUNT_UNITS: dict[str, tuple[AmountUnit, int]] = {
    "minute": ("minute", 1),
    "min": ("minute", 1),
    "hour": ("hour", 1),
    "hr": ("hour", 1),
    "day": ("day", 1),
    "night": ("day", 1),
    "week": ("week", 1),
    "wk": ("week", 1),
    "fortnight": ("week", 2),
    "month": ("month", 1),
    "mo": ("month", 1),
    "quarter": ("quarter", 1),
    "year": ("year", 1),
    "yr": ("year", 1),
    "decade": ("decade", 1),
    "century": ("decade", 10),
}
PLURAL_AMOUNT_UNITS = {name + "s": unit for name, unit in AMOUNT_UNITS.items()}
PLURAL_AMOUNT_UNITS["centuries"] = AMOUNT_UNITS["century"]

NIGHT = PartOfDay(18, 24)
PARTS_OF_DAY = {
    "morning": PartOfDay(6, 12),
    "lunch": PartOfDay(12, 14),
    "lunchtime": PartOfDay(12, 14),
    "afternoon": PartOfDay(12, 18),
    "evening": PartOfDay(18, 24),
    "night": NIGHT,
}
NAMED_CLOCKS = {"noon": Clock(12), "midday": Clock(12), "midnight": Clock(0, bare=True)}

MODIFIERS = {
    "last": -1,
    "past": -1,
    "previous": -1,
    "preceding": -1,
    "this": 0,
    "current": 0,
    "next": 1,
    "coming": 1,
    "upcoming": 1,
    "following": 1,
}
# Counted from what the text named before, if it did.
COUNTED_FROM_MENTION = frozenset({"previous", "preceding", "following"})
NEAREST_AHEAD = frozenset({"coming", "upcoming", "following"})

EARLY, MIDDLE, LATE = 1, 2, 3
ADJECTIVE_THIRDS = {"early": EARLY, "mid": MIDDLE, "late": LATE}
NOUN_THIRDS = {"beginning": EARLY, "start": EARLY, "middle": MIDDLE, "end": LATE, "close": LATE}

HOLIDAYS: dict[tuple[str, ...], str] = {
    ("new", "year", "eve"): "new_year_eve",
    ("new", "year", "day"): "new_year",
    ("new", "year"): "new_year",
    ("new", "years"): "new_year",
    ("epiphany",): "epiphany",
    ("martin", "luther", "king", "day"): "martin_luther_king",
    ("mlk", "day"): "martin_luther_king",
    ("groundhog", "day"): "groundhog",
    ("valentine", "day"): "valentine",
    ("valentines", "day"): "valentine",
    ("valentine",): "valentine",
    ("valentines",): "valentine",
    ("presidents", "day"): "presidents",
    ("st", "patrick", "day"): "st_patrick",
    ("saint", "patrick", "day"): "st_patrick",
    ("april", "fools", "day"): "april_fools",
    ("april", "fool", "day"): "april_fools",
    ("april", "fools"): "april_fools",
    ("ash", "wednesday"): "ash_wednesday",
    ("palm", "sunday"): "palm_sunday",
    ("good", "friday"): "good_friday",
    ("easter", "monday"): "easter_monday",
    ("easter", "sunday"): "easter",
    ("easter",): "easter",
    ("pentecost",): "pentecost",
    ("earth", "day"): "earth_day",
    ("may", "day"): "labour_may",
    ("mother", "day"): "mothers_day",
    ("mothers", "day"): "mothers_day",
    ("memorial", "day"): "memorial_day",
    ("juneteenth",): "juneteenth",
    ("father", "day"): "fathers_day",
    ("fathers", "day"): "fathers_day",
    ("independence", "day"): "independence_day",
    ("labor", "day"): "labor_day",
    ("labour", "day"): "labor_day",
    ("columbus", "day"): "columbus_day",
    ("halloween",): "halloween",
    ("all", "saints", "day"): "all_saints",
    ("veterans", "day"): "veterans_day",
    ("thanksgiving", "day"): "thanksgiving",
    ("thanksgiving",): "thanksgiving",
    ("black", "friday"): "black_friday",
    ("cyber", "monday"): "cyber_monday",
    ("christmas", "eve"): "christmas_eve",
    ("xmas", "eve"): "christmas_eve",
    ("christmas", "day"): "christmas",
    ("xmas", "day"): "christmas",
    ("christmas",): "christmas",
    ("xmas",): "christmas",
    ("boxing", "day"): "boxing_day",
    ("golden", "week"): "golden_week",
    ("obon",): "obon",
}
LONGEST_HOLIDAY_NAME = max(map(len, HOLIDAYS))
HOLIDAY_STARTS = frozenset(name[0] for name in HOLIDAYS)

# Words before a date that show that a date is meant.
PREPOSITIONS = word_set(
    """on in at by since until till til from before after to through thru between during over for of around
    circa past throughout"""
)
# Words that may follow a date where a noun would make it something else ("on the 15th floor").
FUNCTION_WORDS = word_set(
    """of at in on to and or but for with from by until till after before when while because so if as since
    we i you he she it they my our your his her their the this that there is was are were will would
    then though during around about next last i'll i'm i've we're we'll we've it'll he'll she'll"""
)
# Nouns and verbs before "for" that show that a date follows, and no person.
PLANNING = word_set(
    """book plan plans planned planning schedule scheduled calendar booked booking reserved reservation set
    due ready free open date dates weather forecast budget goal goals numbers sales anything something
    nothing on up"""
)
# What a number before it counts, besides plural units of time.
MEASURES = word_set(
    """miles mile km kilometers kilometres meters metres m laps people times percent dollars euros pounds
    degrees am pm o'clock minute hour week month year"""
)
RECURRENCE = frozenset({"every", "each", "most", "alternate", "any"})
RANGE_SIGNS = frozenset({"-", "–", "—", "~", "/"})
RANGE_WORDS = frozenset({"to", "until", "till", "til", "through", "thru"})
