"""Python values as JSON: arguments and results of functions and extensions.

codec            values as JSON for jsonb columns, and back without loss
kinds            the kinds of such values: dates, numbers, paths, arrays, structures, instances of classes
exact_json       JSON whose integers are not rounded
packed_to_plain  packed values as people read them
hash_collisions  refuse keys that were chosen to have the same hash
"""
