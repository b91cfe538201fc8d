/* The page of a person at the table: what the server says is shown, what the person does is sent.

   The server's messages are those of unspoken.train.server: `welcome`, `view`, `problem`. A view replaces
   everything before it. A move is sent with the number of the view it answers; when the line breaks before the
   next view, it is sent again only if the table still stands as it did (`pending`). All that comes from the
   server goes into the page as text.
*/
"use strict";

(function () {
  const { html } = Unspoken;
  const by = (id) => document.getElementById(id);
  const CONNECTION = {
    connecting: "Connecting ...",
    open: "Connected",
    lost: "Connection lost. The game waits; trying again ...",
    replaced: "This seat is played in another window now.",
    unknown: "This link is not valid any more. Ask the host of the table for a new one.",
    stopped: "The host has stopped the table.",
  };
  const GAMES = { syzygy: "Syzygy", syncro: "Syncro" };

  let welcome = null;
  let view = null;
  let table = null;
  let pending = null;
  let shownAt = 0;
  let drawn = "";
  let seen = { game: 0, number: -1, scene: null };
  let announced = "";
  let news = [];

  const name = (seat) => {
    const { kind } = welcome.seats[seat];
    if (kind === "you") return "You";
    const noun = welcome.game === "syncro" ? "Wizard" : "Player";
    return `${noun} ${seat + 1}${kind === "bot" ? " (bot)" : ""}`;
  };

  function remember(key, value) {
    try {
      if (value !== undefined) localStorage.setItem(`unspoken-${key}`, value);
      return localStorage.getItem(`unspoken-${key}`);
    } catch {
      return null; // a browser that keeps nothing
    }
  }

  /* From the server */

  function onMessage(content) {
    if (content.type === "welcome") onWelcome(content);
    else if (content.type === "view") onView(content);
    else if (content.type === "problem") onProblem(content);
  }

  function onWelcome(content) {
    const first = welcome === null;
    welcome = content;
    view = null;
    if (!first) return;
    by("title").textContent = GAMES[content.game];
    const names = content.seats.map((_, seat) => name(seat));
    table = Unspoken.table(by("table"), {
      game: content.game,
      actions: content.actions,
      names,
      you: content.seat,
      first: 1,
      live: true,
    });
    by("rules-text").append(Unspoken.rules(content));
    by("consent-text").textContent = content.consent_text || "";
    // Who is here for the first time reads the rules before the table.
    by("rules").open = remember(`rules-${content.game}`) !== "closed";
    if (by("rules").open) by("game").before(by("rules"));
  }

  function onView(content) {
    view = content;
    const asked = welcome.study && view.consented === null;
    const revealed = by("game").hidden && !asked;
    by("consent").hidden = !asked;
    by("game").hidden = asked;
    if (revealed) shownAt = performance.now();
    settle();
    showLog();
    showTable();
    showTurn();
    showResult();
    showStudy();
  }

  function onProblem({ code, message }) {
    if (code === "replaced" || code === "server-stopping") return; // the state of the line says so
    const lost = ["stale", "illegal", "not-your-turn", "consent-needed", "bad-field"].includes(code);
    const texts = {
      stale: "The table had changed meanwhile: your move was not made.",
      "too-many": "That was too fast: please wait a moment.",
    };
    by("notice").textContent = texts[code] || `${message}.`;
    if (lost && pending) {
      pending = null;
      drawn = "";
      line.send({ type: "resend" });
    }
  }

  /* A move that was not answered before the line broke is sent again if the table still waits for it. */
  function settle() {
    if (!pending) return;
    const same =
      pending.number === view.number &&
      pending.game === view.game_number &&
      view.legal.includes(pending.action);
    if (!same) pending = null;
    else if (pending.unsent) send();
  }

  /* To the server */

  function send() {
    const { number, action, ms } = pending;
    pending.unsent = !line.send({ type: "act", number, action, ms });
  }

  function act(action) {
    const ms = Math.min(Math.round(performance.now() - shownAt), 86400000);
    pending = { number: view.number, game: view.game_number, action, ms, unsent: false };
    by("notice").textContent = "";
    send();
    showTurn();
    showMoves();
  }

  /* What is shown */

  function showTable() {
    const scene = view.everything || view.scene;
    const state = JSON.stringify([scene, view.your_turn, view.legal, Boolean(pending)]);
    if (state === drawn) return; // a card in the hand is not taken away by a view that changes nothing
    if (view.number !== seen.number || view.game_number !== seen.game) shownAt = performance.now();
    drawn = state;
    const mine = view.your_turn && !pending;
    table.show(scene, mine ? view.legal : [], mine ? act : undefined);
    showMoves();
    seen = { game: view.game_number, number: view.number, scene: view.scene };
  }

  function showMoves() {
    const possible = view.your_turn && !pending ? view.legal : [];
    by("moves").hidden = possible.length === 0;
    by("move-list").replaceChildren(
      ...possible.map((action) => {
        const button = html("button", { type: "button", class: "plain" }, capital(table.words(action)));
        button.addEventListener("click", () => pending || act(action));
        return html("li", {}, button);
      }),
    );
  }

  const capital = (text) => text[0].toUpperCase() + text.slice(1);

  function showTurn() {
    const over = view.result !== null;
    by("turn").hidden = by("hint").hidden = over;
    const missing = view.waiting_for.filter((seat) => !view.connected.includes(seat));
    let text = "";
    if (pending) text = "Sending your move ...";
    else if (view.your_turn) text = "It is your turn.";
    else if (!over) text = `${name(view.scene.to_act)} ${view.scene.to_act === null ? "" : "is to play"}.`;
    if (missing.length && !over) text += ` The table waits for ${missing.map(name).join(" and ")}.`;
    by("turn").textContent = text;
    by("now").classList.toggle("yours", view.your_turn && !pending);
    by("hint").textContent = over || pending || !by("hints").checked ? "" : Unspoken.hint(view, name, welcome.actions);
    document.title = `${view.your_turn ? "Your turn: " : ""}${GAMES[welcome.game]}`;
    announce(over ? "" : `${text} ${by("hint").textContent}`);
  }

  /* Told to a screen reader: what happened since, then whose turn it is. */
  function announce(text) {
    const whole = [...news, text].join(" ");
    news = [];
    if (whole === announced) return;
    announced = whole;
    by("live").textContent = whole;
  }

  function showLog() {
    const log = by("log");
    const fresh = view.game_number !== seen.game;
    if (fresh) log.replaceChildren();
    const first = view.number - view.log.length;
    const lines = view.log.map((entry, index) => ({ ...entry, number: first + index }));
    for (const entry of lines) {
      const known = log.querySelector(`[data-number="${entry.number}"]`);
      const context = entry.number === seen.number && !fresh ? seen.scene : null;
      const text = sentence(entry, context);
      if (known && known.dataset.text === entry.text) continue;
      if (known) {
        known.firstChild.textContent = text; // what was hidden while all decided is seen now
        known.dataset.text = entry.text;
        continue;
      }
      const element = html("li", { "data-number": entry.number }, html("span", {}, text));
      element.dataset.text = entry.text;
      log.prepend(element);
      if (entry.number >= seen.number && seen.number >= 0) news.push(`${text}.`);
    }
    addEvents(log, fresh);
  }

  function addEvents(log, fresh) {
    if (fresh || seen.scene === null || view.number === seen.number || !log.firstChild) return;
    const events = Unspoken.events(seen.scene, view.scene, {
      name,
      place: (slot) => slot + 1,
      spells: view.log.slice(seen.number - view.number).flatMap((entry) => entry.spells),
    });
    if (!events.length) return;
    news.push(...events);
    log.firstChild.append(
      html(
        "ul",
        {},
        events.map((text) => html("li", {}, text)),
      ),
    );
  }

  function sentence(entry, context) {
    const action = welcome.actions.findIndex((one) => one.name === entry.text);
    return table.tells(action < 0 ? null : action, entry.seat, context);
  }

  function showResult() {
    const { result } = view;
    by("result").hidden = result === null;
    by("now").classList.toggle("won", result !== null && result.won);
    if (result === null) return;
    const outcome = result.won ? "You have won, together!" : "The team has lost.";
    const changed = by("outcome").textContent !== outcome;
    by("outcome").textContent = outcome;
    const several = result.max_score > 1 ? ` Levels won: ${result.score} of ${result.max_score}.` : "";
    by("outcome-text").textContent = `${rowText()}All cards are turned up below.${several}`;
    const wanted = view.again.includes(welcome.seat);
    by("again").disabled = wanted;
    const others = view.waiting_for.filter((seat) => seat !== welcome.seat);
    by("waiting").textContent =
      wanted && others.length ? `Waiting for ${others.map(name).join(" and ")}.` : "";
    if (changed) {
      announce(`${outcome} ${by("outcome-text").textContent}`);
      by("outcome").focus();
    }
  }

  function rowText() {
    if (welcome.game !== "syzygy") return "";
    return `The row reads ${view.everything.cards.map((card) => card.planet).join(", ")}. `;
  }

  function showStudy() {
    by("change-consent").hidden = !welcome.study;
    by("study").textContent = studyText();
  }

  function studyText() {
    if (!welcome.study) return welcome.recorded ? "The host keeps a replay of each game." : "";
    if (!view.consented) return "Nothing is recorded.";
    return `Your games are recorded for the study. Your number in it is ${view.visit}.`;
  }

  function onState(kind) {
    const header = by("connection");
    header.textContent = CONNECTION[kind];
    header.className = kind;
    by("retry").hidden = !["lost", "replaced", "stopped"].includes(kind);
    by("retry").textContent = kind === "replaced" ? "Play here again" : "Try now";
    document.body.classList.toggle("away", kind !== "open");
    by("game").inert = ["replaced", "unknown", "stopped"].includes(kind);
    if (kind === "lost" && pending) pending.unsent = true;
    if (kind === "replaced") pending = null;
  }

  /* Set up */

  const consent = (given) => line.send({ type: "consent", given });
  by("agree").addEventListener("click", () => consent(true));
  by("decline").addEventListener("click", () => consent(false));
  by("change-consent").addEventListener("click", () => consent(!view.consented));
  by("again").addEventListener("click", () => line.send({ type: "again" }));
  by("hints").checked = remember("hints") !== "off";
  by("hints").addEventListener("change", () => {
    remember("hints", by("hints").checked ? "on" : "off");
    if (view) showTurn();
  });
  by("rules").addEventListener("toggle", () => {
    if (welcome) remember(`rules-${welcome.game}`, by("rules").open ? "open" : "closed");
  });
  by("to-rules").addEventListener("click", () => {
    by("rules").open = true;
  });
  by("to-table").addEventListener("click", () => {
    by("rules").open = false;
    by("game").after(by("rules"));
    by("turn").focus();
    window.scrollTo(0, 0);
  });
  const address = `${location.origin.replace(/^http/, "ws")}${location.pathname.replace(/\/$/, "")}/ws`;
  const line = Unspoken.connect(address, { message: onMessage, state: onState });
  by("retry").addEventListener("click", () => line.retry());
})();
