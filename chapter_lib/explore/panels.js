// The explorer's pictures.  Each panel has a `root` to place and an `update(state, found)`.
const DEGREE = 180 / Math.PI;
const BOUNDARIES = ["free", "torque", "feedback", "locked"];
const BOUNDARY_NAMES = { free: "free", torque: "torque given", feedback: "feedback", locked: "locked" };
const CONDITIONS = ["both_locked", "wrist_free", "elbow_free", "both_free"];
const CONDITION_NAMES = {
  both_locked: "both locked", wrist_free: "wrist alone free",
  elbow_free: "elbow alone free", both_free: "both free",
};
const PI_TICKS = [[-Math.PI, "−π"], [-Math.PI / 2, "−π/2"], [0, "0"], [Math.PI / 2, "π/2"], [Math.PI, "π"]];

function panel(title, ...content) {
  return html("section", { class: "panel" }, html("h4", {}, title), ...content);
}

function key(entries) {
  const items = entries.map(([kind, text]) => html("span", {},
    svg("svg", { viewBox: "0 0 26 8", width: 26, height: 8, "aria-hidden": "true" },
      sample(kind)), text));
  return html("p", { class: "key" }, ...items);
}

// a short piece of line, as the canvases draw it
function sample(kind) {
  const [look, thin] = kind.split(" "), { width, dash } = LOOKS[look];
  return svg("path", { class: `line ${look}`, d: "M1 4H25", "stroke-width": thin ? 1.3 : width, "stroke-dasharray": dash.join(" ") });
}

function feltPanel() {
  const rows = CONDITIONS.map((name) => bar(`felt.${name}`, CONDITION_NAMES[name], name.includes("locked") || name === "elbow_free" ? "locked" : "free"));
  const elbow = [bar("elbow.M22", "wrist locked, M₂₂", "locked"), bar("elbow.d2", "wrist free, d₂", "free")];
  const worth = Array.from({ length: 4 }, () => box());
  const [a, b, c, d] = worth.map(({ root }) => root);
  const note = html("p", { class: "note" }, "Freeing the wrist is worth", a, "with the elbow locked,", b,
    "with it free; freeing the elbow", c, "with the wrist locked,", d, "with it free.");
  const root = panel("Inertia felt (kg m²)",
    html("p", { class: "over" }, "at the shoulder"), ...rows.map((row) => row.root),
    html("p", { class: "over" }, "at the elbow"), ...elbow.map((row) => row.root), note);
  function update(state, found) {
    const most = found.felt[0], now = CONDITIONS[conditionOf(state)];
    rows.forEach((row, k) => row.update(found.felt[k], most, CONDITIONS[k] === now));
    elbow.forEach((row, k) => row.update(found.elbow[k], found.elbow[0], false));
    const [ll, lf, fl, ff] = found.felt, share = (locked, free) => `${fixed(100 * (1 - free / locked), 0)} %`;
    [share(ll, lf), share(fl, ff), share(ll, fl), share(lf, ff)].forEach((text, k) => say(worth[k].text, text));
  }
  return { root, update };
}

function bar(name, label, kind) {
  const track = html("span", { class: `track ${kind}` }), value = reading(name), percent = box();
  const root = html("div", { class: "bar" }, html("span", { class: "what" }, label), track, value.root, percent.root);
  percent.root.classList.add("percent");
  return {
    root,
    update(x, most, now) {
      track.style.backgroundSize = `${100 * x / most}% 100%`;
      show(value, x, 4);
      say(percent.text, x < most * 0.9995 ? `−${fixed(100 * (1 - x / most), 0)} %` : "");
      root.classList.toggle("now", now);
    },
  };
}

function curvePanel() {
  const plot = new Plot({ x: [-Math.PI, Math.PI], y: [0, 1], xticks: PI_TICKS, xlabel: "wrist angle q₃ (rad)",
    ylabel: "M_eff (kg m²)", name: "Inertia at the shoulder against wrist angle, wrist locked and free" });
  const title = html("h4"), root = html("section", { class: "panel" }, title, plot.root, key([["locked", "wrist locked"], ["free", "wrist free"]]));
  const xs = Array.from({ length: 73 }, (_, k) => -Math.PI + (k * Math.PI) / 36);
  function update(state, found) {
    const [a, b] = state.elbow === "locked" ? [0, 1] : [2, 3];
    const values = xs.map((q3) => found.feltAt(state.q[1], q3));
    const ys = [values.map((v) => v[a]), values.map((v) => v[b])];
    plot.range([-Math.PI, Math.PI], niceRange(0, Math.max(...ys[0])));
    const here = wrapped(state.q[2]);
    plot.draw((pen) => {
      plot.trace(pen, "locked", xs, ys[0]);
      plot.trace(pen, "free", xs, ys[1]);
      plot.upright(pen, here);
      plot.dot(pen, "locked", here, found.felt[a]);
      plot.dot(pen, "free", here, found.felt[b]);
    });
    say(title, `What the shoulder feels against the wrist angle, elbow ${state.elbow}`);
  }
  return { root, update };
}

