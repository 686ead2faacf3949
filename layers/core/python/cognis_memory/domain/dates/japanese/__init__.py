"""Time expressions in Japanese: elements that narrow each other from left to right, and the tense."""
