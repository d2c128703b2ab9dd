// The pass stepper: walks through body-steps whose numbers Python sent once.

function triple(value, digits) {
  const list = Array.isArray(value) ? value : [value];
  if (Array.isArray(list[0])) return list.map((row) => triple(row, digits)).join("\n"); // a block, row by row
  const text = list.map((x) => fixed(x, digits));
  return list.length === 1 ? text[0] : `(${text.join(", ")})`;
}

// a number inside a sum: negative ones in brackets
function signed(value, digits) {
  const text = triple(value, digits);
  return typeof value === "number" && text.startsWith("−") ? `(${text})` : text;
}

function drawing(bodies) {
  const points = bodies.flatMap((b) => [[b.x, b.y], ...b.ends]), xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
  const W = 420, H = 300, pad = 40, span = (v) => Math.max(...v) - Math.min(...v);
  const unit = Math.min((W - 2 * pad) / (span(xs) || 1), (H - 2 * pad) / (span(ys) || 1));
  const mid = (v) => (Math.max(...v) + Math.min(...v)) / 2;
  const at = ([x, y]) => [W / 2 + unit * (x - mid(xs)), H / 2 - unit * (y - mid(ys))];
  const root = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img" });
  const flow = svg("path", { class: "flow" }), head = svg("path", { class: "flow head" });
  for (const b of bodies.filter((b) => b.parent < 0)) {
    const [x, y] = at([b.x, b.y]);
    root.append(svg("path", { class: "ground", d: `M${x - 22} ${y + 16}h44M${x} ${y}l-10 16h20z` }));
  }
  const groups = bodies.map((b, i) => {
    const from = at([b.x, b.y]), thick = Math.min(26, Math.max(12, 2 * unit * b.radius));
    const lines = b.ends.map((end) => `M${from}L${at(end)}`).join("");
    const tip = at(b.ends[0]), number = [(from[0] + tip[0]) / 2, (from[1] + tip[1]) / 2];
    const group = svg("g", {},
      svg("path", { class: "edge", d: lines, "stroke-width": thick + 3 }),
      svg("path", { class: "link", d: lines, "stroke-width": thick }),
      svg("text", { class: "number", x: number[0], y: number[1] }, String(i + 1)));
    root.append(group);
    return group;
  });
  for (const b of bodies) { const [x, y] = at([b.x, b.y]); root.append(svg("circle", { class: "joint", cx: x, cy: y, r: 5.5 })); }
  root.append(flow, head);
  function light(step, done) {
    groups.forEach((group, i) => group.setAttribute("class", i === step.body ? "lit" : done.has(i) ? "done" : ""));
    // an arrow beside the lit body: outward in passes 1 and 3, inward in pass 2
    const b = bodies[step.body], ends = [at([b.x, b.y]), at(b.ends[0])];
    const [p, q] = step.pass === 2 ? ends.reverse() : ends;
    const length = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1, u = [(q[0] - p[0]) / length, (q[1] - p[1]) / length];
    const side = u[0] < 0 ? 1 : -1, n = [-u[1] * 24 * side, u[0] * 24 * side];
    const point = (f, across = 0) => [p[0] + n[0] + u[0] * f - u[1] * across, p[1] + n[1] + u[1] * f + u[0] * across].map((x) => x.toFixed(1));
    set(flow, { d: `M${point(0.18 * length)}L${point(0.76 * length)}` });
    set(head, { d: `M${point(0.74 * length, 6)}L${point(0.74 * length, -6)}L${point(0.74 * length + 13)}Z` });
    root.setAttribute("aria-label", `Body ${step.body + 1} of ${bodies.length} is lit, pass ${step.pass} goes ${step.pass === 2 ? "inward" : "outward"}.`);
  }
  return { root, light };
}

