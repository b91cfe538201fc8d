"""The faces of a game: AEC, parallel, batch, single-agent Gymnasium and Gymnasium's vector form."""
