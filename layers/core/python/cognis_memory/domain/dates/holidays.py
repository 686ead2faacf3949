"""Days of the year that people call by a name: fixed ones, nth weekdays of a month, and moving ones."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from cognis_memory.domain.dates.spans import days_in_month, nth_weekday

Rule = Callable[[int], date]


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (the anonymous algorithm printed by Meeus, 1991)."""
    century, in_century = divmod(year, 100)
    golden = year % 19
    leap_centuries, left_centuries = divmod(century, 4)
    correction = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap_centuries - correction + 15) % 30
    leap_years, left_years = divmod(in_century, 4)
    weekday = (32 + 2 * left_centuries + 2 * leap_years - epact - left_years) % 7
    late = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def _fixed(month: int, day: int) -> Rule:
    return lambda year: date(year, month, day)


def _weekday(month: int, weekday: int, nth: int, days_later: int = 0) -> Rule:
    def rule(year: int) -> date:
        day = nth_weekday(date(year, month, 1), date(year, month, days_in_month(year, month)), weekday, nth)
        if day is None:
            raise ValueError(f"month {month} has no weekday number {nth}")
        return day + timedelta(days=days_later)

    return rule


def _around_easter(days: int) -> Rule:
    return lambda year: easter(year) + timedelta(days=days)


def _equinox(month: int, base: float) -> Rule:
    """Japan's equinox days, by the approximation that holds from 1980 to 2099."""
    return lambda year: date(year, month, int(base + 0.242194 * (year - 1980)) - (year - 1980) // 4)


MONDAY, THURSDAY, SUNDAY = 0, 3, 6

# name: (rule of the first day, length in days)
HOLIDAYS: dict[str, tuple[Rule, int]] = {
    "new_year": (_fixed(1, 1), 1),
    "new_year_eve": (_fixed(12, 31), 1),
    "epiphany": (_fixed(1, 6), 1),
    "martin_luther_king": (_weekday(1, MONDAY, 3), 1),
    "groundhog": (_fixed(2, 2), 1),
    "valentine": (_fixed(2, 14), 1),
    "presidents": (_weekday(2, MONDAY, 3), 1),
    "st_patrick": (_fixed(3, 17), 1),
    "april_fools": (_fixed(4, 1), 1),
    "ash_wednesday": (_around_easter(-46), 1),
    "palm_sunday": (_around_easter(-7), 1),
    "good_friday": (_around_easter(-2), 1),
    "easter": (easter, 1),
    "easter_monday": (_around_easter(1), 1),
    "pentecost": (_around_easter(49), 1),
    "earth_day": (_fixed(4, 22), 1),
    "labour_may": (_fixed(5, 1), 1),
    "mothers_day": (_weekday(5, SUNDAY, 2), 1),
    "memorial_day": (_weekday(5, MONDAY, -1), 1),
    "juneteenth": (_fixed(6, 19), 1),
    "fathers_day": (_weekday(6, SUNDAY, 3), 1),
    "independence_day": (_fixed(7, 4), 1),
    "labor_day": (_weekday(9, MONDAY, 1), 1),
    "columbus_day": (_weekday(10, MONDAY, 2), 1),
    "halloween": (_fixed(10, 31), 1),
    "all_saints": (_fixed(11, 1), 1),
    "veterans_day": (_fixed(11, 11), 1),
    "thanksgiving": (_weekday(11, THURSDAY, 4), 1),
    "black_friday": (_weekday(11, THURSDAY, 4, days_later=1), 1),
    "cyber_monday": (_weekday(11, THURSDAY, 4, days_later=4), 1),
    "christmas_eve": (_fixed(12, 24), 1),
    "christmas": (_fixed(12, 25), 1),
    "boxing_day": (_fixed(12, 26), 1),
    "first_three_days": (_fixed(1, 1), 3),
    "coming_of_age": (_weekday(1, MONDAY, 2), 1),
    "setsubun": (_fixed(2, 3), 1),
    "foundation_day": (_fixed(2, 11), 1),
    "emperor_birthday": (_fixed(2, 23), 1),
    "dolls_festival": (_fixed(3, 3), 1),
    "white_day": (_fixed(3, 14), 1),
    "spring_equinox": (_equinox(3, 20.8431), 1),
    "showa_day": (_fixed(4, 29), 1),
    "golden_week": (_fixed(4, 29), 7),
    "constitution_day": (_fixed(5, 3), 1),
    "greenery_day": (_fixed(5, 4), 1),
    "childrens_day": (_fixed(5, 5), 1),
    "tanabata": (_fixed(7, 7), 1),
    "marine_day": (_weekday(7, MONDAY, 3), 1),
    "mountain_day": (_fixed(8, 11), 1),
    "obon": (_fixed(8, 13), 4),
    "respect_for_the_aged": (_weekday(9, MONDAY, 3), 1),
    "autumn_equinox": (_equinox(9, 23.2488), 1),
    "sports_day": (_weekday(10, MONDAY, 2), 1),
    "culture_day": (_fixed(11, 3), 1),
    "shichigosan": (_fixed(11, 15), 1),
    "labor_thanksgiving": (_fixed(11, 23), 1),
    "year_turn": (_fixed(12, 29), 6),
}
