/* The drawings of Syncro: what a monster is, spells, thumbs, the leader's crown.

   Unspoken.emblem(kind)         "mushroom", "golem", "dragon", "fog", "lieutenant", "boss", "cerberus";
                                 or the back of a card: "monster"
   Unspoken.spell(value, kind)   a spell card, face down where value is null; kind is a class for its size
   Unspoken.thumb(estimate)      "good" up, "average" to the side, "bad" down
   Unspoken.crown()              the leader card
*/
"use strict";

(function () {
  const { svg, html, drawing } = Unspoken;
  const path = (d, kind, more) => svg("path", { d, class: kind, ...more });
  const circle = (x, y, radius, kind) => svg("circle", { cx: x, cy: y, r: radius, class: kind });

  const mushroom = () => [
    path("M18 26 H30 L33 42 Q24 47 15 42 Z", "light line"),
    path("M3 27 Q4 6 24 5 Q44 6 45 27 Q24 33 3 27 Z", "main line"),
    circle(15, 17, 4, "light"),
    circle(28, 12, 3.4, "light"),
    circle(35, 21, 3.6, "light"),
    circle(22, 24, 2.4, "light"),
  ];
  const golem = () => [
    path("M12 8 L30 5 L39 13 L37 24 H11 Z", "main line"),
    path("M6 27 L20 25 H30 L43 27 L45 40 L35 45 H14 L4 40 Z", "main line"),
    path("M15 14 H21 V18 H15 Z M27 14 H33 V18 H27 Z", "glow"),
    path("M16 31 L22 38 L20 44 M33 27 L29 35", "crack"),
  ];
  const dragon = () => [
    path(
      "M8 6 Q18 10 21 15 L28 13 Q27 8 33 3 Q34 10 33 14 Q42 17 46 27 L43 32 L30 33 Q28 40 34 46 H8 Q2 30 10 20 Z",
      "main line",
    ),
    path("M31 20 L37 21 L34 24 Z", "glow"),
    path("M42 29 L30 29", "crack"),
    circle(42.5, 26, 1.2, "dark"),
    path("M13 24 L19 26 M11 31 L18 32 M11 38 L18 38", "crack"),
  ];
  const fog = () => [
    path("M6 16 Q14 8 22 15 T42 14", "mist"),
    path("M4 26 Q13 18 23 25 T45 24", "mist"),
    path("M7 36 Q16 28 25 35 T42 34", "mist"),
  ];
  const lieutenant = () => [
    path("M24 3 L43 9 V22 Q42 38 24 46 Q6 38 5 22 V9 Z", "main line"),
    path(
      "M24 12 L27.4 20 L36 20.6 L29.4 26 L31.6 34.4 L24 29.8 L16.4 34.4 L18.6 26 L12 20.6 L20.6 20 Z",
      "glow",
    ),
  ];
  const boss = () => [
    path("M7 20 L4 6 L15 13 L24 3 L33 13 L44 6 L41 20 Z", "glow line"),
    path("M8 22 H40 L38 34 L31 38 V44 H17 V38 L10 34 Z", "main line"),
    circle(17.5, 29, 3.6, "dark"),
    circle(30.5, 29, 3.6, "dark"),
    path("M21 38 V44 M24 38 V44 M27 38 V44", "crack"),
  ];
  const hound = (x, y, scale) =>
    svg(
      "g",
      { transform: `translate(${x} ${y}) scale(${scale})` },
      path("M-9 -9 L-6 -2 Q0 -5 6 -2 L9 -9 Q12 2 7 7 L3 14 H-3 L-7 7 Q-12 2 -9 -9 Z", "main line"),
      circle(-3.4, 2, 1.5, "glow"),
      circle(3.4, 2, 1.5, "glow"),
      path("M-2 10 H2 L0 12.5 Z", "dark"),
    );
  const cerberus = () => [hound(11, 20, 0.95), hound(37, 20, 0.95), hound(24, 27, 1.15)];
  const monster = () => [
    circle(15, 20, 6, "light line"),
    circle(33, 20, 6, "light line"),
    circle(16, 21, 2.4, "dark"),
    circle(32, 21, 2.4, "dark"),
    path("M8 32 L14 37 L19 32 L24 37 L29 32 L34 37 L40 32", "mist"),
  ];
  const EMBLEMS = { mushroom, golem, dragon, fog, lieutenant, boss, cerberus, monster };

  Unspoken.emblem = (kind) =>
    drawing("0 0 48 48", { class: `emblem emblem-${kind}` }, (EMBLEMS[kind] || monster)());

  /* As many sparks as the value, around the number: 3 is seen as three too. */
  function sparks(value) {
    return Array.from({ length: value }, (_, index) => {
      const angle = (2 * Math.PI * index) / value - Math.PI / 2;
      const [x, y] = [30 + 21 * Math.cos(angle), 42 + 27 * Math.sin(angle)];
      return path(
        `M${x} ${y - 5} L${x + 1.4} ${y - 1.4} L${x + 5} ${y} L${x + 1.4} ${y + 1.4} L${x} ${y + 5} ` +
          `L${x - 1.4} ${y + 1.4} L${x - 5} ${y} L${x - 1.4} ${y - 1.4} Z`,
        "spark",
      );
    });
  }

  Unspoken.spell = function (value, kind) {
    const face =
      value === null
        ? [path("M30 18 L44 42 L30 66 L16 42 Z", "rune"), circle(30, 42, 7, "rune")]
        : [sparks(value), svg("text", { x: 30, y: 43, class: "spell-number" }, String(value))];
    return html(
      "span",
      { class: `spell ${value === null ? "spell-down" : `spell-${value}`} ${kind || ""}` },
      drawing("0 0 60 84", {}, face),
    );
  };

  Unspoken.thumb = function (estimate) {
    return drawing(
      "0 0 24 24",
      { class: `thumb thumb-${estimate}` },
      path(
        "M8 11 L11.4 2.6 C13.4 1.8 15 3.2 14.6 5.4 L13.8 9.2 H19.4 C21.2 9.2 22 10.6 21.6 12.2 L20 19 " +
          "C19.6 20.6 18.6 21.4 17 21.4 H8 Z M2.4 11 H6.4 V21.4 H2.4 Z",
        "thumb-hand",
      ),
    );
  };

  Unspoken.crown = () =>
    drawing(
      "0 0 24 20",
      { class: "crown" },
      path("M2 17 L1 5 L7 10 L12 2 L17 10 L23 5 L22 17 Z", "crown-gold"),
    );
})();
