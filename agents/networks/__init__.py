"""The networks of the learners, their inputs, and masked distributions."""
