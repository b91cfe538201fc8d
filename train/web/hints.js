/* What a person can do now, for those who play for the first time, and the rules with their pictures.

   Unspoken.hint(view, name)            a sentence or two; name(seat) says what a seat is called
   Unspoken.rules(welcome)              an element with the rules of this game, from the page's templates:
                                        data-when="..." is kept where it applies, data-draw="..." is drawn
*/
"use strict";

(function () {
  const { html } = Unspoken;

  function syzygyHint(scene, name, yours) {
    if (yours && scene.phase === "source") {
      return (
        "Choose a card to look at: drag it onto the place above the row, or press it twice. Cards with your own " +
        "chip are closed to you. Or pass."
      );
    }
    if (yours) {
      return (
        "Only you see this planet. Drag it to one of the numbered gaps, or press a gap. The row must end up in " +
        "order, from left to right or from right to left."
      );
    }
    return `Watch which card ${name(scene.to_act)} takes and where it goes: that is all the others can tell you.`;
  }

  function syncroHint(scene, name, yours) {
    if (!yours) {
      return scene.decision === "turn"
        ? `Watch where ${name(scene.to_act)} puts a spell: together the spells on a monster must reach its strength.`
        : `${name(scene.to_act)} decides.`;
    }
    const empty = scene.seats[scene.to_act].hand.length === 0;
    return {
      turn: empty
        ? "You have no spells left: pass."
        : "Drag a spell from your hand onto a monster that nothing covers, or press the spell and then the monster. " +
          "It stays face down until the round ends. Or pass, and keep your spells.",
      estimate: "Show the others what your hand is worth. All thumbs are seen at the same time.",
      discard:
        `The Dragon is owed ${scene.owed}. Drag spells worth that, one at a time, to the place for discards, or ` +
        "press a spell twice. Or stop, and leave the rest to the others. If nobody pays, the level is lost.",
      target:
        scene.targets === "wizards"
          ? "Choose a wizard: press a name."
          : "Choose a card of the horde: press it.",
      keep: "The level is won. Keep your hand for the next one, or discard it and draw a new one.",
      over: "",
    }[scene.decision];
  }

  Unspoken.hint = (view, name) =>
    (view.scene.game === "syzygy" ? syzygyHint : syncroHint)(view.scene, name, view.your_turn);

  const DRAWINGS = {
    planet: (number) => html("span", { class: "planet-card face-up" }, Unspoken.planet(Number(number))),
    hole: () => html("span", { class: "planet-card hole-card" }, Unspoken.blackhole()),
    back: () => html("span", { class: "planet-card face-down" }, Unspoken.starryBack()),
    token: (seat, number) => Unspoken.token(Number(seat), number),
    emblem: (kind) => Unspoken.emblem(kind),
    spell: (value) => Unspoken.spell(value ? Number(value) : null, "small"),
    thumb: (estimate) => Unspoken.thumb(estimate),
    crown: () => Unspoken.crown(),
  };

  /* Which parts of the rules this game needs. */
  function conditions({ game, config, n_players: players }) {
    if (game === "syzygy") {
      return {
        blackhole: config.variant !== "base",
        emotions: config.emotions > 1,
        forgetful: config.memory === "none",
      };
    }
    const levels = config.levels;
    const chapters = levels.map((level) => level.split("-")[0]);
    return {
      fog: chapters.includes("II"),
      many: levels.length > 1,
      sums: levels.includes("II-c"),
      few: players < 4,
      five: players === 5,
      golem: levels.some((level) => level !== "I-a"),
      dragon: levels.some((level) => !["I-a", "I-b"].includes(level)),
      boss: levels.includes("I-d"),
      king: levels.includes("II-e"),
      thumbs: levels.some((level) => level !== "II-c"),
    };
  }

  function fill(root, welcome) {
    const { config } = welcome;
    const numbers = { planets: config.n_planets, hand: config.hand_limit, decisions: config.n_turns };
    for (const element of root.querySelectorAll("[data-number]"))
      element.textContent = numbers[element.dataset.number];
    const kept = conditions(welcome);
    for (const element of root.querySelectorAll("[data-when]")) {
      if (!kept[element.dataset.when]) element.remove();
    }
    for (const element of root.querySelectorAll("[data-draw]")) {
      element.append(
        ...element.dataset.draw.split(",").map((words) => {
          const [kind, ...values] = words.trim().split(" ");
          return DRAWINGS[kind](...values);
        }),
      );
    }
  }

  Unspoken.rules = function (welcome) {
    const root = html("div", {}, document.getElementById(`rules-${welcome.game}`).content.cloneNode(true));
    fill(root, welcome);
    return root;
  };
})();
