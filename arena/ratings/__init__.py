"""Statistics of paired comparisons: pair counts in, a publication's figures out.

Nothing here knows of a database, a web page or a clock, and nothing draws a random number except
from a generator handed in or seeded from the counts themselves.
"""
