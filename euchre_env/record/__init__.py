"""Hand records: games as text that replays to the same states; our own lines and Euchre Game Notation."""
