"""Pictures of a table: as text (`text`), as pixels and in a window (`pixels`); `words` holds the sentences of both.

Nothing here decides a rule or changes a state. `pixels` needs pygame, the optional extra `render`, and imports it only
when it draws.

>>> from euchre_env.render.words import card_name
>>> card_name(13)
'Q♦'
"""
