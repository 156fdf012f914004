"""The rules of the Euchre family, compiled."""
