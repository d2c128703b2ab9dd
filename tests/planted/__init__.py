"""Wrong functions, written as a student would: one for every mistake that the checks know.

A module for each exercise; its `WRONG` maps task to {name of the mistake: the function}.  They use
the library as a student does, not the references and mistakes of the checks.
"""
