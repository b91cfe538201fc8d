"""People and bots at one table, each person at a browser: the server behind ``unspoken serve``.

``unspoken serve syzygy-base-4p --partners syzygy/convention --seat 0,2`` prints a link for each person's
seat, ``http://HOST:PORT/seat/TOKEN``; whoever opens it sits there. The page speaks with the server over a
WebSocket at ``/seat/TOKEN/ws`` in JSON text messages, each an object with a ``type``.

From the server:

``welcome``
    ``game``, ``task``, ``table`` (from 0), ``seat``, ``n_players``; ``seats``, each ``kind`` (``"you"``,
    ``"person"``, ``"bot"``) and ``name``; ``actions``, each number's meaning; ``config``, the game's settings
    and sizes; ``recorded``, whether the host keeps replays (in a study only of what people let be logged);
    ``study``, whether games are logged; ``consent_text``; ``consented``, ``null`` until answered.
``view``
    ``number`` of decisions so far; ``game_number`` at this table, from 1; ``scene``, what this seat may
    know (see ``unspoken.envs.syzygy.scene`` and ``unspoken.envs.syncro.scene``); ``your_turn``;
    ``legal``, action numbers, empty unless it is this seat's turn; ``log``, the last decisions, each
    ``seat``, ``text`` and ``spells`` that all could see then (of Syncro: slot, seat, value);
    ``connected``, seats of people; ``waiting_for``, seats of people that the table waits for;
    ``consented``; ``visit``, what stands for this person in the log of a study, or ``null``; ``result``,
    ``null`` or ``won``, ``score``, ``max_score``, ``truncated``, ``tries``; ``everything``, the scene
    with all cards turned up once the game is over; ``again``, seats that want another game.
``problem``
    ``code`` and ``message``: ``not-json``, ``unknown-type``, ``bad-field``, ``not-your-turn``, ``illegal``,
    ``stale`` (a ``view`` follows), ``consent-needed``, ``too-many``, ``replaced``, ``server-stopping``,
    ``server-error``.

To the server: ``act`` (``number`` of the view that is answered, ``action``, and ``ms`` since it was shown if
known), ``again`` after the end, ``consent`` (``given``), ``resend`` for the view once more.

A connection is closed with 4001 when a newer one takes its seat, 4404 where there is no such seat, 1001 when
the server stops, 1008 after too many messages, 1009 after too long a one.

Modules: ``match`` the game at a table, ``bots`` who plays the other seats, ``messages`` what pages may say,
``connection`` one browser, ``table`` people and bots together, ``study`` what a study logs, ``files`` where
games are kept, ``app`` pages and addresses, ``hosting`` how all is set up.
"""
