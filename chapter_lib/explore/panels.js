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
      svg("path", { class: `line ${kind}`, d: "M1 4H25" })), text));
  return html("p", { class: "key" }, ...items);
}

function armPanel(change) {
  const W = 420, H = 330, margin = 34;
  const picture = svg("svg", { viewBox: `0 0 ${W} ${H}`, class: "arm", role: "img" });
  const ground = svg("path", { class: "ground", d: "M-26 17h52M0 0l-11 17h22z" });
  const links = [0, 1, 2].map((i) => svg("rect", { class: `link link-${i + 1}`, "data-link": i + 1 }));
  const joints = [0, 1, 2].map(() => svg("path", { class: "joint" }));
  const arcs = [0, 1, 2].map(() => svg("path", { class: "torque" }));
  const heads = [0, 1, 2].map(() => svg("path", { class: "torque head" }));
  const names = ["shoulder", "elbow", "wrist"].map((name) => svg("text", { class: "name" }, name));
  picture.append(ground, ...links, ...joints, ...arcs, ...heads, ...names);
  const note = html("p", { class: "note" }, "Drag a link to turn its joint. Filled joints are locked; arcs are torques.");
  let placed = null;

  links.forEach((link, i) => {
    let grip = null;
    const angle = (event) => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
      return Math.atan2(placed.joints[i][1] - at.y, at.x - placed.joints[i][0]);
    };
    link.addEventListener("pointerdown", (event) => {
      link.setPointerCapture(event.pointerId);
      grip = placed.q[i] - angle(event);
      event.preventDefault();
    });
    link.addEventListener("pointermove", (event) => {
      if (grip === null) return;
      const q = [...placed.q];
      q[i] = wrapped(grip + angle(event));
      change({ q });
    });
    for (const end of ["pointerup", "pointercancel"]) link.addEventListener(end, () => { grip = null; });
  });

  function update(state, found) {
    const lengths = [...FIXED.lengths, state.club_length];
    const unit = (H - 2 * margin) / lengths.reduce((a, b) => a + b);
    const points = [[0, 0]], turns = [];
    lengths.forEach((length, i) => {
      turns.push((turns[i - 1] || 0) + state.q[i]);
      const [x, y] = points[i];
      points.push([x + length * unit * Math.cos(turns[i]), y - length * unit * Math.sin(turns[i])]);
    });
    // the shoulder stands in the middle and gives way only as far as the arm needs room
    const shift = [W / 2, H / 2].map((middle, k) => {
      const all = points.map((p) => p[k]), room = 2 * middle - margin;
      return Math.min(Math.max(middle, margin - Math.min(...all)), room - Math.max(...all));
    });
    const where = points.slice(0, 3).map((p) => [p[0] + shift[0], p[1] + shift[1]]);
    const r = Math.max(3.5, FIXED.radius * unit);
    lengths.forEach((length, i) => set(links[i], {
      x: -r, y: -r, width: length * unit + 2 * r, height: 2 * r, rx: r,
      transform: `translate(${where[i]}) rotate(${-turns[i] * DEGREE})`,
    }));
    set(ground, { transform: `translate(${where[0]})` });
    placed = { joints: where, q: state.q };
    const torque = [...state.torque.slice(0, 2), found.instants[state.boundary].torque];
    const locked = [false, state.elbow === "locked", state.boundary === "locked"];
    if (locked[1]) torque[1] = 0;
    const full = [10, 5, 2];
    where.forEach(([x, y], i) => {
      const s = 5.5;
      set(joints[i], {
        class: locked[i] ? "joint locked" : "joint",
        d: locked[i] ? `M${x - s} ${y - s}h${2 * s}v${2 * s}h${-2 * s}z` : `M${x - s} ${y}a${s} ${s} 0 1 0 ${2 * s} 0a${s} ${s} 0 1 0 ${-2 * s} 0z`,
      });
      arc(arcs[i], heads[i], x, y, 20 - 2 * i, Math.max(-1, Math.min(1, torque[i] / full[i])));
      set(names[i], { x, y: y + (i ? 34 : 32), "text-anchor": "middle" });
    });
    picture.setAttribute("aria-label",
      `The arm at shoulder ${fixed(state.q[0], 2)}, elbow ${fixed(state.q[1], 2)}, wrist ${fixed(state.q[2], 2)} rad; ` +
      `elbow ${state.elbow}, wrist ${BOUNDARY_NAMES[state.boundary]}.`);
  }
  return { root: panel("The arm", picture, note), update };
}

