/* The table of Syncro: the horde in its pattern, what lies beside it, each wizard's hand and what it said.

   Unspoken.games.syncro.draw(table)   an element that shows table.scene (see table.js for `table`)
   Unspoken.games.syncro.words(table, action)   an action in words; tells(table, action, seat): as a sentence
   A spell goes from the hand onto a monster (ATTACK), or onto the discards for a Dragon (DISCARD); thumbs,
   passing and the rest are buttons; where a card asks for a target, monsters or wizards are pressed.
*/
"use strict";

(function () {
  const { html, does, dropPlace, item, token, emblem, spell, thumb, crown, count } = Unspoken;
  const KIND_NAMES = { boss: "boss", cerberus: "Cerberus", fog: "Fog", lieutenant: "lieutenant" };
  const THUMBS = ["good", "average", "bad"];
  const THUMB_WORDS = { good: "thumb up: good", average: "thumb sideways: average", bad: "thumb down: bad" };
  const CARD = 1.32; // height of a card, in widths
  const STEP = 0.8; // from one row to the next, in widths: a row lies over the lower part of the one above

  const backName = (slot) => `face-down ${KIND_NAMES[slot.back] || "monster"} card`;

  function slotName(table, number) {
    const slot = table.scene.slots[number];
    if (!slot) return "a monster";
    if (slot.state === "gone") return "a card that is gone";
    return slot.state === "up" && slot.name ? slot.name : backName(slot);
  }

  function spellsOn(slot) {
    const found = [];
    if (slot.spells_up) found.push(`${count(slot.spells_up, "spell")} face up worth ${slot.sum_up}`);
    if (slot.spells_down) {
      const known = slot.known_down ? `, of which you know ${slot.known_down}` : "";
      found.push(`${count(slot.spells_down, "spell")} face down${known}`);
    }
    if (slot.absorbed) found.push(`has swallowed ${slot.absorbed}`);
    return found;
  }

  function slotLabel(table, number) {
    const slot = table.scene.slots[number];
    const parts = [`Place ${table.place(number)}: ${slotName(table, number)}`];
    if (slot.state === "up") {
      if (slot.kind && slot.kind !== "fog") parts.push(`a ${KIND_NAMES[slot.kind] || slot.kind}`);
      if (slot.strength !== null) parts.push(`strength ${slot.strength}`);
      if (slot.text) parts.push(slot.text);
    }
    parts.push(...spellsOn(slot));
    if (slot.top_by !== null && slot.spells_up + slot.spells_down > 0)
      parts.push(`top spell by ${table.name(slot.top_by)}`);
    if (!slot.accessible) parts.push("covered");
    if (table.scene.foe === number) parts.push("being resolved");
    return parts.join(", ");
  }

  /* What lies on a monster: face-up spells with their sum, face-down ones with what is known of them. */
  function spellStrip(table, slot) {
    const { spells_up: up, spells_down: down } = slot;
    if (!up && !down) return [];
    const shown = [];
    if (up)
      shown.push(
        html("span", { class: "pile pile-up" }, html("b", {}, String(slot.sum_up)), up > 1 ? `×${up}` : ""),
      );
    if (down) {
      const all = down === 1 || table.scene.observer === null;
      const known = slot.known_down ? `${slot.known_down}${all ? "" : "+"}` : "?";
      shown.push(html("span", { class: "pile pile-down" }, html("b", {}, known), down > 1 ? `×${down}` : ""));
    }
    if (slot.top_by !== null) shown.push(token(slot.top_by, "", "small"));
    return html("span", { class: "piles" }, shown);
  }

  function slotFace(slot) {
    if (slot.state === "down")
      return [emblem(slot.back), html("span", { class: "slot-name" }, KIND_NAMES[slot.back] || "")];
    const size = slot.strength > 9 ? "strength two" : "strength";
    const strength = slot.strength === null ? [] : html("span", { class: size }, String(slot.strength));
    const swallowed = slot.absorbed ? html("span", { class: "absorbed" }, `+${slot.absorbed}`) : [];
    const name = html("span", { class: "slot-name" }, slot.name || "");
    const words = (slot.name || "").split(" ").map((word) => word.length);
    name.style.setProperty("--longest", Math.max(1, ...words)); /* a long word is written smaller, not cut off */
    return [strength, swallowed, emblem(slot.kind || slot.back), name];
  }

  function drawSlot(table, number, columns) {
    const slot = table.scene.slots[number];
    const look =
      slot.state === "up" ? `slot-up kind-${slot.kind || slot.back}` : `slot-down back-${slot.back}`;
    const marks = `${slot.accessible ? " accessible" : ""}${table.scene.foe === number ? " foe" : ""}`;
    const element = item(
      table.live,
      `slot ${look}${marks}`,
      slotLabel(table, number),
      html(
        "span",
        { "aria-hidden": "true" },
        html("span", { class: "slot-number" }, String(table.place(number))),
        slotFace(slot),
        spellStrip(table, slot),
      ),
    );
    element.dataset.key = `slot-${number}`;
    element.style.setProperty("--left", slot.left / columns);
    element.style.setProperty("--wide", slot.width / columns);
    element.style.setProperty("--row", slot.row);
    return element;
  }

  function drawHorde(table) {
    const { slots } = table.scene;
    const real = slots.filter((slot) => slot.state !== "none");
    const left = Math.min(...real.map((slot) => slot.left));
    const columns = Math.max(...real.map((slot) => slot.left + slot.width)) - left;
    const rows = 1 + Math.max(...real.map((slot) => slot.row));
    const elements = new Map();
    slots.forEach((slot, number) => {
      if (slot.state === "up" || slot.state === "down")
        elements.set(number, drawSlot(table, number, columns));
    });
    const horde = html(
      "div",
      { class: "horde", role: "group", "aria-label": "The horde", "data-group": "" },
      [...elements.values()],
    );
    horde.style.setProperty("--columns", columns);
    horde.style.setProperty("--height", (((rows - 1) * STEP + CARD) * 2) / columns);
    horde.style.setProperty("--from", left / columns);
    return [horde, elements];
  }

  function fact(name, ...value) {
    return html("div", { class: "fact" }, html("dt", {}, name), html("dd", {}, value));
  }

  function facts(table) {
    const { scene } = table;
    const discards = scene.discards.map(([value, copies]) =>
      html("span", { class: "discarded" }, spell(value, "tiny"), copies > 1 ? `×${copies}` : ""),
    );
    const listed = scene.discards
      .map(([value, copies]) => `${count(copies, "spell")} of ${value}`)
      .join(", ");
    const pile = html(
      "span",
      { class: "discards", role: "img", "aria-label": listed || "none" },
      discards.length ? discards : "none",
    );
    const found = [
      fact("Level", `${scene.level} ${scene.level_name}${scene.tries > 1 ? `, try ${scene.tries}` : ""}`),
      fact("Spell deck", count(scene.spell_deck, "spell")),
      fact("Discards", pile),
      fact("Hand limit", count(scene.hand_limit, "spell")),
    ];
    if (scene.owed)
      found.push(fact("Owed to the Dragon", html("strong", { class: "owed" }, String(scene.owed))));
    const { fog } = scene;
    if (fog) {
      if (fog.card) found.push(fact("Card in effect", `${fog.card}: ${fog.card_text}`));
      fog.curses.forEach((curse, index) => found.push(fact("Curse", `${curse}: ${fog.curse_texts[index]}`)));
      found.push(
        fact("Decks", `Fog ${fog.fog_deck}, Rewards ${fog.reward_deck}, lieutenants ${fog.lieutenant_deck}`),
      );
    }
    return html("dl", { class: "facts" }, found);
  }

  function said(seat) {
    if (seat.said_sum !== null) return html("span", { class: "said" }, `sum ${seat.said_sum}`);
    if (seat.estimate === null) return [];
    return html(
      "span",
      { class: "said", role: "img", "aria-label": THUMB_WORDS[seat.estimate] },
      thumb(seat.estimate),
      html("span", { "aria-hidden": "true" }, seat.estimate),
    );
  }

  function drawPlay(table, play) {
    if (play.passed) return html("li", { class: "play passed" }, "passed");
    if (play.slot === null) return html("li", { class: "play" }, "");
    const value = play.value === null ? "a face-down spell" : `spell ${play.value}`;
    return html(
      "li",
      { class: "play" },
      html("span", { class: "hidden-text" }, `${value} on `),
      spell(play.value, "tiny"),
      html("span", { class: "onto", "aria-hidden": "true" }, "→"),
      slotName(table, play.slot),
    );
  }

  function drawHand(table, seat) {
    const { hand } = table.scene.seats[seat];
    const own = seat === table.you;
    const cards = hand.map((value, index) => {
      const label = `${value === null ? "A spell, face down" : `Spell ${value}`}, ${index + 1} of ${hand.length}`;
      const card = item(
        table.live && own,
        `hand-card${own ? " own" : ""}`,
        label,
        spell(value, own ? "large" : "small"),
      );
      card.dataset.key = `hand-${seat}-${index}`;
      return card;
    });
    const attributes = {
      class: `hand${own ? " own" : ""}`,
      role: "group",
      "aria-label": `Hand of ${table.name(seat)}`,
    };
    if (own) attributes["data-group"] = "";
    return [
      html("div", attributes, cards.length ? cards : html("span", { class: "empty" }, "no spells")),
      cards,
    ];
  }

  function drawReward(table, seat) {
    const { has_reward: has, reward, reward_text: text } = table.scene.seats[seat];
    if (!has) return [];
    return html(
      "span",
      { class: `reward${reward ? " known" : ""}` },
      html("span", { "aria-hidden": "true" }, "✦ "),
      reward ? [html("b", {}, reward), `: ${text}`] : "a Reward",
    );
  }

  function drawWizard(table, seat) {
    const { scene } = table;
    const wizard = scene.seats[seat];
    const acts = scene.to_act === seat;
    const [hand, cards] = drawHand(table, seat);
    const parts = [
      token(seat, "", "small"),
      table.name(seat),
      seat === scene.leader ? [crown(), html("span", { class: "leads" }, "leader")] : [],
    ];
    const choosing = table.live && scene.targets === "wizards";
    const name = choosing
      ? item(true, "seat-name", table.name(seat), parts)
      : html("span", { class: "seat-name" }, parts);
    name.dataset.key = `seat-${seat}`;
    const element = html(
      "li",
      { class: `seat wizard${acts ? " to-act" : ""}${seat === table.you ? " you" : ""}` },
      html(
        "div",
        { class: "seat-head" },
        name,
        acts ? html("span", { class: "acts" }, "to play") : [],
        said(wizard),
        drawReward(table, seat),
      ),
      hand,
      html(
        "ul",
        { class: "plays", "aria-label": "This round" },
        wizard.plays.map((play) => drawPlay(table, play)),
      ),
    );
    return { element, cards, name };
  }

  /* The moves that are buttons. */
  function buttons(table) {
    const { moves } = table;
    const found = [];
    const add = (kind, fields, label, again) => {
      const [action] = table.legalActions(kind, fields);
      if (action !== undefined)
        found.push(moves.button(label, action, `${kind}-${Object.values(fields).join("-")}`, again));
    };
    THUMBS.forEach((estimate, index) => {
      const face = html("span", { class: "thumb-button" }, thumb(estimate), `${estimate}`);
      add("ESTIMATE", { estimate: index + 1 }, face, null);
    });
    add("PASS", {}, "Pass", "Press again to pass");
    add("STOP", {}, "Stop discarding", "Press again to stop");
    add("KEEP", {}, "Keep my hand", null);
    add("DISCARD ALL", {}, "Discard my hand", "Press again to discard it all");
    const reward = table.you === null ? null : table.scene.seats[table.you].reward;
    add("PLAY REWARD", {}, `Play ${reward || "my Reward"}`, "Press again to play it");
    return found;
  }

  function wire(table, slots, wizards, controls) {
    const { scene, moves } = table;
    const place =
      scene.decision === "discard" ? dropPlace("discard-place", "Put spells here to discard them") : null;
    const mine = wizards.find((wizard) => wizard.seat === table.you);
    (mine ? mine.cards : []).forEach((card, hand) => {
      const attacks = table
        .legalActions("ATTACK", { hand })
        .map((action) => ({ element: slots.get(table.actions[action].slot), action }));
      const [discard] = table.legalActions("DISCARD", { hand });
      if (discard !== undefined) moves.source(card, [{ element: place, action: discard }], { twice: true });
      else if (attacks.length) moves.source(card, attacks);
    });
    if (place) controls.prepend(place);
    for (const action of table.legalActions("TARGET", {})) {
      const { slot } = table.actions[action];
      moves.direct(
        scene.targets === "wizards"
          ? wizards.find((one) => one.seat === (table.you + slot) % scene.n_players).name
          : slots.get(slot),
        action,
      );
    }
  }

  function draw(table) {
    const { scene } = table;
    const [horde, slots] = drawHorde(table);
    const list = facts(table);
    const from = table.you === null ? 0 : table.you;
    const wizards = scene.seats.map((_, index) => {
      const seat = (from + index) % scene.n_players;
      return { seat, ...drawWizard(table, seat) };
    });
    const controls = Unspoken.controls();
    if (table.live) {
      controls.append(...buttons(table));
      wire(table, slots, wizards, controls);
    }
    return html(
      "div",
      { class: "syncro" },
      list,
      horde,
      table.details,
      controls,
      html(
        "ul",
        { class: "seats", "aria-label": "Wizards", "data-group": "" },
        wizards.map((wizard) => wizard.element),
      ),
    );
  }

  function words(table, action) {
    const { kind, hand, slot, estimate } = table.actions[action];
    const own = table.scene.seats[table.you].hand;
    const card = `spell ${own[hand]} (${hand + 1} of the hand)`;
    if (kind === "ATTACK") return `put ${card} on ${slotName(table, slot)}, place ${table.place(slot)}`;
    if (kind === "DISCARD") return `discard ${card}`;
    if (kind === "ESTIMATE") return `show a ${THUMB_WORDS[THUMBS[estimate - 1]]}`;
    if (kind === "TARGET") return `choose ${targetName(table, slot, table.you)}`;
    return {
      PASS: "pass",
      STOP: "stop discarding",
      KEEP: "keep the hand",
      "DISCARD ALL": "discard the whole hand",
      "PLAY REWARD": "play the Reward",
    }[kind];
  }

  function targetName(table, target, seat) {
    const { scene } = table;
    if (scene.targets === "wizards") return table.name((seat + target) % scene.n_players);
    return `${slotName(table, target)}, place ${table.place(target)}`;
  }

  function tells(table, action, seat) {
    const who = table.name(seat);
    if (action === null) return does(who, "have chosen", "has chosen");
    const { scene } = table;
    const { kind, hand, slot, estimate } = table.actions[action];
    const value = hand >= 0 && scene ? scene.seats[seat].hand[hand] : null;
    const card = value ? `spell ${value}` : "a spell";
    const place = scene
      ? `${slotName(table, slot)}, place ${table.place(slot)}`
      : `place ${table.place(slot)}`;
    const reward = (scene && scene.seats[seat].reward) || "a Reward";
    if (kind === "ATTACK") return `${does(who, "put", "puts")} ${card} on ${place}`;
    if (kind === "DISCARD") return `${does(who, "discard", "discards")} ${card}`;
    if (kind === "ESTIMATE") return `${does(who, "show", "shows")} a ${THUMB_WORDS[THUMBS[estimate - 1]]}`;
    if (kind === "TARGET") {
      return `${does(who, "choose", "chooses")} ${scene ? targetName(table, slot, seat) : "a target"}`;
    }
    const rest = {
      PASS: ["pass", "passes"],
      STOP: ["stop discarding", "stops discarding"],
      KEEP: ["keep the hand", "keeps the hand"],
      "DISCARD ALL": ["discard the whole hand", "discards the whole hand"],
      "PLAY REWARD": [`play ${reward}`, `plays ${reward}`],
    }[kind];
    return does(who, ...rest);
  }

  Unspoken.games = { ...Unspoken.games, syncro: { draw, words, tells } };
})();
