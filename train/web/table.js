/* The table of either game as a picture, or as something to play with.

   const table = Unspoken.table(container, options);
   table.show(scene)                 draws a scene (the data of `describe`) into the container
   table.show(scene, legal, onAct)   the same for the person whose turn it is: `legal` are the numbers of the
                                     allowed actions, onAct(action) is called once, with the chosen one
   table.words(action)               an action in words, for the person whose turn it is
   table.tells(action, seat, scene)  what a seat did, in a sentence: `scene` is the one it was done in, null if
                                     that is gone; with action null, something that is not known yet
   options: names    what each seat is called, by seat (else player_0, player_1, ...)
            you      the seat that plays here (else the scene's observer)
            game, actions  "syzygy" or "syncro", and its action table: where somebody plays, and for words()
            first    the number of the first place of a row and of a horde (0, as in the names of actions)
   Scripts before this one, in this order: elements, planets, emblems, moves, syzygy, syncro.
*/
"use strict";

(function () {
  const { html } = Unspoken;

  /* What a game's drawing is given: the scene, and how to speak of it and act on it. */
  function describeTable(scene, options, legal, moves, details) {
    const actions = options.actions || [];
    const allowed = legal || [];
    const first = options.first || 0;
    return {
      scene,
      actions,
      moves,
      details,
      live: moves !== null,
      you: options.you === undefined && scene ? scene.observer : options.you,
      name: (seat) => Unspoken.seatName(options, seat),
      place: (number) => number + first,
      legalActions: (kind, fields) =>
        allowed.filter(
          (number) =>
            actions[number].kind === kind &&
            Object.entries(fields).every(([field, value]) => actions[number][field] === value),
        ),
    };
  }

  const still = window.matchMedia("(prefers-reduced-motion: reduce)");

  /* Cards that lie elsewhere than before slide there: it shows what was moved. */
  function slide(root, before) {
    for (const element of root.querySelectorAll("[data-origin]:not(.taken)")) {
      const old = before.get(element.dataset.origin);
      if (!old || !element.animate) continue;
      const now = element.getBoundingClientRect();
      const [x, y] = [old.left - now.left, old.top - now.top];
      if (Math.abs(x) + Math.abs(y) < 2) continue;
      element.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], {
        duration: 350,
        easing: "ease-in-out",
      });
    }
  }

  function places(root) {
    const found = new Map();
    if (still.matches) return found;
    for (const element of root.querySelectorAll("[data-origin]:not(.taken)")) {
      found.set(element.dataset.origin, element.getBoundingClientRect());
    }
    return found;
  }

  /* Keyboard focus stays where it was, or goes to the first thing that can be done. */
  function focusAgain(root, key) {
    const items = [...root.querySelectorAll("[data-item]")];
    const same = items.find((one) => one.dataset.key === key);
    const can = (one) => !one.hasAttribute("aria-disabled");
    const next =
      (same && can(same) && same) ||
      items.find((one) => one.classList.contains("target")) ||
      items.find(can) ||
      same ||
      root;
    next.focus({ preventScroll: next === root });
  }

  Unspoken.table = function (container, options = {}) {
    let moves = null;
    let current = null;
    const details = html("p", { class: "details", "aria-hidden": "true" });
    container.classList.add("unspoken");
    container.tabIndex = -1;
    const tell = (event) => {
      const one = event.target.closest("[data-item], [role=img]");
      if (one && one.closest(".row, .horde, .glass, .hand"))
        details.textContent = one.getAttribute("aria-label");
    };
    container.addEventListener("pointerover", tell);
    container.addEventListener("focusin", tell);

    function show(scene, legal, onAct) {
      const held = container.contains(document.activeElement) ? document.activeElement : null;
      const key = held && held.closest("[data-key]") ? held.closest("[data-key]").dataset.key : "";
      const before = places(container);
      if (moves) moves.close();
      moves = onAct || options.live ? new Unspoken.Moves(container, onAct || (() => {})) : null;
      container.classList.toggle("live", moves !== null);
      current = describeTable(scene, options, onAct ? legal : [], moves, details);
      details.textContent = "";
      container.replaceChildren(Unspoken.games[scene.game].draw(current));
      if (moves) moves.arrange();
      slide(container, before);
      if (held) focusAgain(container, key);
    }

    return {
      show,
      words: (action) => Unspoken.games[current.scene.game].words(current, action),
      tells: (action, seat, before) =>
        Unspoken.games[options.game].tells(describeTable(before, options, [], null, null), action, seat),
    };
  };
})();
