/* What happened between two scenes of Syncro, in sentences: a decision may be followed by a whole resolution.

   Unspoken.events(before, after, name)   a list of sentences; name(seat) says what a seat is called
   Everything is read from what the two scenes show, so nothing is told that the observer may not know.
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

  function slotEvents(old, now) {
    if (old.state === "up" && now.state === "gone" && old.kind !== "fog") return [`${old.name} is defeated.`];
    if (old.state === "down" && now.state === "gone")
      return [old.back === "fog" ? "A Fog card is turned up and takes effect." : "A card leaves the horde."];
    if (old.state === "down" && now.state === "up") {
      return [`${now.name} is turned up${now.strength === null ? "" : `, strength ${now.strength}`}.`];
    }
    if (now.state !== "up") return [];
    const found = [];
    if (now.absorbed > old.absorbed)
      found.push(`${now.name} swallows a ${now.absorbed - old.absorbed} and has strength ${now.strength}.`);
    else if (old.spells_down && !now.spells_down) {
      const left = now.spells_up ? `; spells worth ${now.sum_up} stay on it` : "";
      found.push(`${now.name} (strength ${now.strength}) holds out${left}.`);
    } else if (now.strength !== old.strength) found.push(`${now.name} now has strength ${now.strength}.`);
    return found;
  }

  function seatEvents(old, now, who) {
    const found = [];
    const more = now.hand.length - old.hand.length;
    if (more > 0) {
      const values = now.hand.slice(-more).filter((value) => value !== null);
      found.push(
        `${does(who, "draw", "draws")} ${values.length === more ? values.join(", ") : count(more, "spell")}.`,
      );
    }
    if (now.said_sum !== null && now.said_sum !== old.said_sum)
      found.push(`${does(who, "say", "says")} ${now.said_sum}.`);
    if (now.has_reward && !old.has_reward)
      found.push(`${does(who, "get", "gets")} a Reward${now.reward ? `: ${now.reward}` : ""}.`);
    return found;
  }

  function isRetry(before, after) {
    return before.level !== after.level || before.tries !== after.tries;
  }

  Unspoken.events = function (before, after, name) {
    if (before.game !== "syncro") return [];
    if (isRetry(before, after))
      return [
        `Level ${after.level}, ${after.level_name}, begins${after.tries > 1 ? `: try ${after.tries}` : ""}.`,
      ];
    const found = [];
    after.slots.forEach((slot, number) => found.push(...slotEvents(before.slots[number], slot)));
    found.push(...discarded(before, after));
    after.seats.forEach((seat, number) =>
      found.push(...seatEvents(before.seats[number], seat, name(number))),
    );
    if (after.owed > before.owed) found.push(`The Dragon is owed ${after.owed}.`);
    if (after.fog) {
      if (after.fog.card && after.fog.card !== before.fog.card)
        found.push(`${after.fog.card}: ${after.fog.card_text}`);
      after.fog.curses.forEach((curse, index) => {
        if (!before.fog.curses.includes(curse))
          found.push(`The curse ${curse} lasts for this level: ${after.fog.curse_texts[index]}`);
      });
    }
    if (after.leader !== before.leader)
      found.push(`A new round: ${does(name(after.leader), "lead", "leads")}.`);
    return found;
  };
})();
