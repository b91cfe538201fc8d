/* What a person can do now, for those who play for the first time, and the rules with their pictures.

   Unspoken.hint(view, name, actions)   a sentence or two; name(seat) says what a seat is called, `actions` is
                                        the action table
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

  const CHOOSE = "Drag a spell from your hand onto a monster that nothing covers, or press the spell and then the " +
    "monster. It stays face down until the round ends.";

  /* What a wizard whose turn it is can do: `can(kind)` tells whether a kind of move is allowed. */
  function turnHint(scene, can) {
    const own = scene.seats[scene.to_act];
    const rules = scene.fog ? scene.fog.rules : [];
    const reward = can("PLAY REWARD") ? ` Before that you may play your Reward: ${own.reward_text}` : "";
    if (can("ATTACK")) {
      if (can("PASS")) return `${CHOOSE} Or pass, and keep your spells.${reward}`;
      const leads = rules.includes("leader_attacks") && scene.position === 0;
      const cursed = rules.includes("pass") || leads;
      return `You must attack: ${cursed ? "a curse wants it" : "nobody else has in this round"}. ${CHOOSE}${reward}`;
    }
    let why = "your own spell lies on top of every monster that could be attacked";
    if (own.hand.length === 0) why = "you have no spells left";
    else if (scene.n_players === 5 && scene.position === 4) why = "nobody has passed in this round, and one must";
    return `You can only pass: ${why}.${reward}`;
  }

  /* Each wizard with spells is asked once, from the leader on. */
  function paysLast(scene) {
    const place = (seat) => (seat - scene.leader + scene.n_players) % scene.n_players;
    return !scene.seats.some((one, seat) => place(seat) > place(scene.to_act) && one.hand.length);
  }

  function syncroHint(scene, name, yours, can) {
    if (!yours) {
      return scene.decision === "turn"
        ? `Watch where ${name(scene.to_act)} puts a spell: together the spells on a monster must reach its strength.`
        : `${name(scene.to_act)} decides.`;
    }
    return {
      turn: () => turnHint(scene, can),
      estimate: () => "Show the others what your hand is worth. All thumbs are seen at the same time.",
      discard: () =>
        `${scene.slots[scene.foe].name} is owed ${scene.owed}. Drag spells worth that, one at a time, to the place ` +
        "for discards, or press a spell twice. " +
        (paysLast(scene)
          ? "Nobody is asked after you: if you stop before it is paid, the level is lost."
          : "Or stop, and leave the rest to those who come after you. If it is not paid, the level is lost."),
      target: () =>
        `${scene.fog.card}: ${scene.fog.card_text} ` +
        (scene.targets === "wizards" ? "Choose a wizard: press a name." : "Choose a card of the horde: press it."),
      keep: () => "The level is won. Keep your hand for the next one, or discard it and draw a new one.",
      over: () => "",
    }[scene.decision]();
  }

  Unspoken.hint = (view, name, actions) => {
    const can = (kind) => view.legal.some((action) => actions[action].kind === kind);
    return (view.scene.game === "syzygy" ? syzygyHint : syncroHint)(view.scene, name, view.your_turn, can);
  };

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
