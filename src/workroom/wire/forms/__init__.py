"""Messages about forms.

choices  values that a worker answers for a field
presets  values of a form that were saved under a name
"""
