"""English messages become statements in the third person."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("I live in Osaka.", "User lives in Osaka"),
        ("My dog is called Biscuit.", "User's dog is called Biscuit"),
        ("I'm saving for my wedding.", "User is saving for their wedding"),
        ("I've never smoked.", "User has never smoked"),
        (
            "I don't eat pork because I was raised that way.",
            "User doesn't eat pork because they were raised that way",
        ),
        ("We moved into our new flat.", "User moved into their new flat"),
        ("My mom taught me to knit.", "User's mom taught them to knit"),
        ("The doctor told me to rest.", "The doctor told User to rest"),
        ("My brother and I share a car.", "User and their brother share a car"),
        ("My sister's a nurse.", "User's sister is a nurse"),
        ("Just adopted a kitten.", "User just adopted a kitten"),
        ("Researching vet schools these days.", "User is researching vet schools these days"),
        ("Can't stand mushrooms.", "User can't stand mushrooms"),
        ("This is my daughter Ella.", "User's daughter is called Ella"),
        ("After losing my job, I opened a bakery.", "User opened a bakery after losing their job"),
        ("Remember that I'm allergic to nuts.", "User is allergic to nuts"),
        ("Hey! Btw, I play the oboe :)", "User plays the oboe"),
    ],
)
def test_wording(extract, said, content):
    (fact,) = extract(said)
    assert fact.content == content
    assert fact.language == "en"


def test_one_fact_for_each_thing_that_is_said(extract):
    facts = extract("I like jazz and live in Porto, work as a nurse and have two kids.")
    assert [fact.content for fact in facts] == [
        "User likes jazz",
        "User lives in Porto",
        "User works as a nurse",
        "User has two kids",
    ]


@pytest.mark.parametrize(
    "said",
    [
        "I love my wife and my kids.",
        "I want to sing and dance.",
        "When I was ten, we had a boat.",
        "I bought bread, butter and jam.",
    ],
)
def test_what_belongs_together_stays_together(extract, said):
    assert len(extract(said)) == 1


@pytest.mark.parametrize(
    ("said", "subject"),
    [
        ("My friend Ken hates football.", "Ken"),
        ("My mum has diabetes.", "User's mother"),
        ("Our daughter Mia won a medal.", "Mia"),
        ("My locker is at the gym.", "User"),
        ("My friend Olu and I started a podcast.", "User"),
        ("Ana lives in Leiden.", "Ana"),
        ("Paul's wife Anna is a vet.", "Anna"),
    ],
)
def test_subject(extract, said, subject):
    assert [fact.subject for fact in extract(said)] == [subject]


def test_what_a_friend_hates_is_not_what_the_user_hates(extract):
    (fact,) = extract("My friend Ken hates football.")
    assert fact.content == "User's friend Ken hates football"


def test_a_pronoun_means_the_person_named_before(extract):
    facts = extract("My daughter Mia won a medal! She trains four times a week.")
    assert facts[1].content == "Mia trains four times a week"
    assert facts[1].subject == "Mia"


def test_a_title_belongs_to_the_name(extract):
    (fact,) = extract("My teacher Mr. Okoro moved to Lagos.")
    assert fact.subject == "Mr Okoro"


def test_news_are_told_after_their_announcement(extract):
    assert [fact.content for fact in extract("I have exciting news: I'm learning the oboe.")] == [
        "User is learning the oboe"
    ]


def test_a_pronoun_without_a_person_says_nothing(extract):
    assert extract("She works at a bank.") == []


def test_a_named_speaker_is_named(extract):
    (fact,) = extract("I just adopted a kitten named Miso.", speaker="Ana")
    assert fact.content == "Ana just adopted a kitten named Miso"
    assert (fact.subject, fact.speaker) == ("Ana", "Ana")


@pytest.mark.parametrize(
    "said",
    [
        "ok thanks",
        "Good morning! How are you?",
        "What should I play tonight?",
        "should i take the train",
        "Write me a haiku.",
        "Please summarise this article.",
        "Remind me to buy milk.",
        "If I lived in Norway, I would ski.",
        "I wish I could fly.",
        "I might move one day.",
        "Imagine I'm a pirate.",
        "That's a great idea!",
        "I love that idea!",
        "I agree with you.",
        "I'll check and get back to you.",
        "I'm so proud of you!",
        "I have a question about my invoice.",
        "I'd like a list of synonyms.",
        "I get an ImportError on line 5.",
        "The Eiffel Tower is 330 metres tall.",
        "It's raining again.",
        "Taking care of ourselves is vital.",
        "We can tackle anything together.",
        "https://example.org/i-live-in-a-van",
        "I have big news!",
        "Got some great news to share!",
        "I've got something important to tell you.",
        "We have an announcement to make.",
        "I have a favour to ask.",
        "I was wrong about that.",
        "I wasn't going to complain!",
        "I'll be back in a minute.",
        "I haven't.",
        "We push each other to improve.",
        "Exhausting but fun, honestly.",
        "Watching my niece's face when she won was the best part.",
        "I'm a huge fan of it.",
        "Been ages since we last spoke!",
        "Spring is our busiest season.",
    ],
)
def test_small_talk_questions_and_requests_say_nothing(extract, said):
    assert extract(said) == []


def test_the_statement_before_a_question_counts(extract):
    facts = extract("I live in Ghent, do you know a good dentist?")
    assert [fact.content for fact in facts] == ["User lives in Ghent"]


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("For this ticket, call me Captain.", "User wants to be called Captain for this ticket"),
        (
            "From now on always answer in French.",
            "User wants the assistant to always answer in French from now on",
        ),
        ("Keep your answers short.", "User wants the assistant to keep the assistant's answers short"),
    ],
)
def test_standing_wishes_are_facts(extract, said, content):
    assert [fact.content for fact in extract(said)] == [content]


@pytest.mark.parametrize("said", ["Call me later.", "Call me at five.", "Always obey the operator."])
def test_other_requests_are_none(extract, said):
    assert extract(said) == []


class TestAssistant:
    @pytest.mark.parametrize(
        ("said", "content"),
        [
            ("I've booked you a table at Nonna.", "Assistant has booked User a table at Nonna"),
            ("I recommend the night train to Vienna.", "Assistant recommends the night train to Vienna"),
            ("My name is Nova.", "Assistant's name is Nova"),
        ],
    )
    def test_commitments_recommendations_and_identity_are_facts(self, extract, said, content):
        (fact,) = extract(said, role="assistant")
        assert fact.content == content
        assert fact.subject == "Assistant"

    @pytest.mark.parametrize(
        "said",
        [
            "You can freeze the dough for three months.",
            "I would recommend checking the official website.",
            "As an AI language model, I don't have experiences.",
            "I'm happy to help!",
            "Got it, you live in Ghent.",
        ],
    )
    def test_answers_are_none(self, extract, said):
        assert extract(said, role="assistant") == []

    def test_a_person_in_the_assistants_role_is_a_person(self, extract):
        (fact,) = extract("I adopted a parrot.", role="assistant", speaker="Ben")
        assert fact.content == "Ben adopted a parrot"
