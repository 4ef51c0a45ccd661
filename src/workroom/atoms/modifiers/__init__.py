"""Modifiers: extensions that derive a new structure from the current frame.

base          the base class
composition   delete, duplicate, change elements, supercell
dynamics      molecular dynamics
empty         frames without atoms
relax         relaxation
smiles        molecules from SMILES
transform     wrap, center, translate, rotate, fix
"""