// a perceptually even ramp, dark blue to yellow, in eight stops
const RAMP = [[68, 1, 84], [70, 50, 127], [54, 92, 141], [39, 127, 142], [31, 161, 135], [74, 194, 109], [159, 218, 58], [253, 231, 37]];

function colour(share) {
  const t = Math.max(0, Math.min(1, share)) * (RAMP.length - 1), k = Math.min(RAMP.length - 2, Math.floor(t)), f = t - k;
  return RAMP[k].map((c, i) => c + f * (RAMP[k + 1][i] - c));
}

function mapPanel(change) {
  const plot = new Plot({ width: 360, height: 300, x: [-Math.PI, Math.PI], y: [-Math.PI, Math.PI], xticks: PI_TICKS, yticks: PI_TICKS,
    xlabel: "elbow angle q₂ (rad)", ylabel: "wrist angle q₃ (rad)", margin: 60, room: 0 });
  const { left, right, top, bottom } = plot.box, { canvas } = plot.sheet;
  const N = 60, colours = html("canvas", { width: N, height: N });
  canvas.classList.add("map");
  const stops = RAMP.map((c, k) => svg("stop", { offset: k / (RAMP.length - 1), "stop-color": `rgb(${c})` }));
  const gradient = `aba-ramp-${mapPanel.count = (mapPanel.count || 0) + 1}`;
  const scale = [0, 0.5, 1].map((f) => svg("text", { class: "tick", x: 326, y: bottom - f * (bottom - top) + 4 }));
  plot.over.append(svg("linearGradient", { id: gradient, x1: 0, y1: 1, x2: 0, y2: 0 }, ...stops),
    svg("rect", { x: 309, y: top, width: 13, height: bottom - top, fill: `url(#${gradient})` }), ...scale);
  const title = html("h4"), root = html("section", { class: "panel" }, title, plot.root, html("p", { class: "note" }, "kg m². Click or drag to go to a posture."));

  let held = false;
  const go = (event) => {
    const [x, y] = plot.sheet.at(event);
    const angle = (share) => Math.max(-1, Math.min(1, 2 * share - 1)) * 3.14;
    change({ entries: { 1: angle((x - left) / (right - left)), 2: angle((bottom - y) / (bottom - top)) } });
  };
  canvas.addEventListener("pointerdown", (event) => { held = true; canvas.setPointerCapture(event.pointerId); go(event); });
  canvas.addEventListener("pointermove", (event) => { if (held) go(event); });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { held = false; });

  let drawn = null;
  function paint(state, found, condition) {
    const values = new Float64Array(N * N);
    let low = Infinity, high = -Infinity;
    for (let row = 0; row < N; row++) {
      for (let column = 0; column < N; column++) {
        const q2 = -Math.PI + ((column + 0.5) * 2 * Math.PI) / N, q3 = Math.PI - ((row + 0.5) * 2 * Math.PI) / N;
        const value = found.feltAt(q2, q3)[condition];
        values[row * N + column] = value;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    const context = colours.getContext("2d"), pixels = context.createImageData(N, N);
    values.forEach((value, k) => {
      const [r, g, b] = colour((value - low) / (high - low || 1));
      pixels.data.set([r, g, b, 255], 4 * k);
    });
    context.putImageData(pixels, 0, 0);
    scale.forEach((text, k) => say(text, fixed(low + (k / 2) * (high - low), high < 1 ? 3 : 2)));
  }
  function update(state, found) {
    const condition = conditionOf(state), wanted = [condition, state.club_mass, state.club_length, state.armature].join();
    if (wanted !== drawn) paint(state, found, condition);
    drawn = wanted;
    const x = plot.X(wrapped(state.q[1])), y = plot.Y(wrapped(state.q[2]));
    plot.draw((pen) => {
      pen.globalAlpha = 0.55;
      polygon(pen, [[left, y], [right, y]]);
      ruled(pen, "#fff", 1);
      polygon(pen, [[x, top], [x, bottom]]);
      ruled(pen, "#fff", 1);
      disc(pen, x, y, 6);
      pen.globalAlpha = 0.45;
      ruled(pen, "#000", 5);
      pen.globalAlpha = 1;
      ruled(pen, "#fff", 2.4);
    }, (pen) => pen.drawImage(colours, left, top, right - left, bottom - top), wanted);
    say(title, `What the shoulder feels over postures, ${CONDITION_NAMES[CONDITIONS[condition]]}`);
  }
  function describe(state, found) {
    const condition = conditionOf(state);
    set(plot.frame, { "aria-label": `Map of the inertia at the shoulder over elbow and wrist angle, ${CONDITION_NAMES[CONDITIONS[condition]]}; here ${fixed(found.felt[condition], 3)} kg m².` });
  }
  return { root, update, describe };
}

function blocksPanel() {
  const W = 360, H = 206, middle = [92, 268], R = 74, names = ["elbow", "wrist"];
  const frame = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img" });
  const labels = middle.map((x) => svg("text", { x, y: H - 6, "text-anchor": "middle" }));
  frame.append(...labels);
  const sheet = new Sheet([0, 0, W, H - 24], [W, H]);
  const picture = html("div", { class: "picture" }, frame, sheet.canvas);
  const note = html("p", { class: "note" }, "Force (as a vector) for a unit acceleration of the pin in every direction. " +
    "At the wrist nothing beyond it can move, so that composite and held coincide.");
  const root = panel("Pushing at the pin: translational inertia (kg)", picture,
    key([["locked", "composite: all locked"], ["held", "articulated, Iᴬ: own joint held"], ["free", "remainder, Iᵃ: own joint free"]]), note);
  // the unit circle as the block B maps it
  const ellipse = (pen, B, [x, y], unit, look, alpha) => {
    pen.save();
    pen.transform(unit * B[0][0], -unit * B[1][0], unit * B[0][1], -unit * B[1][1], x, y);
    disc(pen, 0, 0, 1);
    pen.restore();
    if (alpha) filled(pen, look, alpha);
    ruled(pen, look, 2, LOOKS[look].dash);
  };
  function update(state, found) {
    const turn = [state.q[0] + state.q[1], state.q[0] + state.q[1] + state.q[2]];
    const stiff = state.boundary === "locked";
    const ats = middle.map((x) => [x, R + 14]), units = found.composite.map((m) => R / m);
    const composites = found.composite.map((m) => [[m, 0], [0, m]]);
    sheet.draw((pen) => ats.forEach((at, k) => {
      const [c, s] = [Math.cos(turn[k]), Math.sin(turn[k])];
      polygon(pen, [at, [at[0] + (R + 10) * c, at[1] - (R + 10) * s]]);
      pen.lineCap = "round";
      pen.globalAlpha = 0.35;
      ruled(pen, "soft", 5);
      pen.globalAlpha = 1;
      pen.lineCap = "butt";
      if (k === 0) ellipse(pen, stiff ? composites[0] : found.articulated[0], at, units[0], "held", 0);
      ellipse(pen, k === 0 && stiff ? found.stiff_elbow : found.remainder[k], at, units[k], "free", 0.14);
    }), (pen) => ats.forEach((at, k) => {
      ellipse(pen, composites[k], at, units[k], "locked", 0.14);
      if (k === 1) ellipse(pen, composites[1], at, units[1], "held", 0); // beyond the wrist nothing moves
    }), found.composite.join());
    names.forEach((name, k) => say(labels[k], `${name}: composite ${fixed(found.composite[k], 2)} kg`));
  }
  function describe(state, found) {
    frame.setAttribute("aria-label", `At the elbow the composite block is a circle of ${fixed(found.composite[0], 2)} kg, at the wrist of ${fixed(found.composite[1], 2)} kg; the articulated blocks lie inside.`);
  }
  return { root, update, describe };
}

function instantPanel() {
  const head = html("tr", {}, ...["wrist is …", "τ₃ (N\u00a0m)", "q̈₁", "q̈₂", "q̈₃ (rad/s²)"].map((text) => html("th", { scope: "col" }, text)));
  const rows = BOUNDARIES.map((name) => {
    const cells = ["torque", "qdd.0", "qdd.1", "qdd.2"].map((what) => reading(`${name}.${what}`));
    const mark = svg("svg", { viewBox: "0 0 26 8", width: 26, height: 8, "aria-hidden": "true" }, sample(name));
    const row = html("tr", {}, html("th", { scope: "row" }, mark, BOUNDARY_NAMES[name]), ...cells.map((cell) => html("td", {}, cell.root)));
    return { name, row, cells };
  });
  const note = html("p", { class: "note" });
  const root = panel("Four boundary conditions, one instant, the same shoulder torque",
    html("table", {}, html("thead", {}, head), html("tbody", {}, ...rows.map((r) => r.row))), note);
  function update(state, found) {
    for (const { name, row, cells } of rows) {
      const { torque, qdd } = found.instants[name];
      show(cells[0], torque, 3);
      qdd.forEach((value, k) => show(cells[k + 1], value, Math.abs(value) < 100 ? 2 : Math.abs(value) < 1000 ? 1 : 0));
      row.classList.toggle("now", name === state.boundary);
    }
    const quiet = Math.abs(found.instants.feedback.torque) < 1e-12;
    say(note, quiet
      ? "At its set-point and at rest the controller gives no torque: at this instant feedback is the free wrist, however stiff. Only time tells them apart (below)."
      : `The controller gives ${fixed(found.instants.feedback.torque, 3)} N m: at this instant feedback is a torque given. The lock holds with whatever torque it takes.`);
  }
  return { root, update };
}

function responsePanel() {
  const common = { x: [0, 0.2], y: [-1, 1], xlabel: "time (s)" };
  const plots = [new Plot({ ...common, height: 170, ylabel: "Δq₁ (rad)", name: "Shoulder angle over 0.2 s under the four boundary conditions" }),
    new Plot({ ...common, height: 170, ylabel: "Δq₃ (rad)", name: "Wrist angle over 0.2 s under the four boundary conditions" })];
  const note = html("p", { class: "note" });
  const root = panel("The next 0.2 s, torques held: where they part company", html("div", { class: "pair" }, ...plots.map((p) => p.root)),
    key(BOUNDARIES.map((name) => [name, BOUNDARY_NAMES[name]])), note);
  root.classList.add("broad", "narrow-when-wide");
  function update(state, found) {
    const responses = BOUNDARIES.map((name) => found.respond(name));
    [0, 2].forEach((joint, p) => {
      const series = responses.map(({ q }) => q.map((now) => now[joint] - state.q[joint]));
      const all = series.flat();
      plots[p].range([0, 0.2], niceRange(Math.min(...all, 0), Math.max(...all, 1e-3), 3));
      plots[p].draw((pen) => series.forEach((ys, k) => plots[p].trace(pen, BOUNDARIES[k], responses[k].t, ys)));
    });
    say(note, `Elbow ${state.elbow}, ${state.gravity ? "with gravity" : "without gravity"}; τ₁ and τ₂ constant.`);
  }
  return { root, update };
}

function frequencyPanel() {
  const decades = [1, 1000];
  const magnitude = new Plot({ height: 190, x: decades, y: [0.1, 1], xlog: true, ylog: true, xlabel: "frequency ω (rad/s)", ylabel: "|Z| (kg m²)", name: "Magnitude of the apparent inertia against frequency" });
  const phase = new Plot({ height: 190, x: decades, y: [-180, 180], xlog: true, yticks: [[-180, "−180"], [-90, "−90"], [0, "0"], [90, "90"], [180, "180"]], xlabel: "frequency ω (rad/s)", ylabel: "phase (°)", name: "Phase of the apparent inertia against frequency" });
  const note = html("p", { class: "note" });
  const readings = { resonance: reading("resonance"), slow: reading("slow"), fast: reading("fast") };
  const limits = html("p", { class: "note" }, "Slow limit", readings.slow.root, "(wrist locked), fast limit", readings.fast.root, "(wrist free), resonance of the held arm", readings.resonance.root, "rad/s.");
  const root = panel("Against frequency: what articulated inertia is not", html("div", { class: "pair" }, magnitude.root, phase.root), key([["feedback", "wrist under feedback"], ["locked thin", "wrist locked"], ["free thin", "wrist free"]]), limits, note);
  root.classList.add("broad");
  const ws = Array.from({ length: 121 }, (_, k) => 10 ** (k / 40));
  function update(state, found) {
    const z = ws.map((w) => found.apparent(w));
    const sizes = z.map(([re, im]) => Math.hypot(re, im)), [A, F] = found.limits;
    const bounds = [Math.max(Math.min(...sizes, F), F / 10), Math.min(Math.max(...sizes, A), A * 20)];
    magnitude.range(decades, [10 ** (Math.floor(4 * Math.log10(bounds[0])) / 4), 10 ** (Math.ceil(4 * Math.log10(bounds[1])) / 4)]);
    const seen = found.resonance >= 1 && found.resonance <= 1000;
    magnitude.draw((pen) => {
      magnitude.trace(pen, "locked", decades, [A, A], 1.3);
      magnitude.trace(pen, "free", decades, [F, F], 1.3);
      magnitude.trace(pen, "feedback", ws, sizes);
      if (seen) magnitude.upright(pen, found.resonance);
    });
    phase.draw((pen) => {
      phase.trace(pen, "feedback", ws, z.map(([re, im]) => DEGREE * Math.atan2(im, re)));
      if (seen) phase.upright(pen, found.resonance);
    });
    show(readings.slow, A, 3);
    show(readings.fast, F, 3);
    show(readings.resonance, found.resonance, 1);
    say(note, `Complex apparent inertia at the shoulder, linearised at rest without gravity, elbow ${state.elbow}. ` +
      "It depends on the controller and on how fast one shakes; articulated inertia is one instant's response, the fast limit alone.");
  }
  return { root, update };
}

function wrapped(angle) {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

// which of CONDITIONS the state is in
function conditionOf(state) {
  return (state.elbow === "locked" ? 0 : 2) + (state.boundary === "locked" ? 0 : 1);
}