// an arc about (x, y) whose sweep and side show a torque from −1 to 1
function arc(path, head, x, y, radius, share) {
  if (Math.abs(share) < 1e-3) {
    set(path, { d: "" });
    set(head, { d: "" });
    return;
  }
  const sweep = share * 4.2 + Math.sign(share) * 0.5, from = Math.PI / 2 - sweep / 2, to = Math.PI / 2 + sweep / 2;
  const p = (a, r = radius) => `${(x + r * Math.cos(a)).toFixed(1)} ${(y - r * Math.sin(a)).toFixed(1)}`;
  set(path, { d: `M${p(from)}A${radius} ${radius} 0 ${Math.abs(sweep) > Math.PI ? 1 : 0} ${share > 0 ? 0 : 1} ${p(to)}` });
  const tip = to + Math.sign(share) * 0.42;
  set(head, { d: `M${p(to, radius - 5)}L${p(to, radius + 5)}L${p(tip)}Z` });
}

function feltPanel() {
  const rows = CONDITIONS.map((name) => bar(`felt.${name}`, CONDITION_NAMES[name], name.includes("locked") || name === "elbow_free" ? "locked" : "free"));
  const elbow = [bar("elbow.M22", "wrist locked, M₂₂", "locked"), bar("elbow.d2", "wrist free, d₂", "free")];
  const worth = html("p", { class: "note" });
  const root = panel("Inertia felt (kg m²)",
    html("p", { class: "over" }, "at the shoulder"), ...rows.map((row) => row.root),
    html("p", { class: "over" }, "at the elbow"), ...elbow.map((row) => row.root), worth);
  function update(state, found) {
    const most = found.felt[0], now = CONDITIONS[conditionOf(state)];
    rows.forEach((row, k) => row.update(found.felt[k], most, CONDITIONS[k] === now));
    elbow.forEach((row, k) => row.update(found.elbow[k], found.elbow[0], false));
    const share = (locked, free) => fixed(100 * (1 - free / locked), 0);
    const [ll, lf, fl, ff] = found.felt;
    say(worth, `Freeing the wrist is worth ${share(ll, lf)} % with the elbow locked, ${share(fl, ff)} % with it free; ` +
      `freeing the elbow ${share(ll, fl)} % with the wrist locked, ${share(lf, ff)} % with it free.`);
  }
  return { root, update };
}

function bar(name, label, kind) {
  const fill = html("span", { class: `fill ${kind}` }), value = reading(name), percent = html("span", { class: "percent" });
  const root = html("div", { class: "bar" }, html("span", { class: "what" }, label), html("span", { class: "track" }, fill), value, percent);
  return {
    root,
    update(x, most, now) {
      fill.style.width = `${100 * x / most}%`;
      show(value, x, 4);
      say(percent, x < most * 0.9995 ? `−${fixed(100 * (1 - x / most), 0)} %` : "");
      root.classList.toggle("now", now);
    },
  };
}