/** Puts a stepper into an element.  data: bodies, steps, columns, digits; moved(position) is told. */
export function mount(element, data, moved = () => {}) {
  const { bodies, steps, columns, digits } = data;
  let position = data.position || 0, timer = null;
  const picture = drawing(bodies);
  const title = html("h4"), why = html("p", { class: "why" }), equations = html("div", { class: "equations" });
  const spoken = html("p", { class: "spoken", "aria-live": "polite", role: "status" });
  const button = (label, text, action) => html("button", { type: "button", "aria-label": label, title: label, onclick: action }, text);
  const first = button("First step (Home)", "|◀", () => go(0)), back = button("Back (left arrow)", "◀", () => go(position - 1));
  const play = button("Play or pause (space)", "▶ play", () => toggle());
  const forward = button("Forward (right arrow)", "▶", () => go(position + 1)), last = button("Last step (End)", "▶|", () => go(steps.length - 1));
  const slide = html("input", { type: "range", min: 0, max: steps.length - 1, step: 1, "aria-label": "Step", oninput: () => go(Number(slide.value)) });
  const count = html("output");
  const cells = bodies.map(() => Object.fromEntries(columns.map(([name]) => [name, html("td", { "data-cell": name })])));
  const table = html("table", {},
    html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "body"), ...columns.map(([, label]) => html("th", { scope: "col" }, label)))),
    html("tbody", {}, ...cells.map((row, i) => html("tr", {}, html("th", { scope: "row" }, `${i + 1}`), ...Object.values(row)))));
  const root = html("div", { class: "aba-stepper", tabindex: 0, role: "group", "aria-label": "The three passes, step by step" },
    html("div", { class: "top" }, picture.root, html("div", {}, title, why, equations, spoken)),
    html("div", { class: "bar" }, first, back, play, forward, last, slide, count),
    html("div", { class: "scroll" }, table));
  element.append(root);

  function draw() {
    const step = steps[position], done = new Set();
    for (const s of steps.slice(0, position)) if (s.pass === step.pass) done.add(s.body);
    picture.light(step, done);
    say(title, step.title);
    say(why, step.why);
    equations.replaceChildren(...step.lines.map(({ text, terms, value }) => html("div", {}, text,
      terms && html("span", { class: "terms" }, `= ${terms.map((x) => (typeof x === "string" ? x : signed(x, digits))).join("")}`),
      value === null ? undefined : html("span", { class: "value", "data-value": JSON.stringify(value) }, `= ${triple(value, digits)}`))));
    bodies.forEach((_, i) => columns.forEach(([name]) => {
      const at = steps.findIndex((s) => s.body === i && name in s.fills), cell = cells[i][name];
      const shown = at <= position, value = steps[at].fills[name];
      cell.classList.toggle("new", at === position);
      if ((cell.dataset.value !== undefined) === shown) return;
      if (shown) {
        cell.dataset.value = JSON.stringify(value);
        cell.replaceChildren(...[value].flat().map((x) => html("span", {}, fixed(x, digits))));
      } else {
        delete cell.dataset.value;
        cell.replaceChildren();
      }
    }));
    slide.value = position;
    say(count, `step ${position + 1} of ${steps.length}`);
    first.disabled = back.disabled = position === 0;
    last.disabled = forward.disabled = position === steps.length - 1;
    say(spoken, `${step.title}. ${step.lines.map(({ text, value }) => (value === null ? text : `${text} = ${triple(value, 3)}`)).join("; ")}`);
    root.dataset.position = position;
  }
  function go(to, own = false) {
    if (!own) stop();
    const next = Math.max(0, Math.min(steps.length - 1, to));
    if (next === position) return;
    position = next;
    draw();
    moved(position);
  }
  function stop() {
    clearInterval(timer);
    timer = null;
    say(play, "▶ play");
  }
  function toggle() {
    if (timer) { stop(); return; }
    if (position === steps.length - 1) go(0);
    say(play, "⏸ pause");
    timer = setInterval(() => { if (position === steps.length - 1) stop(); else go(position + 1, true); }, data.pause || 1200);
  }
  root.addEventListener("keydown", (event) => {
    if (event.target === slide && event.key !== " ") return; // the range has its own arrows
    if (event.target.tagName === "BUTTON" && event.key === " ") return;
    const action = { ArrowRight: () => go(position + 1), ArrowLeft: () => go(position - 1), Home: () => go(0), End: () => go(steps.length - 1), " ": toggle }[event.key];
    if (!action) return;
    action();
    event.preventDefault();
    event.stopPropagation();
  });
  draw();
  return { go, get: () => position, remove: () => { stop(); root.remove(); } };
}

function render({ model, el }) {
  const data = { ...model.get("data"), position: model.get("position") };
  const view = mount(el, data, (position) => { model.set("position", position); model.save_changes(); });
  const heard = () => view.go(model.get("position"));
  model.on("change:position", heard);
  return () => { model.off("change:position", heard); view.remove(); };
}

export default { render };
