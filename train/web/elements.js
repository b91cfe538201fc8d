/* Building blocks of every drawing: HTML and SVG elements, and what a seat looks like.

   Unspoken.html(tag, attributes, ...children)   an HTML element; text is always set as text, never parsed
   Unspoken.svg(tag, attributes, ...children)    the same for SVG
   Unspoken.item(live, kind, label, ...children) a thing on the table: a button in a game, else a picture
   Unspoken.dropPlace(kind, text)                an empty place to put cards
   Unspoken.controls()                           where the moves are that are buttons
   Unspoken.token(seat, text)                    a chip: each seat has a colour and a shape of its own
   Unspoken.count(number, noun)                  "1 spell", "2 spells"
   Unspoken.does(name, verb, verbs)              "You pass", "Wizard 2 passes"
*/
"use strict";
var Unspoken = window.Unspoken || {};
window.Unspoken = Unspoken;

(function () {
  const SVG = "http://www.w3.org/2000/svg";

  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name === "style") {
        // Through the object model: a page that allows no inline styles allows this.
        for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
      } else if (name.startsWith("on")) {
        element.addEventListener(name.slice(2), value);
      } else {
        element.setAttribute(name, value === true ? "" : value);
      }
    }
    for (const child of children.flat(Infinity)) {
      if (child !== null && child !== undefined && child !== false) element.append(child);
    }
    return element;
  }

  Unspoken.html = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  Unspoken.svg = (tag, attributes, ...children) =>
    fill(document.createElementNS(SVG, tag), attributes, children);

  /* A drawing beside text that says the same: screen readers skip it. */
  Unspoken.drawing = (box, attributes, ...children) =>
    Unspoken.svg(
      "svg",
      { viewBox: box, "aria-hidden": "true", focusable: "false", ...attributes },
      ...children,
    );

  Unspoken.item = function (live, kind, label, ...children) {
    if (!live) return Unspoken.html("div", { class: kind, role: "img", "aria-label": label }, ...children);
    const attributes = {
      type: "button",
      class: kind,
      "aria-label": label,
      "aria-disabled": "true",
      tabindex: "-1",
    };
    return Unspoken.html("button", { ...attributes, "data-item": "" }, ...children);
  };

  Unspoken.dropPlace = function (kind, text) {
    const place = Unspoken.item(true, kind, text, text);
    place.dataset.key = kind;
    return place;
  };

  Unspoken.controls = () =>
    Unspoken.html("div", { class: "controls", role: "group", "aria-label": "Other moves", "data-group": "" });

  Unspoken.count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

  Unspoken.does = (name, verb, verbs) => `${name} ${name === "You" ? verb : verbs}`;

  /* Circle, square, triangle, diamond, hexagon, star: a seat is known without its colour. */
  const SHAPES = [
    ["circle", { cx: 12, cy: 12, r: 10.5 }],
    ["rect", { x: 2, y: 2, width: 20, height: 20, rx: 3 }],
    ["path", { d: "M12 0.5 L23.5 21.5 Q23.5 22.5 22.5 22.5 H1.5 Q0.5 22.5 0.5 21.5 Z" }],
    ["path", { d: "M12 0 L24 12 L12 24 L0 12 Z" }],
    ["path", { d: "M6 1.6 H18 L24 12 L18 22.4 H6 L0 12 Z" }],
    [
      "path",
      { d: "M12 0 L15.2 7.2 L23.5 8 L17.3 13.6 L19.2 22.5 L12 18 L4.8 22.5 L6.7 13.6 L0.5 8 L8.8 7.2 Z" },
    ],
  ];
  Unspoken.token = function (seat, text, kind) {
    const [tag, shape] = SHAPES[seat];
    const low = seat === 2 ? 16 : 12.5;
    return Unspoken.drawing(
      "-1 -1 26 26",
      { class: `token seat-${seat} ${kind || ""}` },
      Unspoken.svg(tag, { ...shape, class: "token-shape" }),
      Unspoken.svg("text", { x: 12, y: low, class: "token-text" }, text === undefined ? "" : String(text)),
    );
  };

  /* What a seat is called: the page's own names, or the environment's. */
  Unspoken.seatName = (options, seat) => (options.names && options.names[seat]) || `player_${seat}`;
})();
