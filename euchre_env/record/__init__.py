"""Hand records: games as text that replays to the same states.

`Recorder` records a `Game` while it is played. `write` and `read` keep records in files, one line of JSON a game
(`line.py` has the format); `read` also takes files of Euchre Game Notation (`egn.py`), `write_egn` makes one. What is
read has been replayed: every action is legal and the scores are those that the play gives.

>>> from euchre_env.game import Game
>>> recorder = Recorder(Game("tournament", seed=3, dealer=0))
>>> while not recorder.game.over:
...     recorder.play(recorder.game.legal()[-1])
>>> record = recorder.record
>>> record == loads(dumps(record)), record.replay().scores == recorder.game.scores
(True, True)
"""

from euchre_env.errors import RecordError
from euchre_env.record.files import read, write, write_egn
from euchre_env.record.games import Deal, Record, Recorder
from euchre_env.record.line import dumps, loads

__all__ = ["Deal", "Record", "RecordError", "Recorder", "dumps", "loads", "read", "write", "write_egn"]
