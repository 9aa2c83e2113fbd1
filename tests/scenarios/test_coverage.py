"""No article and no house rule without a scenario in which it does its work, and one in which something is refused."""

from collections.abc import Callable, Iterable
from typing import Final, Literal, get_args, get_origin, get_type_hints

from schemas.house_rules import HouseRules
from services.floor.scenario.file_format import Scenario, read_scenario
from tests.scenarios.files import FILES

SCENARIOS: Final = [read_scenario(file) for file in FILES]
ARTICLES: Final = [str(number) for number in range(1, 20)]
HINTS: Final = get_type_hints(HouseRules)
OPTIONS: Final = list(HouseRules.__struct_fields__)
# What can be chosen by name, each with a scenario whose table is opened with it. `macau` chooses the first of some.
CHOICES: Final = {
    (field, choice)
    for field in OPTIONS
    if get_origin(HINTS[field]) is Literal and field != "regulation"
    for choice in get_args(HINTS[field])
}
SHIPPED: Final = {
    "macau": {
        ("dealing", "shoe"),
        ("burn", "first_card"),
        ("cut_card_first_counts", "round"),
        ("tie_stakes", "carry"),
        ("differential_policy", "at_close"),
        ("commission_rounding", "exact_or_reject"),
        ("surplus_card", "burn"),
    },
    "macau-continuous-shuffler": {("dealing", "continuous_shuffler")},
    "six-deck-online": {("dealing", "shuffle_every_round")},
}
REFUSALS: Final = ("request.refused", "bet.rejected", "misdeal.detected")


def refuses(scenario: Scenario) -> bool:
    """Whether the scenario expects something not to be done."""
    facts = [fact for step in scenario.steps for fact in step.expect]
    return bool(scenario.refused) or any(fact.type in REFUSALS or fact.stream == "rejects" for fact in facts)


def does(scenario: Scenario) -> bool:
    """Whether the scenario expects something to be done."""
    facts = [fact for step in scenario.steps for fact in step.expect]
    return any(fact.type not in REFUSALS and fact.stream != "rejects" for fact in facts)


def lacking(names: Iterable[str], named: Callable[[Scenario], Iterable[str]]) -> list[str]:
    """What has no scenario that does it, none that refuses it, or fewer than two."""
    found = []
    for name in names:
        about = [scenario for scenario in SCENARIOS if name in named(scenario)]
        if len(about) < 2:
            found.append(f"{name}: {len(about)} scenarios")
        if not any(does(scenario) for scenario in about):
            found.append(f"{name}: none that does it")
        if not any(refuses(scenario) for scenario in about):
            found.append(f"{name}: none that is refused")
    return found


def test_every_article_is_shown_right_and_refused() -> None:
    assert lacking(ARTICLES, lambda scenario: scenario.articles) == []


def test_every_option_is_shown_right_and_refused() -> None:
    assert lacking(OPTIONS, lambda scenario: scenario.options) == []


def test_every_choice_is_made_by_a_scenario() -> None:
    made: set[tuple[str, str]] = set()
    for scenario in SCENARIOS:
        if not scenario.refused:
            changed = {
                (field, value) for field, value in (scenario.house_rules or {}).items() if isinstance(value, str)
            }
            shipped = {
                (field, value) for field, value in SHIPPED.get(scenario.house, set()) if field in scenario.options
            }
            made |= changed | shipped
    assert sorted(CHOICES - made) == []


def test_scenarios_name_only_articles_and_options_that_there_are() -> None:
    unknown = [
        f"{scenario.path.stem}: {name}"
        for scenario in SCENARIOS
        for name in (*scenario.articles, *scenario.options)
        if name not in (*ARTICLES, *OPTIONS)
    ]
    assert unknown == []


def test_no_two_scenarios_have_one_title() -> None:
    titles = [scenario.title for scenario in SCENARIOS]
    assert len(set(titles)) == len(titles)
