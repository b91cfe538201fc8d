/* How a person makes a move: drag a card to a place, or press the card and then the place, by mouse or keyboard.

   new Unspoken.Moves(root, act)                  act(action) is called once for each set of choices
   moves.source(element, targets, {twice, chosen})
                                                  a card that goes to one of `targets`: {element, action}, or
                                                  {element, choices: [{action, label, picture}]} where a place
                                                  has several meanings; `twice`: pressing the card again takes
                                                  its only target; `chosen`: it is in the hand already
   moves.direct(element, action)                  a card or place that is a move by itself
   moves.button(text, action, key, again)         the same as a button; with `again` it must be pressed twice
   Nothing is done before a card is let go over a place: dragging it back, or Escape, takes it up again.
*/
"use strict";

(function () {
  const { html } = Unspoken;
  const DRAG_PIXELS = 7;
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  class Moves {
    constructor(root, act) {
      this.root = root;
      this.act = act;
      this.sources = new Map();
      this.chosen = null;
      this.armed = null;
      this.drag = null;
      this.done = false;
      this.onKey = (event) => this.key(event);
      this.onFocus = (event) => this.arrive(event.target);
      root.addEventListener("keydown", this.onKey);
      root.addEventListener("focusin", this.onFocus);
    }

    /* The table is drawn anew: a card in the hand is let go. */
    close() {
      this.done = true;
      if (this.drag && this.drag.ghost) this.drag.ghost.remove();
      this.drag = null;
      this.root.removeEventListener("keydown", this.onKey);
      this.root.removeEventListener("focusin", this.onFocus);
    }

    source(element, targets, { twice = false, chosen = false } = {}) {
      this.sources.set(element, { targets, twice, always: chosen });
      this.enable(element, "can");
      element.addEventListener("pointerdown", (event) => this.down(event, element));
      element.addEventListener("click", (event) => this.press(event, element));
      for (const target of targets) {
        if (target.element.dataset.wired) continue;
        target.element.dataset.wired = "yes";
        target.element.addEventListener("click", () => this.drop(target.element));
      }
      if (chosen) this.choose(element);
    }

    direct(element, action) {
      this.enable(element, "can");
      element.addEventListener("click", () => this.play(action));
    }

    button(text, action, key, again) {
      const element = html(
        "button",
        { type: "button", class: "control", tabindex: "-1", "data-item": "" },
        text,
      );
      element.dataset.key = key;
      const label = [...element.childNodes];
      const disarm = () => {
        this.armed = null;
        element.classList.remove("armed");
        element.replaceChildren(...label);
      };
      element.addEventListener("click", () => {
        if (!again || this.armed === element) {
          this.play(action);
          return;
        }
        this.armed = element;
        element.classList.add("armed");
        element.replaceChildren(again);
      });
      element.addEventListener("blur", disarm);
      return element;
    }

    enable(element, kind) {
      element.classList.add(kind);
      element.removeAttribute("aria-disabled");
    }

    play(action) {
      if (this.done) return;
      this.done = true;
      this.act(action);
    }

    choose(element) {
      const before = this.chosen;
      if (before) this.release(false);
      this.chosen = element;
      element.classList.add("chosen");
      element.setAttribute("aria-pressed", "true");
      for (const target of this.sources.get(element).targets) this.enable(target.element, "target");
      this.arrange();
    }

    release(withFocus) {
      const element = this.chosen;
      if (!element) return;
      this.closeChoices();
      for (const target of this.sources.get(element).targets) {
        target.element.classList.remove("target", "over");
        if (!this.sources.has(target.element)) target.element.setAttribute("aria-disabled", "true");
      }
      element.classList.remove("chosen");
      element.removeAttribute("aria-pressed");
      this.chosen = null;
      this.arrange();
      if (withFocus) element.focus();
    }

    press(event, element) {
      const dragged = this.dragged && event.detail > 0; // a click that only ends a drag
      this.dragged = false;
      if (dragged) return;
      const { targets, twice, always } = this.sources.get(element);
      if (this.chosen !== element) {
        this.choose(element);
        if (event.detail === 0 && !twice) targets[0].element.focus();
      } else if (twice) {
        this.drop(targets[0].element);
      } else if (always) {
        targets[0].element.focus();
      } else {
        this.release(true);
      }
    }

    drop(element) {
      if (!this.chosen) return;
      const target = this.sources.get(this.chosen).targets.find((one) => one.element === element);
      if (!target) return;
      if (!target.choices) this.play(target.action);
      else if (target.choices.length === 1) this.play(target.choices[0].action);
      else this.openChoices(target);
    }

    openChoices(target) {
      this.closeChoices();
      const buttons = target.choices.map((choice) => {
        const button = html(
          "button",
          { type: "button", class: "control", "data-item": "" },
          choice.picture,
          choice.label,
        );
        button.addEventListener("click", () => this.play(choice.action));
        return button;
      });
      this.choices = html(
        "div",
        { class: "choices", role: "group", "aria-label": "How?", "data-group": "" },
        buttons,
      );
      target.element.classList.add("over");
      this.root.querySelector(".controls").append(this.choices);
      this.arrange();
      buttons[0].focus();
    }

    closeChoices() {
      if (this.choices) this.choices.remove();
      this.choices = null;
    }

    down(event, element) {
      if (event.button !== 0 || this.done) return;
      const { left, top } = element.getBoundingClientRect();
      this.dragged = false;
      this.drag = { element, x: event.clientX, y: event.clientY, left, top, ghost: null };
      element.setPointerCapture(event.pointerId);
      const move = (moved) => this.move(moved);
      const up = (ended) => {
        element.removeEventListener("pointermove", move);
        element.removeEventListener("pointerup", up);
        element.removeEventListener("pointercancel", up);
        this.up(ended);
      };
      element.addEventListener("pointermove", move);
      element.addEventListener("pointerup", up);
      element.addEventListener("pointercancel", up);
    }

    move(event) {
      const { drag } = this;
      if (!drag || this.done) return;
      const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
      if (!drag.ghost) {
        if (Math.hypot(x, y) < DRAG_PIXELS) return;
        if (this.chosen !== drag.element) this.choose(drag.element);
        const { width, height } = drag.element.getBoundingClientRect();
        drag.ghost = drag.element.cloneNode(true);
        drag.ghost.removeAttribute("data-key");
        drag.ghost.removeAttribute("data-item");
        drag.ghost.classList.add("ghost");
        const place = {
          left: `${drag.left}px`,
          top: `${drag.top}px`,
          width: `${width}px`,
          height: `${height}px`,
        };
        for (const [name, value] of Object.entries(place)) drag.ghost.style.setProperty(name, value);
        drag.element.classList.add("dragged");
        this.root.append(drag.ghost);
      }
      drag.ghost.style.setProperty("transform", `translate(${x}px, ${y}px) rotate(2deg)`);
      const over = this.under(event.clientX, event.clientY);
      for (const target of this.sources.get(drag.element).targets) {
        target.element.classList.toggle("over", target.element === over);
      }
    }

    /* The place under the pointer, or the nearest one close by. */
    under(x, y) {
      let best = null;
      let nearest = 28;
      for (const { element } of this.sources.get(this.drag.element).targets) {
        const box = element.getBoundingClientRect();
        const distance =
          Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom)) +
          Math.hypot(x - (box.left + box.right) / 2, y - (box.top + box.bottom) / 2) / 1000;
        if (distance < nearest) [best, nearest] = [element, distance];
      }
      return best;
    }

    up(event) {
      const { drag } = this;
      this.drag = null;
      if (!drag || !drag.ghost) return;
      drag.ghost.remove();
      drag.element.classList.remove("dragged");
      this.dragged = true;
      this.drag = drag;
      const over = event.type === "pointercancel" ? null : this.under(event.clientX, event.clientY);
      this.drag = null;
      if (over) this.drop(over);
      else if (!this.sources.get(drag.element).always) this.release(false);
    }

    /* One stop of the Tab key in each group, at what can be done there. */
    arrange() {
      for (const group of this.root.querySelectorAll("[data-group]")) {
        const items = [...group.querySelectorAll("[data-item]")].filter(
          (one) => one.closest("[data-group]") === group,
        );
        const stop =
          items.find((one) => one.classList.contains("target")) ||
          items.find((one) => !one.hasAttribute("aria-disabled")) ||
          items[0];
        for (const one of items) one.tabIndex = one === stop ? 0 : -1;
      }
    }

    arrive(element) {
      const group = element.closest("[data-group]");
      if (!group || !element.hasAttribute("data-item")) return;
      for (const one of group.querySelectorAll("[data-item]")) {
        if (one.closest("[data-group]") === group) one.tabIndex = one === element ? 0 : -1;
      }
    }

    key(event) {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "Escape" && this.chosen && !this.sources.get(this.chosen).always) {
        this.release(true);
        event.preventDefault();
        return;
      }
      const step = ARROWS[event.key];
      const from = event.target.closest("[data-item]");
      if (!step || !from) return;
      event.preventDefault();
      const next = this.neighbour(from, step);
      if (next) next.focus();
    }

    /* The item next to this one in a direction, of the same group first; for a chosen card, its places. */
    neighbour(from, [right, down]) {
      const box = from.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      let best = null;
      let least = Infinity;
      for (const one of this.root.querySelectorAll("[data-item]")) {
        const other = one.getBoundingClientRect();
        const [dx, dy] = [other.left + other.width / 2 - x, other.top + other.height / 2 - y];
        const along = dx * right + dy * down;
        const aside = Math.abs(dx * down) + Math.abs(dy * right);
        if (one === from || along < 4 || aside > 3 * along + box.width) continue;
        if (this.chosen && one !== this.chosen && !one.matches(".target, .choices *")) continue;
        const elsewhere = one.closest("[data-group]") !== from.closest("[data-group]");
        const distance = along + 2 * aside + (elsewhere ? 10000 : 0);
        if (distance < least) [best, least] = [one, distance];
      }
      return best;
    }
  }

  Unspoken.Moves = Moves;
})();
