/* The page of a recorded game: everything is in the page, so a step is only a drawing.

   The data (zlib, then base64): actions (the action table), maxScore, finished, outcome (a line of text);
   views: of each the seat (null: all cards turned up), its name, the scenes of all steps;
   decisions: of each step null, or seat, action, chances ([action, probability], most likely first) and value, or null.
   In the view of a seat only what it decided itself is shown.
*/
"use strict";

(async function () {
  const { html } = Unspoken;
  const get = (id) => document.getElementById(id);
  const MOST_CHANCES = 8;
  const MILLISECONDS = 1000;

  function fail(text) {
    get("problem").textContent = text;
    get("problem").hidden = false;
  }

  async function unpack() {
    const packed = Uint8Array.from(atob(get("data").textContent.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  if (!window.DecompressionStream) {
    fail("This browser is too old for this page: it cannot unpack the recorded game.");
    return;
  }
  let data;
  try {
    data = await unpack();
  } catch (error) {
    fail(`The recorded game in this page is damaged: ${error.message}`);
    return;
  }

  const table = Unspoken.table(get("table"), { actions: data.actions });
  const end = data.decisions.length - 1;
  let step = 0;
  let view = data.views[0];
  let timer = null;

  const percent = (chance) => (chance < 0.001 ? "<0.1%" : `${(100 * chance).toFixed(1)}%`);
  const bar = (kind, share) => {
    const filled = html("i", { style: { width: `${100 * Math.min(1, Math.max(0, share))}%` } });
    return html("span", { class: kind, "aria-hidden": "true" }, filled);
  };

  const nameOf = (action) => (action < data.actions.length ? data.actions[action].name : "no action");

  /* What an action of Syncro is about: its numbers are places in a hand and in the horde. */
  function about(action, seat, scene) {
    const { kind, hand, slot } = data.actions[action] || {};
    const spell = () => `spell ${scene.seats[seat].hand[hand] || "?"}`;
    const card = () => scene.slots[slot].name || `${scene.slots[slot].back}, face down`;
    if (scene.game !== "syncro" || scene.result) return "";
    if (kind === "ATTACK") return `${spell()} on ${card()}`;
    if (kind === "DISCARD") return spell();
    if (kind === "TARGET") return scene.targets === "wizards" ? `player_${(seat + slot) % scene.n_players}` : card();
    return "";
  }

  function label(action, seat, scene, chosen) {
    const words = about(action, seat, scene);
    return html("span", { class: "chance-name" }, nameOf(action), chosen ? " ✓" : "",
      words ? html("span", { class: "about" }, words) : []);
  }

  function showDecision() {
    const scene = view.scenes[step];
    const decision = data.decisions[step];
    const known = decision && (view.seat === null || view.seat === decision.seat);
    get("chances").replaceChildren();
    get("value").replaceChildren();
    if (!known) {
      const waits = step < end ? "Somebody else decides now." : data.finished ? "The game is over." : "The recording ends here.";
      get("choice").textContent = waits;
      return;
    }
    const words = about(decision.action, decision.seat, scene);
    get("choice").textContent = `player_${decision.seat} chooses ${nameOf(decision.action)}${words ? `: ${words}` : ""}.`;
    if (decision.chances) {
      for (const [action, chance] of decision.chances.slice(0, MOST_CHANCES)) {
        const chosen = action === decision.action;
        get("chances").append(
          html("li", { class: chosen ? "chance chosen-one" : "chance" },
            label(action, decision.seat, scene, chosen),
            bar("chance-bar", chance),
            html("span", { class: "chance-number" }, percent(chance))),
        );
      }
      const more = decision.chances.length - MOST_CHANCES;
      if (more > 0) get("chances").append(html("li", {}, `and ${more} less likely`));
    }
    if (decision.value !== null) {
      const goal = data.maxScore === 1 ? "1 is a win" : `${data.maxScore} levels to win at the start`;
      const says = `Expected reward: ${decision.value.toFixed(2)} (${goal})`;
      get("value").append(says, bar("value-bar", decision.value / data.maxScore));
    }
  }

  function show(number) {
    step = Math.min(end, Math.max(0, number));
    const scene = view.scenes[step];
    table.show(scene);
    showDecision();
    get("slider").value = step;
    get("slider").setAttribute("aria-valuetext", `step ${step} of ${end}`);
    get("count").textContent = `${step} of ${end}`;
    get("now").textContent = `Step ${step} of ${end}. ${scene.last ? `${scene.last_text}. ` : ""}${scene.status}`;
    for (const [id, off] of [["first", step === 0], ["back", step === 0], ["next", step === end], ["last", step === end]]) {
      // Not disabled: the keyboard's focus would be lost.
      get(id).setAttribute("aria-disabled", String(off));
    }
    if (step === end) pause();
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    get("play").textContent = "Play";
    get("play").setAttribute("aria-pressed", "false");
  }

  function playOrPause() {
    if (timer !== null) {
      pause();
      return;
    }
    if (step === end) show(0);
    timer = setInterval(() => show(step + 1), MILLISECONDS);
    get("play").textContent = "Pause";
    get("play").setAttribute("aria-pressed", "true");
  }

  const KEYS = { ArrowLeft: () => show(step - 1), ArrowRight: () => show(step + 1), Home: () => show(0), End: () => show(end), p: playOrPause };

  get("first").addEventListener("click", () => show(0));
  get("back").addEventListener("click", () => show(step - 1));
  get("next").addEventListener("click", () => show(step + 1));
  get("last").addEventListener("click", () => show(end));
  get("play").addEventListener("click", playOrPause);
  get("slider").addEventListener("input", (event) => show(Number(event.target.value)));
  get("view").addEventListener("change", (event) => {
    view = data.views[Number(event.target.value)];
    show(step);
  });
  document.addEventListener("keydown", (event) => {
    // A slider and a list have these keys themselves.
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select")) return;
    if (Object.hasOwn(KEYS, event.key)) {
      event.preventDefault();
      KEYS[event.key]();
    }
  });

  get("outcome").textContent = data.outcome;
  get("slider").max = end;
  data.views.forEach((each, number) => get("view").append(html("option", { value: number }, each.name)));
  get("replay").hidden = false;
  show(0);
})();
