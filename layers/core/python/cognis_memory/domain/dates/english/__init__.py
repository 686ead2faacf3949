"""Time expressions in English: tokens, a recursive-descent grammar over them, and the tense of a sentence."""
