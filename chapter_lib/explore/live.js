// One SVG view of numbers sent from Python.  It draws; it computes no mechanics.
const W = 720, H = 380, M = { left: 66, right: 18, top: 26, bottom: 46 };
const DASH = { solid: "", dashed: "8 5", dotted: "2 4", dashdot: "9 4 2 4", points: "" };

function node(name, attributes = {}, text) {
  const el = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) el.setAttribute(key, value);
  if (text !== undefined) el.textContent = text;
  return el;
}

function ticks(low, high, log) {
  if (log) {
    const every = Math.max(1, Math.ceil((high - low) / 7)), fine = high - low > 2 ? [1] : high - low > 0.7 ? [1, 2, 5] : [1, 1.5, 2, 3, 5, 7];
    const out = [];
    for (let e = Math.floor(low); e <= high; e += every) out.push(...fine.map((m) => e + Math.log10(m)));
    return out.filter((t) => t >= low - 1e-9 && t <= high + 1e-9);
  }
  const raw = (high - low) / 6, power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= raw);
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) out.push(k * step);
  return out;
}

function label(value, log) {
  if (log) return Math.abs(value) < 4 ? String(+(10 ** value).toPrecision(2)) : (10 ** value).toExponential(0).replace("+", "");
  return String(+value.toPrecision(6)).replace("-", "−");
}

function extent(values, log) {
  const good = values.filter((v) => v !== null && Number.isFinite(v));
  if (!good.length) return [0, 1];
  let low = Math.min(...good), high = Math.max(...good);
  if (high - low < 1e-12 * Math.max(1, Math.abs(high))) { low -= 0.5; high += 0.5; }
  const pad = (log ? 0.04 : 0.06) * (high - low);
  return [low - pad, high + pad];
}

function paint(svg, picture) {
  svg.replaceChildren();
  const lx = (v) => (v === null ? null : picture.xlog ? Math.log10(v) : v);
  const ly = (v) => (v === null ? null : picture.ylog ? Math.log10(v) : v);
  const xs = [], ys = [];
  for (const c of [...picture.curves, ...picture.arms]) { xs.push(...c.x.map(lx)); ys.push(...c.y.map(ly)); }
  for (const m of picture.marks) { xs.push(lx(m.x)); ys.push(ly(m.y)); }
  for (const a of picture.arrows) { xs.push(a.x, a.x + a.dx); ys.push(a.y, a.y + a.dy); }
  if (picture.bars.length) { xs.push(-0.6, picture.bars.length - 0.4); ys.push(0, ...picture.bars.map((b) => b.value)); }
  let [x0, x1] = picture.xlim ? picture.xlim.map(lx) : extent(xs, picture.xlog);
  let [y0, y1] = picture.ylim ? picture.ylim.map(ly) : extent(ys, picture.ylog);
  const w = W - M.left - M.right, h = H - M.top - M.bottom;
  if (picture.equal) {
    const unit = Math.max((x1 - x0) / w, (y1 - y0) / h);
    const cx = (x0 + x1) / 2, cy = (y0 + y1) / 2;
    [x0, x1] = [cx - unit * w / 2, cx + unit * w / 2];
    [y0, y1] = [cy - unit * h / 2, cy + unit * h / 2];
  }
  const X = (v) => M.left + ((v - x0) / (x1 - x0)) * w;
  const Y = (v) => M.top + h - ((v - y0) / (y1 - y0)) * h;
  const clipId = `clip-${Math.random().toString(36).slice(2)}`;
  const clip = node("clipPath", { id: clipId });
  clip.append(node("rect", { x: M.left, y: M.top - 4, width: w + 4, height: h + 8 }));
  svg.append(clip);

  for (const t of ticks(y0, y1, picture.ylog)) {
    svg.append(node("line", { class: "grid", x1: M.left, x2: M.left + w, y1: Y(t), y2: Y(t) }));
    svg.append(node("text", { class: "tick", x: M.left - 7, y: Y(t) + 4, "text-anchor": "end" }, label(t, picture.ylog)));
  }
  if (!picture.bars.length) for (const t of ticks(x0, x1, picture.xlog)) {
    svg.append(node("line", { class: "grid", x1: X(t), x2: X(t), y1: M.top, y2: M.top + h }));
    svg.append(node("text", { class: "tick", x: X(t), y: M.top + h + 17, "text-anchor": "middle" }, label(t, picture.xlog)));
  }
  svg.append(node("path", { class: "axis", d: `M${M.left} ${M.top}V${M.top + h}H${M.left + w}` }));
  if (picture.xlabel) svg.append(node("text", { x: M.left + w / 2, y: H - 8, "text-anchor": "middle" }, picture.xlabel));
  if (picture.ylabel) svg.append(node("text", { transform: `translate(15 ${M.top + h / 2}) rotate(-90)`, "text-anchor": "middle" }, picture.ylabel));
  if (picture.title) svg.append(node("text", { class: "title", x: M.left, y: 16 }, picture.title));

  const inside = node("g", { "clip-path": `url(#${clipId})` });
  svg.append(inside);
  picture.bars.forEach((bar, k) => {
    const a = Y(0), b = Y(bar.value);
    inside.append(node("rect", { x: X(k - 0.3), y: Math.min(a, b), width: X(0.6) - X(0), height: Math.max(1, Math.abs(a - b)), fill: bar.color }));
    svg.append(node("text", { x: X(k), y: M.top + h + 17, "text-anchor": "middle" }, bar.label));
  });
  const pixels = (line) => line.x.map((x, k) => (line.y[k] === null ? null : [X(lx(x)), Y(ly(line.y[k]))]));
  const drawn = [...picture.arms, ...picture.curves].flatMap((line) => (line.style === "points" ? pixels(line).filter(Boolean) : dense(pixels(line))));
  for (const arm of picture.arms) {
    inside.append(node("polyline", { points: pixels(arm).join(" "), fill: "none", stroke: arm.color, "stroke-width": arm.width || 10, "stroke-linejoin": "round", "stroke-linecap": "round", opacity: arm.opacity || 1 }));
    arm.x.forEach((x, k) => inside.append(node("circle", { class: "joint", cx: X(lx(x)), cy: Y(ly(arm.y[k])), r: 4, opacity: arm.opacity || 1 })));
  }
  for (const curve of picture.curves) {
    if (curve.style === "points") {
      curve.x.forEach((x, k) => { if (curve.y[k] !== null) inside.append(node("circle", { cx: X(lx(x)), cy: Y(ly(curve.y[k])), r: 3.5, fill: curve.color })); });
      continue;
    }
    let d = "", pen = "M";
    curve.x.forEach((x, k) => {
      const [u, v] = [lx(x), ly(curve.y[k])];
      if (u === null || v === null || !Number.isFinite(u + v)) { pen = "M"; return; }
      d += `${pen}${X(u).toFixed(2)} ${Y(v).toFixed(2)}`; pen = "L";
    });
    inside.append(node("path", { d, fill: "none", stroke: curve.color, "stroke-width": 2.2, "stroke-dasharray": DASH[curve.style] || "" }));
  }
  for (const mark of picture.marks) {
    inside.append(node("circle", { cx: X(lx(mark.x)), cy: Y(ly(mark.y)), r: 5.5, fill: mark.color }));
    if (mark.label) svg.append(node("text", { x: X(lx(mark.x)) + 9, y: Y(ly(mark.y)) - 8 }, mark.label));
  }
  for (const arrow of picture.arrows) {
    const [ax, ay, bx, by] = [X(arrow.x), Y(arrow.y), X(arrow.x + arrow.dx), Y(arrow.y + arrow.dy)];
    const length = Math.hypot(bx - ax, by - ay);
    if (length > 1) {
      const [ux, uy] = [(bx - ax) / length, (by - ay) / length], s = Math.min(10, length / 2);
      inside.append(node("line", { x1: ax, y1: ay, x2: bx - ux * s, y2: by - uy * s, stroke: arrow.color, "stroke-width": 2.4 }));
      inside.append(node("path", { d: `M${bx} ${by}L${bx - s * ux + s * 0.5 * uy} ${by - s * uy - s * 0.5 * ux}L${bx - s * ux - s * 0.5 * uy} ${by - s * uy + s * 0.5 * ux}Z`, fill: arrow.color }));
    }
    if (arrow.label) svg.append(node("text", { x: bx + 6, y: by - 6 }, arrow.label));
  }
  const named = picture.curves.filter((c) => c.label);
  const [left, top] = corner(svg, named, w, h, drawn);
  named.forEach((curve, k) => {
    const y = top + 12 + 18 * k, at = left ? M.left + 12 : M.left + w - 38; // where its piece of line begins
    svg.append(node("text", { x: left ? at + 36 : at - 6, y: y + 4, "text-anchor": left ? "start" : "end" }, curve.label));
    if (curve.style === "points") svg.append(node("circle", { cx: at + 16, cy: y, r: 3.5, fill: curve.color }));
    else svg.append(node("line", { x1: at, x2: at + 30, y1: y, y2: y, stroke: curve.color, "stroke-width": 2.2, "stroke-dasharray": DASH[curve.style] || "" }));
  });
}

