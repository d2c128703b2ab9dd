// Small tools for drawing: elements, numbers in words, axes with lines.  No mechanics here.
const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  return dress(node, attributes, children);
}

function html(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  // JupyterLab takes arrows and space for its own commands unless the focused element itself says no
  if (["input", "select", "button", "summary"].includes(name) || "tabindex" in attributes) {
    node.setAttribute("data-lm-suppress-shortcuts", "true");
  }
  return dress(node, attributes, children);
}

function dress(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== undefined));
  return node;
}

function set(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (node.getAttribute(key) !== String(value)) node.setAttribute(key, value);
  }
}

function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// a number for reading: fixed decimals, a true minus sign, no negative zero
function fixed(value, digits) {
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? (0).toFixed(digits) : text).replace("-", "−");
}

// a number on the page that a test or a script can read in full
function reading(name) {
  return html("span", { "data-reading": name });
}

function show(node, value, digits) {
  node.setAttribute("data-value", String(value));
  say(node, fixed(value, digits));
}

function niceStep(span, count) {
  const raw = span / count, power = 10 ** Math.floor(Math.log10(raw));
  return power * [1, 2, 5, 10].find((m) => m * power >= raw * (1 - 1e-9));
}

// [low, high] widened to whole steps, so that axes keep still while a slider moves
function niceRange(low, high, count = 4) {
  if (!(high > low)) [low, high] = [low - 0.5, high + 0.5];
  const step = niceStep(high - low, count);
  return [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step];
}

class Plot {
  constructor({ width = 360, height = 230, x, y, xlog, ylog, xlabel, ylabel, xticks, yticks, name, margin = 18 }) {
    this.box = { left: 50, right: width - margin, top: 10, bottom: height - 38 };
    Object.assign(this, { xlog, ylog, fixedX: xticks, fixedY: yticks });
    const { left, right, top, bottom } = this.box;
    this.root = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name });
    const id = `aba-clip-${Plot.count = (Plot.count || 0) + 1}`;
    this.grid = svg("g");
    this.inside = svg("g", { "clip-path": `url(#${id})` });
    this.over = svg("g");
    this.root.append(
      svg("clipPath", { id }, svg("rect", { x: left, y: top - 3, width: right - left, height: bottom - top + 6 })),
      this.grid,
      svg("path", { class: "axis", d: `M${left} ${top}V${bottom}H${right}` }),
      this.inside,
      this.over,
      svg("text", { x: (left + right) / 2, y: height - 5, "text-anchor": "middle" }, xlabel),
      svg("text", { transform: `translate(12 ${(top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, ylabel),
    );
    this.range(x, y);
  }

  range(x, y) {
    const key = [...x, ...y].join();
    if (key === this.key) return;
    this.key = key;
    const { left, right, top, bottom } = this.box;
    [this.x0, this.x1] = this.xlog ? x.map(Math.log10) : x;
    [this.y0, this.y1] = this.ylog ? y.map(Math.log10) : y;
    this.grid.replaceChildren();
    for (const [value, text] of this.fixedY || this.ticks(this.y0, this.y1, this.ylog, 4)) {
      const at = this.Y(value);
      this.grid.append(
        svg("line", { class: "grid", x1: left, x2: right, y1: at, y2: at }),
        svg("text", { class: "tick", x: left - 6, y: at + 4, "text-anchor": "end" }, text),
      );
    }
    for (const [value, text] of this.fixedX || this.ticks(this.x0, this.x1, this.xlog, 5)) {
      const at = this.X(value);
      this.grid.append(
        svg("line", { class: "grid", x1: at, x2: at, y1: top, y2: bottom }),
        svg("text", { class: "tick", x: at, y: bottom + 15, "text-anchor": "middle" }, text),
      );
    }
  }

  ticks(low, high, log, count) {
    const out = [];
    if (log) {
      const fine = high - low < 0.9 ? [1, 1.5, 2, 3, 4, 5, 7] : high - low < 2.1 ? [1, 2, 5] : [1];
      for (let e = Math.floor(low); e <= Math.ceil(high); e++) {
        for (const m of fine) {
          const t = e + Math.log10(m);
          if (t >= low - 1e-9 && t <= high + 1e-9) out.push([10 ** t, String(+(10 ** t).toPrecision(3))]);
        }
      }
      return out;
    }
    const step = niceStep(high - low, count), digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
      out.push([k * step, fixed(k * step, digits)]);
    }
    return out;
  }

  X(value) {
    const { left, right } = this.box, v = this.xlog ? Math.log10(value) : value;
    return left + ((v - this.x0) / (this.x1 - this.x0)) * (right - left);
  }

  Y(value) {
    const { top, bottom } = this.box, v = this.ylog ? Math.log10(value) : value;
    return bottom - ((v - this.y0) / (this.y1 - this.y0)) * (bottom - top);
  }

  line(kind) {
    const path = svg("path", { class: `line ${kind}` });
    this.inside.append(path);
    return path;
  }

  trace(path, xs, ys) {
    let d = "";
    for (let k = 0; k < xs.length; k++) d += `${k ? "L" : "M"}${this.X(xs[k]).toFixed(1)} ${this.Y(ys[k]).toFixed(1)}`;
    path.setAttribute("d", d);
  }
}
