/* The cards of Syzygy: twelve planets, each with its own look, the Blackhole and the back of a card.

   Unspoken.planet(number)   a disc with its number
   Unspoken.blackhole()      the Blackhole; Unspoken.blackhole(number) once it is known which planet it is
   Unspoken.starryBack()     what all face-down cards show
   Drawings are 100 wide and high around (0, 0); nothing here knows the game.
*/
"use strict";

(function () {
  const { svg, drawing } = Unspoken;
  const RADIUS = 42;
  let used = 0;

  const circle = (x, y, radius, colour, more) =>
    svg("circle", { cx: x, cy: y, r: radius, fill: colour, ...more });
  const path = (d, colour, more) => svg("path", { d, fill: colour, ...more });
  const stroke = (d, colour, width, more) =>
    svg("path", {
      d,
      fill: "none",
      stroke: colour,
      "stroke-width": width,
      "stroke-linecap": "round",
      ...more,
    });
  const band = (y, height, colour) => svg("rect", { x: -50, y, width: 100, height, fill: colour });

  /* Each: the ground colour, what lies on the disc, what goes around it. */
  const LOOKS = [
    null,
    {
      ground: "#b7aca0",
      on: () => [
        circle(-20, -18, 10, "#9b8f83"),
        circle(24, -22, 6, "#9b8f83"),
        circle(22, 20, 12, "#a3978b"),
        circle(-22, 24, 7, "#8e8277"),
        circle(-34, 2, 4, "#8e8277"),
        circle(2, 34, 5, "#9b8f83"),
      ],
    },
    {
      ground: "#f0d79a",
      on: () => [
        stroke("M-50 -22 C-20 -34 8 -8 50 -24", "#e2b864", 9),
        stroke("M-50 4 C-14 -10 14 18 50 0", "#f8ebc4", 8),
        stroke("M-50 26 C-20 14 10 38 50 22", "#dba94f", 9),
      ],
    },
    {
      ground: "#3f86cf",
      on: () => [
        path("M-34 -26 C-20 -40 0 -36 -4 -22 C-8 -12 -24 -10 -26 2 C-30 10 -44 0 -42 -10 Z", "#5fae5b"),
        path("M12 -8 C24 -20 42 -14 44 0 C44 14 30 12 26 26 C20 38 8 28 10 14 Z", "#5fae5b"),
        path("M-22 22 C-12 14 -2 26 -10 34 C-18 40 -28 32 -22 22 Z", "#6dbb66"),
        path("M-24 -42 C-8 -34 10 -34 24 -42 Z", "#f4f8fb"),
      ],
    },
    {
      ground: "#d2603f",
      on: () => [
        path("M-30 -40 C-12 -28 12 -28 28 -40 Z", "#fbe9dd"),
        stroke("M-44 4 C-18 -8 4 14 44 -4", "#a8432a", 5),
        stroke("M-30 26 C-8 16 14 32 36 18", "#b64d31", 6),
        circle(-18, -14, 6, "#b64d31"),
      ],
    },
    {
      ground: "#e8b583",
      on: () => [
        band(-44, 12, "#c98b58"),
        band(-24, 8, "#f6dcb8"),
        band(-8, 10, "#c07c4b"),
        band(10, 7, "#f2cfa2"),
        band(24, 9, "#c98b58"),
        svg("ellipse", { cx: 24, cy: 20, rx: 13, ry: 7, fill: "#b1402d" }),
      ],
    },
    {
      ground: "#e9c65c",
      scale: 0.74,
      on: () => [band(-30, 9, "#d5a93f"), band(0, 7, "#f6e08f"), band(18, 9, "#d5a93f")],
      around: () => [
        svg("ellipse", {
          cx: 0,
          cy: 0,
          rx: 47,
          ry: 13,
          fill: "none",
          stroke: "#f3deb0",
          "stroke-width": 6,
          transform: "rotate(-18)",
        }),
      ],
    },
    {
      ground: "#83d3d4",
      on: () => [
        stroke("M-50 -30 C-16 -20 16 -20 50 -30", "#a9e6e2", 7),
        stroke("M-50 28 C-16 38 16 38 50 28", "#5fb5ba", 8),
      ],
      scale: 0.84,
      around: () => [
        svg("ellipse", {
          cx: 0,
          cy: 0,
          rx: 9,
          ry: 47,
          fill: "none",
          stroke: "#e4fbfa",
          "stroke-width": 3,
          transform: "rotate(14)",
        }),
      ],
    },
    {
      ground: "#2f4fb4",
      on: () => [
        stroke("M-36 -20 H-6", "#dfe8ff", 4),
        stroke("M6 -30 H30", "#9bb2f2", 3),
        stroke("M10 24 H38", "#dfe8ff", 4),
        stroke("M-30 28 H-12", "#9bb2f2", 3),
        svg("ellipse", { cx: -22, cy: 6, rx: 12, ry: 8, fill: "#1e3585" }),
      ],
    },
    {
      ground: "#d9c7e8",
      on: () => [
        path(
          "M0 38 C-40 12 -34 -22 -14 -22 C-4 -22 0 -14 0 -10 C0 -14 4 -22 14 -22 C34 -22 40 12 0 38 Z",
          "#f7f0fb",
        ),
        circle(-30, -24, 5, "#b69fcb"),
        circle(30, -26, 4, "#b69fcb"),
      ],
    },
    {
      ground: "#3a2c2c",
      on: () => [
        stroke("M-42 -14 L-20 -4 L-24 18 L-4 40", "#ff7b2e", 4),
        stroke("M-20 -4 L6 -26 L14 -44", "#ffb13d", 4),
        stroke("M44 -6 L24 2 L26 22 L40 30", "#ff7b2e", 4),
        stroke("M24 2 L6 -26", "#ff7b2e", 3),
      ],
    },
    {
      ground: "#6cbf6a",
      on: () =>
        [-56, -28, 0, 28].map((x) => path(`M${x} 50 L${x + 40} -50 H${x + 54} L${x + 14} 50 Z`, "#3f8f4f")),
    },
    {
      ground: "#8a4fb0",
      scale: 0.86,
      on: () => [
        stroke("M-40 -16 C-10 -30 16 -4 42 -20", "#b982da", 6),
        stroke("M-40 20 C-12 8 16 32 40 16", "#6a3590", 7),
      ],
      around: () => [circle(38, -36, 8, "#e7dcef"), circle(-42, 30, 5, "#c9b4d9")],
    },
  ];

  function numeral(number) {
    return svg("text", { x: 0, y: 1, class: "planet-number" }, String(number));
  }

  /* A disc lit from the upper left. A clip path needs a name that no other drawing in the page has. */
  function disc(look) {
    const name = `unspoken-disc-${(used += 1)}`;
    const clip = svg("clipPath", { id: name }, circle(0, 0, RADIUS, "#000"));
    const surface = svg(
      "g",
      { "clip-path": `url(#${name})` },
      circle(0, 0, RADIUS, look.ground),
      look.on(),
      path("M-14 50 A 56 56 0 0 0 50 -14 V 50 Z", "#0b0f2a", { opacity: 0.22 }),
      circle(-16, -18, 15, "#fff", { opacity: 0.16 }),
    );
    return svg("g", look.scale ? { transform: `scale(${look.scale})` } : {}, clip, surface);
  }

  Unspoken.planet = function (number) {
    const look = LOOKS[number];
    return drawing(
      "-50 -50 100 100",
      { class: "planet" },
      disc(look),
      look.around ? look.around() : [],
      numeral(number),
    );
  };

  Unspoken.blackhole = function (number) {
    return drawing(
      "-50 -50 100 100",
      { class: "planet hole" },
      svg("ellipse", {
        cx: 0,
        cy: 0,
        rx: 47,
        ry: 17,
        fill: "none",
        stroke: "#f0a04b",
        "stroke-width": 4,
        transform: "rotate(-20)",
        opacity: 0.9,
      }),
      svg("ellipse", {
        cx: 0,
        cy: 0,
        rx: 40,
        ry: 12,
        fill: "none",
        stroke: "#ffe2b0",
        "stroke-width": 2,
        transform: "rotate(-20)",
      }),
      circle(0, 0, 27, "#050509", { stroke: "#f6c98a", "stroke-width": 1.5 }),
      number ? numeral(number) : [],
    );
  };

  Unspoken.starryBack = function () {
    const stars = [
      [-22, -40],
      [14, -30],
      [-6, -8],
      [24, 6],
      [-20, 26],
      [10, 40],
    ];
    return drawing(
      "-40 -60 80 120",
      { class: "back", preserveAspectRatio: "xMidYMid slice" },
      stroke(stars.map(([x, y], index) => `${index ? "L" : "M"}${x} ${y}`).join(" "), "#7f8bd0", 0.8),
      stars.map(([x, y], index) => circle(x, y, index % 2 ? 2.2 : 3, "#dfe4ff")),
      [
        [-30, 4],
        [30, -44],
        [28, 34],
        [-12, 52],
        [-32, -18],
        [4, 16],
      ].map(([x, y]) => circle(x, y, 1, "#aab3ea")),
    );
  };
})();