function curvePanel() {
  const plot = new Plot({ x: [-Math.PI, Math.PI], y: [0, 1], xticks: PI_TICKS, xlabel: "wrist angle q₃ (rad)",
    ylabel: "M_eff (kg m²)", name: "Inertia at the shoulder against wrist angle, wrist locked and free" });
  const locked = plot.line("locked"), free = plot.line("free");
  const here = svg("line", { class: "here" }), dots = ["locked", "free"].map((kind) => svg("circle", { class: `dot ${kind}`, r: 4.5 }));
  plot.over.append(here, ...dots);
  const title = html("h4"), root = html("section", { class: "panel" }, title, plot.root, key([["locked", "wrist locked"], ["free", "wrist free"]]));
  const xs = Array.from({ length: 73 }, (_, k) => -Math.PI + (k * Math.PI) / 36);
  function update(state, found) {
    const [a, b] = state.elbow === "locked" ? [0, 1] : [2, 3];
    const values = xs.map((q3) => found.feltAt(state.q[1], q3));
    const ys = [values.map((v) => v[a]), values.map((v) => v[b])];
    plot.range([-Math.PI, Math.PI], niceRange(0, Math.max(...ys[0])));
    plot.trace(locked, xs, ys[0]);
    plot.trace(free, xs, ys[1]);
    const x = plot.X(wrapped(state.q[2]));
    set(here, { x1: x, x2: x, y1: plot.box.top, y2: plot.box.bottom });
    dots.forEach((dot, k) => set(dot, { cx: x, cy: plot.Y(found.felt[[a, b][k]]) }));
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
  const N = 60, small = html("canvas", { width: N, height: N });
  const plot = new Plot({ width: 360, height: 300, x: [-Math.PI, Math.PI], y: [-Math.PI, Math.PI], xticks: PI_TICKS, yticks: PI_TICKS,
    xlabel: "elbow angle q₂ (rad)", ylabel: "wrist angle q₃ (rad)", margin: 60 });
  const { left, right, top, bottom } = plot.box;
  const image = svg("image", { x: left, y: top, width: right - left, height: bottom - top, preserveAspectRatio: "none", class: "map" });
  plot.inside.append(image);
  const cross = svg("path", { class: "cross" }), halo = svg("circle", { class: "halo", r: 6 }), ring = svg("circle", { class: "ring", r: 6 });
  plot.inside.append(cross, halo, ring);
  const stops = RAMP.map((c, k) => svg("stop", { offset: k / (RAMP.length - 1), "stop-color": `rgb(${c})` }));
  const gradient = `aba-ramp-${Plot.count}`;
  const scale = [0, 0.5, 1].map((f) => svg("text", { class: "tick", x: 326, y: bottom - f * (bottom - top) + 4 }));
  plot.over.append(svg("linearGradient", { id: gradient, x1: 0, y1: 1, x2: 0, y2: 0 }, ...stops),
    svg("rect", { x: 309, y: top, width: 13, height: bottom - top, fill: `url(#${gradient})` }), ...scale);
  const title = html("h4"), root = html("section", { class: "panel" }, title, plot.root, html("p", { class: "note" }, "kg m². Click or drag to go to a posture."));

  let held = false;
  const go = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(plot.root.getScreenCTM().inverse());
    const angle = (share) => Math.max(-1, Math.min(1, 2 * share - 1)) * 3.14;
    change({ entries: { 1: angle((at.x - left) / (right - left)), 2: angle((bottom - at.y) / (bottom - top)) } });
  };
  image.addEventListener("pointerdown", (event) => { held = true; image.setPointerCapture(event.pointerId); go(event); });
  image.addEventListener("pointermove", (event) => { if (held) go(event); });
  for (const end of ["pointerup", "pointercancel"]) image.addEventListener(end, () => { held = false; });

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
    const context = small.getContext("2d"), pixels = context.createImageData(N, N);
    values.forEach((value, k) => {
      const [r, g, b] = colour((value - low) / (high - low || 1));
      pixels.data.set([r, g, b, 255], 4 * k);
    });
    context.putImageData(pixels, 0, 0);
    image.setAttribute("href", small.toDataURL());
    scale.forEach((text, k) => say(text, fixed(low + (k / 2) * (high - low), high < 1 ? 3 : 2)));
  }
  function update(state, found) {
    const condition = conditionOf(state), wanted = [condition, state.club_mass, state.club_length, state.armature].join();
    if (wanted !== drawn) paint(state, found, condition);
    drawn = wanted;
    const x = plot.X(wrapped(state.q[1])), y = plot.Y(wrapped(state.q[2]));
    set(cross, { d: `M${left} ${y}H${right}M${x} ${top}V${bottom}` });
    for (const circle of [halo, ring]) set(circle, { cx: x, cy: y });
    say(title, `What the shoulder feels over postures, ${CONDITION_NAMES[CONDITIONS[condition]]}`);
    set(plot.root, { "aria-label": `Map of the inertia at the shoulder over elbow and wrist angle, ${CONDITION_NAMES[CONDITIONS[condition]]}; here ${fixed(found.felt[condition], 3)} kg m².` });
  }
  return { root, update };
}

function blocksPanel() {
  const W = 360, H = 206, middle = [92, 268], R = 74;
  const picture = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img" });
  const places = ["elbow", "wrist"].map((name, k) => {
    const make = (kind) => svg("path", { class: `block ${kind}` });
    const parts = { link: svg("line", { class: "along" }), composite: make("locked"), articulated: make("held"), remainder: make("free") };
    const label = svg("text", { x: middle[k], y: H - 6, "text-anchor": "middle" });
    picture.append(...Object.values(parts), label);
    return { name, parts, label };
  });
  const note = html("p", { class: "note" }, "Force (as a vector) for a unit acceleration of the pin in every direction. " +
    "At the wrist nothing beyond it can move, so that composite and held coincide.");
  const root = panel("Pushing at the pin: translational inertia (kg)", picture,
    key([["locked", "composite: all locked"], ["held", "articulated, Iᴬ: own joint held"], ["free", "remainder, Iᵃ: own joint free"]]), note);
  const ellipse = (B, [x, y], unit) => {
    let d = "";
    for (let k = 0; k <= 48; k++) {
      const a = (k * Math.PI) / 24, c = Math.cos(a), s = Math.sin(a);
      d += `${k ? "L" : "M"}${(x + unit * (B[0][0] * c + B[0][1] * s)).toFixed(1)} ${(y - unit * (B[1][0] * c + B[1][1] * s)).toFixed(1)}`;
    }
    return d + "Z";
  };
  function update(state, found) {
    const turn = [state.q[0] + state.q[1], state.q[0] + state.q[1] + state.q[2]];
    const wristLocked = state.boundary === "locked";
    places.forEach(({ name, parts, label }, k) => {
      const m = found.composite[k], unit = R / m, at = [middle[k], R + 14];
      const composite = [[m, 0], [0, m]];
      const held = k === 0 && wristLocked ? composite : found.articulated[k];
      const freed = k === 0 && wristLocked ? found.stiff_elbow : found.remainder[k];
      set(parts.composite, { d: ellipse(composite, at, unit) });
      set(parts.articulated, { d: ellipse(held, at, unit) });
      set(parts.remainder, { d: ellipse(freed, at, unit) });
      const [c, s] = [Math.cos(turn[k]), Math.sin(turn[k])];
      set(parts.link, { x1: at[0], y1: at[1], x2: at[0] + (R + 10) * c, y2: at[1] - (R + 10) * s });
      say(label, `${name}: composite ${fixed(m, 2)} kg`);
    });
    picture.setAttribute("aria-label", `At the elbow the composite block is a circle of ${fixed(found.composite[0], 2)} kg, at the wrist of ${fixed(found.composite[1], 2)} kg; the articulated blocks lie inside.`);
  }
  return { root, update };
}

