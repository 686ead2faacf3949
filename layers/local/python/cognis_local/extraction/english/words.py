"""Word lists of English, by meaning."""

from __future__ import annotations

from typing import Final

from cognis_local.extraction.patterns import word_set

SPEAKER_SUBJECTS: Final = word_set("i we")
POSSESSIVES: Final = word_set("my our")
FIRST_PERSON: Final = word_set("i me my mine myself we us our ours ourselves")
SECOND_PERSON: Final = word_set("you your yours yourself yourselves u ur ya y'all")
THIRD_PERSON: Final = word_set("he she they")
THIRD_POSSESSIVES: Final = word_set("his her their")
EMPTY_SUBJECTS: Final = word_set(
    "you it this that these those there someone somebody anyone anybody everyone everybody nobody people"
    " what who which where when why how here one something nothing everything lots much many y'all"
)

RELATIVES: Final = word_set(
    "mother mom mum mommy mama father dad daddy papa parents parent sister brother sibling siblings son"
    " daughter sons daughters child children kid kids baby twin twins toddler wife husband spouse partner"
    " girlfriend boyfriend fiance fiancee fiancé fiancée ex grandmother grandfather grandma grandpa granny"
    " nana grandparents grandson granddaughter grandchild grandchildren aunt auntie uncle cousin cousins"
    " niece nephew stepmother stepfather stepson stepdaughter stepsister stepbrother mother-in-law"
    " father-in-law sister-in-law brother-in-law in-laws family godmother godfather"
)
ACQUAINTANCES: Final = word_set(
    "friend friends buddy bestie mate roommate flatmate housemate neighbour neighbor neighbours neighbors"
    " colleague colleagues coworker co-worker coworkers boss manager supervisor landlord landlady teacher"
    " tutor professor coach mentor mentors doctor dentist therapist lawyer accountant nanny babysitter"
    " classmate teammate team client clients student students employee assistant trainer"
)
PEOPLE: Final = RELATIVES | ACQUAINTANCES
SAME_RELATION: Final = {
    "mom": "mother", "mum": "mother", "mommy": "mother", "mama": "mother", "dad": "father", "daddy": "father",
    "papa": "father", "kid": "child", "kids": "children", "grandma": "grandmother", "granny": "grandmother",
    "nana": "grandmother", "grandpa": "grandfather", "neighbor": "neighbour", "neighbors": "neighbours",
    "coworker": "colleague", "co-worker": "colleague", "coworkers": "colleagues", "buddy": "friend",
    "bestie": "friend", "mate": "friend", "auntie": "aunt", "fiancé": "fiance", "fiancee": "fiance",
    "fiancée": "fiance",
}  # fmt: skip
PETS: Final = word_set(
    "dog puppy pup cat kitten kitty parrot bird hamster rabbit bunny horse pony tortoise turtle goldfish"
    " fish snake lizard gecko ferret guinea pig rat mouse budgie canary chicken hen goat cow"
    " donkey retriever"
    " labrador poodle greyhound terrier beagle corgi shepherd pet"
)
VEHICLES: Final = word_set(
    "car pickup truck van suv motorbike motorcycle scooter hatchback sedan convertible jeep"
)

