/* What happened between two scenes of Syncro, in sentences: a decision may be followed by a whole resolution.

   Unspoken.events(before, after, {name, place, spells})
             a list of sentences; name(seat) says what a seat is called, place(slot) its number on the page;
             spells: [slot, seat, value] of those that were turned up in between
   Everything else is read from what the two scenes show, so nothing is told that the observer may not know.
*/
"use strict";

(function () {
  const { count, does } = Unspoken;

  function counts(pairs) {
    const found = new Array(10).fill(0);
    for (const [value, copies] of pairs) found[value] = copies;
    return found;
  }

  function discarded(before, after) {
    const [old, now] = [counts(before.discards), counts(after.discards)];
    if (now.some((copies, value) => copies < old[value])) return [];
    const values = now.flatMap((copies, value) => new Array(copies - old[value]).fill(value));
    return values.length ? [`Discarded: ${values.join(", ")}.`] : [];
  }

  const ATTACK = /^ATTACK (\d+) with (\d+)/;
  const DISCARD = /^DISCARD (\d+)/;

  /* What was done: the slot that was attacked, and the place in the hand that a spell has left. */
  function done(after) {
    const text = after.last ? after.last.text : "";
    const [attack, discard] = [ATTACK.exec(text), DISCARD.exec(text)];
    return {
      seat: after.last ? after.last.seat : null,
      slot: attack ? Number(attack[1]) : null,
      hand: attack ? Number(attack[2]) : discard ? Number(discard[1]) : null,
    };
  }

  function hit(label, spells, left, name) {
    if (!spells.length) return [];
    const whose = (seat) => (name(seat) === "You" ? "your" : `${name(seat)}'s`);
    const parts = spells.map(([, seat, value]) => `${whose(seat)} ${value}`);
    if (left) parts.push(`${left} left from before`);
    const total = spells.reduce((sum, [, , value]) => sum + value, left);
    return [`${label} is hit by ${parts.join(", ")}${parts.length > 1 ? `: ${total} in all` : ""}.`];
  }

  function slotEvents(old, now, label, attacked, asks) {
    if (old.state === "up" && now.state === "gone") return [`${label(old)} is defeated.`];
    if (old.state === "down" && now.state === "gone")
      return [old.back === "fog" ? "A Fog card is turned up and takes effect." : "A card leaves the horde."];
    if (old.state === "down" && now.state === "up") {
      const power = now.text && !["mushroom", "golem", "dragon"].includes(now.kind) ? ` ${now.text}` : "";
      return [`${label(now)} is turned up${now.strength === null ? "" : `, strength ${now.strength}`}.${power}`];
    }
    if (now.state !== "up") return [];
    const resolved = !now.spells_down && (old.spells_down || attacked);
    if (asks) return []; // its spells lie face up until it is paid
    if (now.absorbed > old.absorbed)
      return [`${label(now)} swallows a ${now.absorbed - old.absorbed} and has strength ${now.strength}.`];
    if (resolved) {
      const left = now.spells_up ? `; spells worth ${now.sum_up} stay on it` : "";
      return [`${label(now)} (strength ${now.strength}) holds out${left}.`];
    }
    if (now.spells_up < old.spells_up)
      return [`${label(now)} holds out, and the lowest spell on it is discarded.`];
    return now.strength === old.strength ? [] : [`${label(now)} now has strength ${now.strength}.`];
  }

  function handEvents(old, now, who, own, spent) {
    const kept = old.hand.filter((_, index) => index !== spent);
    if (own) {
      const drawn = now.hand.slice(kept.length);
      if (kept.some((value, index) => value !== now.hand[index]))
        return [`Your hand is now ${now.hand.length ? now.hand.join(", ") : "empty"}.`];
      return drawn.length ? [`You draw ${drawn.join(", ")}.`] : [];
    }
    const more = now.hand.length - kept.length;
    if (!more) return [];
    return [`${does(who, "have", "has")} ${count(Math.abs(more), "spell")} ${more > 0 ? "more" : "fewer"}.`];
  }

  function seatEvents(old, now, who, own, spent) {
    const found = handEvents(old, now, who, own, spent);
    if (now.said_sum !== null && now.said_sum !== old.said_sum)
      found.push(`${does(who, "say", "says")} ${now.said_sum}.`);
    if (now.has_reward && !old.has_reward)
      found.push(
        `${does(who, "get", "gets")} a Reward${now.reward ? `: ${now.reward}. ${now.reward_text}` : "."}`,
      );
    return found;
  }

  /* Cards that have been applied, or wait for a choice; what waited has been told. */
  function cardEvents(old, now) {
    const found = [];
    const tell = (name, text) => found.push(`${name}: ${text}`);
    for (const pile of ["seen", "rewards_played"]) {
      const before = new Map(old[pile].map(([name, , copies]) => [name, copies]));
      for (const [name, text, copies] of now[pile]) {
        if (copies > (before.get(name) || 0) && name !== old.card && name !== now.card) tell(name, text);
      }
    }
    if (now.card && now.card !== old.card) tell(now.card, now.card_text);
    return found;
  }

  const isAnother = (before, after) => before.level !== after.level || before.tries !== after.tries;
  const isWon = (before, after) =>
    (after.decision === "keep" && before.decision !== "keep") || before.level !== after.level;

  /* The table has been cleared: a level was won or lost, or another begins. */
  function levelEvents(before, after, hits) {
    const found = isWon(before, after) ? hits : [];
    if (before.decision !== "keep")
      found.push(`Level ${before.level} is ${isWon(before, after) ? "won" : "lost"}.`);
    if (isAnother(before, after)) {
      const tries = after.tries > 1 ? `: try ${after.tries}` : "";
      found.push(`Level ${after.level}, ${after.level_name}, begins${tries}.`);
    }
    return found;
  }

  Unspoken.events = function (before, after, { name, place, spells }) {
    if (before.game !== "syncro") return [];
    const acted = done(after);
    const label = (number) => (slot) => `${slot.name}, place ${place(number)},`;
    const hitOn = (slot, number) =>
      hit(`${slot.name}, place ${place(number)},`, spells.filter(([on]) => on === number), slot.sum_up, name);
    if (isAnother(before, after) || isWon(before, after))
      return levelEvents(before, after, before.slots.flatMap(hitOn));
    const found = [];
    after.slots.forEach((slot, number) => {
      const asks = after.decision === "discard" && after.foe === number;
      found.push(...hitOn(before.slots[number], number));
      found.push(...slotEvents(before.slots[number], slot, label(number), acted.slot === number, asks));
    });
    if (after.owed > 0 && (after.owed > before.owed || after.foe !== before.foe))
      found.push(`${label(after.foe)(after.slots[after.foe])} is owed ${after.owed}.`);
    found.push(...discarded(before, after));
    after.seats.forEach((seat, number) => {
      const spent = acted.seat === number ? acted.hand : null;
      found.push(
        ...seatEvents(before.seats[number], seat, name(number), number === after.observer, spent),
      );
    });
    if (after.fog) found.push(...cardEvents(before.fog, after.fog));
    if (after.leader !== before.leader)
      found.push(`A new round: ${does(name(after.leader), "lead", "leads")}.`);
    return found;
  };
})();