function instantPanel() {
  const head = html("tr", {}, ...["wrist is …", "τ₃ (N m)", "q̈₁", "q̈₂", "q̈₃ (rad/s²)"].map((text) => html("th", { scope: "col" }, text)));
  const rows = BOUNDARIES.map((name) => {
    const cells = ["torque", "qdd.0", "qdd.1", "qdd.2"].map((what) => reading(`${name}.${what}`));
    const mark = svg("svg", { viewBox: "0 0 26 8", width: 26, height: 8, "aria-hidden": "true" }, svg("path", { class: `line ${name}`, d: "M1 4H25" }));
    const row = html("tr", {}, html("th", { scope: "row" }, mark, BOUNDARY_NAMES[name]), ...cells.map((cell) => html("td", {}, cell)));
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
  const lines = plots.map((plot) => BOUNDARIES.map((name) => plot.line(name)));
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
      series.forEach((ys, k) => plots[p].trace(lines[p][k], responses[k].t, ys));
    });
    say(note, `Elbow ${state.elbow}, ${state.gravity ? "with gravity" : "without gravity"}; τ₁ and τ₂ constant.`);
  }
  return { root, update };
}

function frequencyPanel() {
  const decades = [1, 1000];
  const magnitude = new Plot({ height: 190, x: decades, y: [0.1, 1], xlog: true, ylog: true, xlabel: "frequency ω (rad/s)", ylabel: "|Z| (kg m²)", name: "Magnitude of the apparent inertia against frequency" });
  const phase = new Plot({ height: 190, x: decades, y: [-180, 180], xlog: true, yticks: [[-180, "−180"], [-90, "−90"], [0, "0"], [90, "90"], [180, "180"]], xlabel: "frequency ω (rad/s)", ylabel: "phase (°)", name: "Phase of the apparent inertia against frequency" });
  const slow = magnitude.line("locked thin"), fast = magnitude.line("free thin"), size = magnitude.line("feedback"), angle = phase.line("feedback");
  const marks = [magnitude, phase].map((plot) => { const line = svg("line", { class: "here" }); plot.inside.append(line); return line; });
  const note = html("p", { class: "note" });
  const readings = { resonance: reading("resonance"), slow: reading("slow"), fast: reading("fast") };
  const limits = html("p", { class: "note" }, "Slow limit ", readings.slow, " (wrist locked), fast limit ", readings.fast, " (wrist free), resonance of the held arm ", readings.resonance, " rad/s.");
  const root = panel("Against frequency: what articulated inertia is not", html("div", { class: "pair" }, magnitude.root, phase.root), key([["feedback", "wrist under feedback"], ["locked thin", "wrist locked"], ["free thin", "wrist free"]]), limits, note);
  root.classList.add("broad");
  const ws = Array.from({ length: 145 }, (_, k) => 10 ** (k / 48));
  function update(state, found) {
    const z = ws.map((w) => found.apparent(w));
    const sizes = z.map(([re, im]) => Math.hypot(re, im)), [A, F] = found.limits;
    const bounds = [Math.max(Math.min(...sizes, F), F / 10), Math.min(Math.max(...sizes, A), A * 20)];
    magnitude.range(decades, [10 ** (Math.floor(4 * Math.log10(bounds[0])) / 4), 10 ** (Math.ceil(4 * Math.log10(bounds[1])) / 4)]);
    magnitude.trace(slow, decades, [A, A]);
    magnitude.trace(fast, decades, [F, F]);
    magnitude.trace(size, ws, sizes);
    phase.trace(angle, ws, z.map(([re, im]) => DEGREE * Math.atan2(im, re)));
    [magnitude, phase].forEach((plot, k) => {
      const seen = found.resonance >= 1 && found.resonance <= 1000, x = plot.X(Math.max(found.resonance, 1e-3));
      set(marks[k], { x1: x, x2: x, y1: plot.box.top, y2: plot.box.bottom, visibility: seen ? "visible" : "hidden" });
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
