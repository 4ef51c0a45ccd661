"""Analysis: extensions that measure the trajectory and plot the result.

energies     energies and forces of the frames
figures      Plotly figures whose points are linked to frames or atoms
geometry     distances, angles and dihedral angles
msd          mean square displacement
properties   any property over the frames, or against another
rdf          radial distribution function
"""