OCCUPATIONS: Final = word_set(
    "actor actress accountant analyst architect artist attorney author baker barber barista bartender"
    " biologist boss builder butcher captain carpenter cashier chef chemist cleaner clerk coach coder"
    " concierge consultant contractor cook counselor counsellor dancer dentist designer developer dietitian"
    " doctor driver economist editor electrician engineer entrepreneur farmer filmmaker"
    " firefighter fisherman"
    " florist freelancer gardener geologist guide hairdresser historian illustrator instructor intern"
    " interpreter janitor journalist judge lawyer lecturer librarian lifeguard locksmith machinist manager"
    " mathematician mechanic midwife musician nanny nurse nutritionist optician painter"
    " paramedic pharmacist"
    " photographer physicist physiotherapist pilot plumber poet policeman politician postman president"
    " principal producer professor programmer psychiatrist psychologist realtor receptionist recruiter rep"
    " reporter researcher sailor salesman salesperson scientist secretary singer soldier"
    " statistician student"
    " supervisor surgeon surveyor tailor teacher technician therapist trader trainer translator tutor vet"
    " veterinarian waiter waitress welder writer zookeeper director officer assistant agent administrator"
    " apprentice founder owner retiree attendant paralegal brewer broker bricklayer conductor"
    " curator detective"
    " diver ranger shepherd solicitor barrister sculptor stylist tutor roofer miner trucker"
    " courier dispatcher"
    " beekeeper zoologist chemist botanist astronomer sommelier dentist caretaker carer caregiver planner"
)
APPOINTMENTS: Final = word_set(
    "appointment interview meeting exam test dinner lunch breakfast brunch party date flight trip holiday"
    " vacation visit wedding class lesson session call checkup check-up surgery operation"
    " concert match game"
    " race reservation booking delivery event conference workshop training rehearsal viewing"
    " reunion barbecue"
    " picnic ceremony graduation presentation deadline review hearing move train recital gig webinar shift"
    " inspection consultation drinks camp hike cruise coffee catch-up club practice choir drill"
)
DIETS: Final = word_set(
    "vegan vegetarian pescatarian flexitarian omnivore carnivore keto paleo halal kosher gluten-free"
    " dairy-free lactose-intolerant plant-based"
)
WORKPLACES: Final = word_set(
    "company firm agency bank startup practice hospital clinic school university college office shop store"
    " restaurant cafe café bookshop bookstore salon gym bakery factory lab laboratory studio library museum"
    " newspaper hotel department"
)
ADJECTIVES_OF_PEOPLE: Final = word_set(
    "american british english irish scottish welsh french german italian spanish portuguese"
    " dutch belgian swiss"
    " austrian swedish danish norwegian finnish polish czech greek turkish russian ukrainian"
    " hungarian romanian"
    " bulgarian croatian serbian indian pakistani chinese japanese korean taiwanese thai"
    " vietnamese filipino"
    " indonesian malaysian australian canadian mexican brazilian argentinian chilean peruvian"
    " colombian cuban"
    " african nigerian kenyan ghanaian egyptian moroccan iranian persian israeli arab asian european latino"
    " catholic christian muslim jewish hindu buddhist protestant mormon sikh"
)
"""What is written with a capital and is no name: "my wife is Polish"."""
MARITAL: Final = word_set("single married engaged divorced widowed separated dating")

LIKES: Final = word_set("like love enjoy adore fancy relish prefer")
DISLIKES: Final = word_set("hate dislike loathe detest despise")

SMALL_NOUNS: Final = word_set(
    "thing things stuff way bit lot something anything everything nothing idea ideas point"
    " sense course time"
    " times question questions doubt kind sort reason fun pleasure problem deal luck"
)
STOP: Final = word_set(
    "a an the this that these those some any and or but so as if than then of in on at to for from by with"
    " about into onto over under up down out off is am are was were be been being 's has have had having do"
    " does did doing will would can could shall should may might must get gets got getting"
    " gotten it its they"
    " them their theirs themselves he him his she her hers i me my mine we us our ours you your yours who"
    " which what when where how why there here very really so too also just now currently"
    " still already again"
    " every each these days anymore any more longer n't actually quite pretty well currently own today"
    " yesterday tomorrow tonight ago last next weeks months year years day days recently"
    " lately called named"
    " name names"
)

ALLERGENS: Final = word_set(
    "milk dairy lactose egg eggs gluten wheat nut nuts peanut peanuts almonds cashews walnuts shellfish"
    " shrimp prawns crab lobster fish seafood soy sesame strawberries kiwi mango pineapple tomatoes cheese"
    " butter bread caffeine coffee alcohol wine sulfites meat pork beef mushrooms pollen cats dogs spicy"
)
CAR_MAKES: Final = word_set(
    "toyota honda nissan mazda subaru suzuki lexus tesla ford chevrolet chevy jeep dodge volkswagen vw bmw"
    " audi mercedes volvo skoda seat renault peugeot citroen fiat opel hyundai kia prius corolla civic golf"
)
