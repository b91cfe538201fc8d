"""The forms in which a game is offered: AEC, parallel, batch, single-agent, vector."""
