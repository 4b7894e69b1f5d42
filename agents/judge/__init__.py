"""A judge that is a language model with a harness of its own: rubric skills, fact look-up, votes, cache."""
