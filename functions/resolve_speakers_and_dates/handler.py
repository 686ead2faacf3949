"""ResolveSpeakersAndDates: who speaks, and which day each relative date means."""

from cognis_memory.runtime.states import state_handler
from cognis_memory.services.ingestion.resolve_speakers_and_dates import STAGE, resolve_speakers_and_dates

handle = state_handler(STAGE, resolve_speakers_and_dates)
