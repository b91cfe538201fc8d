/* The table of Syzygy: the row of cards with the chips on them, the card being looked at, each seat's turns.

   Unspoken.games.syzygy.draw(table)   an element that shows table.scene (see table.js for `table`)
   Unspoken.games.syzygy.words(table, action)   an action in words; tells(table, action, seat): as a sentence
   A card is picked up (CONFIRM) by putting it into the looking glass, and put down (MOVE) into a gap of the
   row. The gap between two cards is place d, counted after the move: left of where the card came from it has
   the number of the card behind it, right of there that of the card before it.
*/
"use strict";

(function () {
  const { html, svg, drawing, does, dropPlace, item, token, planet, blackhole, starryBack } = Unspoken;
  const FEELINGS = ["calmly", "happily", "anxiously", "in awe"];
  const MOUTHS = [
    "M8 16 H16",
    "M7 14 Q12 20 17 14",
    "M7 18 Q12 12 17 18",
    "M12 16 m-2.5 0 a2.5 3 0 1 0 5 0 a2.5 3 0 1 0 -5 0",
  ];

  function face(feeling) {
    return drawing(
      "0 0 24 24",
      { class: "feeling" },
      svg("circle", { cx: 12, cy: 12, r: 10.5, class: "feeling-face" }),
      svg("circle", { cx: 8.5, cy: 9, r: 1.4, class: "feeling-eye" }),
      svg("circle", { cx: 15.5, cy: 9, r: 1.4, class: "feeling-eye" }),
      svg("path", { d: MOUTHS[feeling], class: "feeling-mouth" }),
    );
  }

  function cardName(card) {
    if (card.blackhole)
      return card.planet ? `the Blackhole, which is planet ${card.planet}` : "the Blackhole";
    return card.planet ? `planet ${card.planet}` : "a face-down card";
  }

  function cardLabel(table, position) {
    const card = table.scene.cards[position];
    const chips = card.chips.flatMap((chip, seat) => (chip ? [`chip ${chip} of ${table.name(seat)}`] : []));
    const looked = position === table.scene.looked_at ? ", picked up" : "";
    return `Place ${table.place(position)}: ${cardName(card)}${looked}${chips.length ? `, with ${chips.join(", ")}` : ""}`;
  }

  function cardFace(card) {
    if (card.blackhole) return blackhole(card.planet);
    return card.planet ? planet(card.planet) : starryBack();
  }

  function cardClass(card) {
    if (card.blackhole) return "planet-card hole-card";
    return card.planet ? "planet-card face-up" : "planet-card face-down";
  }

  function drawCard(table, position) {
    const card = table.scene.cards[position];
    const away = position === table.scene.looked_at && table.scene.phase !== "over";
    const element = item(
      table.live,
      `${cardClass(card)}${away ? " taken" : ""}`,
      cardLabel(table, position),
      away ? [] : cardFace(card),
    );
    element.dataset.key = `card-${position}`;
    element.dataset.origin = card.origin;
    return element;
  }

  function lanes(table, card) {
    return html(
      "div",
      { class: "lanes", "aria-hidden": "true" },
      card.chips.map((chip, seat) => html("span", { class: "lane" }, chip ? token(seat, chip) : [])),
    );
  }

  /* The gap before card `index`, which is place `place` once the card has been moved. */
  function gap(table, index, place) {
    const { cards } = table.scene;
    const [before, after] = [cards[index - 1], cards[index]].map((card) => cardName(card));
    const label = `Put it at place ${table.place(place)}, between ${before} and ${after}`;
    const element = html(
      "button",
      { type: "button", class: "gap", "aria-label": label, tabindex: "-1", "data-item": "" },
      html("span", { class: "gap-line", "aria-hidden": "true" }),
      html("span", { class: "gap-number", "aria-hidden": "true" }, String(table.place(place))),
    );
    element.dataset.key = `gap-${place}`;
    element.style.setProperty("--at", index / cards.length);
    return element;
  }

  function gaps(table) {
    const source = table.scene.looked_at;
    const found = [];
    for (let index = 1; index < table.scene.cards.length; index += 1) {
      const place = index <= source ? index : index - 1;
      const actions = table.legalActions("MOVE", { position: place });
      if (index === source + 1 || actions.length === 0) continue;
      const choices = actions.map((action) => {
        const feeling = table.actions[action].emotion;
        return { action, label: `Exclaim ${FEELINGS[feeling]}`, picture: face(feeling) };
      });
      found.push({ element: gap(table, index, place), choices });
    }
    return found;
  }

  /* Where a card is looked at: a place to put it, or the card itself. */
  function lookingGlass(table) {
    const { scene } = table;
    const position = scene.looked_at;
    if (position === null || scene.phase === "over") {
      const mine = scene.to_act === table.you;
      if (!table.live || !mine || scene.phase === "over") return [null, html("div", { class: "glass" })];
      const place = dropPlace("glass-place", "Put a card here to look at it");
      return [place, html("div", { class: "glass" }, place)];
    }
    const card = scene.cards[position];
    const who = table.name(scene.to_act);
    const mine = scene.to_act === table.you;
    const label = `${mine ? "You hold" : `${who} holds`} the card of place ${table.place(position)}: ${cardName(card)}`;
    const element = item(table.live, `${cardClass(card)} held`, label, cardFace(card));
    element.dataset.key = "held";
    element.dataset.origin = card.origin;
    const text =
      mine && card.planet ? `Only you see this: planet ${card.planet}` : `${who} looks at this card`;
    return [element, html("div", { class: "glass" }, element, html("p", { class: "glass-text" }, text))];
  }

  function turnText(table, turn, feelings) {
    if (turn.passed) return "passed";
    const way = `${table.place(turn.source)}→${table.place(turn.destination)}`;
    return feelings ? [way, face(turn.emotion)] : way;
  }

  function drawSeat(table, seat) {
    const { scene } = table;
    const turns = scene.seats[seat].turns;
    const pills = [1, 2, 3, 4].map((chip) => {
      const turn = turns.find((one) => one.chip === chip);
      const text = turn ? turnText(table, turn, scene.emotions > 1) : "";
      const kind = turn ? (turn.passed ? "used passed" : "used") : "unused";
      return html(
        "li",
        { class: `turn ${kind}` },
        html("span", { class: "hidden-text" }, `Chip ${chip}: ${turn ? "" : "not used yet"}`),
        token(seat, chip),
        text,
      );
    });
    const acts = scene.to_act === seat;
    return html(
      "li",
      { class: `seat${acts ? " to-act" : ""}` },
      html(
        "span",
        { class: "seat-name" },
        token(seat, "", "small"),
        table.name(seat),
        acts ? html("span", { class: "acts" }, "to play") : [],
      ),
      html("ul", { class: "turns" }, pills),
    );
  }

  function draw(table) {
    const { scene, moves } = table;
    const cards = scene.cards.map((_, position) => drawCard(table, position));
    const columns = scene.cards.map((card, position) =>
      html(
        "div",
        { class: "place" },
        html("span", { class: "place-number", "aria-hidden": "true" }, String(table.place(position))),
        cards[position],
        lanes(table, card),
      ),
    );
    const [held, glass] = lookingGlass(table);
    const between = table.live ? gaps(table) : [];
    const row = html(
      "div",
      { class: "row", role: "group", "aria-label": "The row of cards", "data-group": "" },
      columns,
      between.map((target) => target.element),
    );
    row.style.setProperty("--cards", scene.cards.length);
    row.style.setProperty("--seats", scene.n_players);
    const controls = Unspoken.controls();
    if (table.live) {
      cards.forEach((card, position) => {
        const [action] = table.legalActions("CONFIRM", { position });
        if (action !== undefined) moves.source(card, [{ element: held, action }], { twice: true });
      });
      if (between.length) moves.source(held, between, { chosen: true });
      const [pass] = table.legalActions("PASS", {});
      if (pass !== undefined) controls.append(moves.button("Pass", pass, "pass", "Press again to pass"));
    }
    if (held) glass.dataset.group = "";
    return html(
      "div",
      { class: "syzygy" },
      glass,
      row,
      table.details,
      controls,
      html(
        "ul",
        { class: "seats", "aria-label": "Players" },
        scene.seats.map((_, seat) => drawSeat(table, seat)),
      ),
    );
  }

  function phrase(table, action) {
    const { kind, position, emotion } = table.actions[action];
    if (kind === "CONFIRM") return ["look", "looks", ` at the card of place ${table.place(position)}`];
    if (kind === "PASS") return ["pass", "passes", ""];
    const feeling = table.actions.some((one) => one.emotion > 0) ? `, exclaiming ${FEELINGS[emotion]}` : "";
    return ["move", "moves", ` the card to place ${table.place(position)}${feeling}`];
  }

  function words(table, action) {
    const [verb, , rest] = phrase(table, action);
    return verb + rest;
  }

  function tells(table, action, seat) {
    if (action === null) return does(table.name(seat), "have chosen", "has chosen");
    const [verb, verbs, rest] = phrase(table, action);
    return does(table.name(seat), verb, verbs) + rest;
  }

  Unspoken.games = { ...Unspoken.games, syzygy: { draw, words, tells } };
})();
