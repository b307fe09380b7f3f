"""The worth of earlier words to whoever continues: sentences by the weight of their terms, and each term by how likely it is used again.

Nothing here knows a language: a term weighs by how seldom it is and by a chance that is fitted on what sessions used again.
"""