// points at most 8 pixels apart along a line, which null interrupts
function dense(line) {
  return line.flatMap((p, k) => {
    const q = line[k - 1] || p;
    if (!p) return [];
    const parts = Math.min(60, Math.ceil(Math.hypot(q[0] - p[0], q[1] - p[1]) / 8)) || 1;
    return Array.from({ length: parts }, (_, i) => p.map((x, j) => x + ((q[j] - x) * i) / parts));
  });
}

// The corner for the names of the curves: [at the left?, top]; the one it had unless lines now pass
// there, else the one that the fewest pass.
function corner(svg, named, w, h, drawn) {
  if (!named.length) return [false, M.top];
  const wide = 56 + 8 * Math.max(...named.map((c) => c.label.length)), tall = 18 * named.length + 12;
  const passing = ([left, top]) => drawn.filter(([x, y]) => {
    const from = left ? M.left : M.left + w - wide;
    return x > from && x < from + wide && y > top && y < top + tall;
  }).length;
  const corners = [[false, M.top], [true, M.top], [false, M.top + h - tall], [true, M.top + h - tall]];
  const counts = corners.map(passing), had = Number(svg.dataset.corner || 0);
  const best = counts[had] === 0 ? had : counts.indexOf(Math.min(...counts));
  svg.dataset.corner = best;
  return corners[best];
}

function render({ model, el }) {
  const root = document.createElement("div");
  root.className = "aba-live";
  const svg = node("svg", { viewBox: `0 0 ${W} ${H}`, role: "img" });
  const say = document.createElement("p");
  say.className = "say";
  say.setAttribute("aria-live", "polite");
  root.append(svg, say);
  el.append(root);
  const update = () => {
    const picture = model.get("picture");
    if (!picture || !picture.curves) return;
    const shown = ["curves", "arms", "marks", "arrows", "bars"].some((kind) => picture[kind].length);
    root.classList.toggle("waiting", !shown);
    if (shown) paint(svg, picture);
    svg.setAttribute("aria-label", picture.say);
    say.textContent = picture.say;
  };
  model.on("change:picture", update);
  update();
  return () => model.off("change:picture", update);
}

export default { render };
