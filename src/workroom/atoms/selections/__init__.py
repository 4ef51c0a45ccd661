"""Selections: extensions that select atoms of the current frame.

base         the base class
basic        all, none, inverse, range, random, same elements
neighbours   by bonds and by distance
"""
