// Axes with a grid, and what a pen draws on them.
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
  constructor({ width = 360, height = 230, x, y, xlog, ylog, xlabel, ylabel, xticks, yticks, name, margin = 18, room = 6 }) {
    this.box = { left: 50, right: width - margin, top: 10, bottom: height - 38 };
    Object.assign(this, { xlog, ylog, fixedX: xticks, fixedY: yticks });
    const { left, right, top, bottom } = this.box;
    this.frame = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name });
    this.grid = svg("g");
    this.over = svg("g");
    this.frame.append(
      this.grid,
      this.over,
      svg("text", { x: (left + right) / 2, y: height - 5, "text-anchor": "middle" }, xlabel),
      svg("text", { transform: `translate(12 ${(top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, ylabel),
    );
    const part = [left - room, top - room, right - left + 2 * room, bottom - top + 2 * room];
    this.sheet = new Sheet(part, [width, height]);
    this.root = html("div", { class: "picture" }, this.frame, this.sheet.canvas);
    this.range(x, y);
  }

  range(x, y) {
    const key = [...x, ...y].join();
    if (key === this.key) return;
    this.key = key;
    const { left, right, top, bottom } = this.box;
    [this.x0, this.x1] = this.xlog ? x.map(Math.log10) : x;
    [this.y0, this.y1] = this.ylog ? y.map(Math.log10) : y;
    this.levels = (this.fixedY || this.ticks(this.y0, this.y1, this.ylog, 4)).map(([value, text]) => [this.Y(value), text]);
    this.columns = (this.fixedX || this.ticks(this.x0, this.x1, this.xlog, 5)).map(([value, text]) => [this.X(value), text]);
    this.grid.replaceChildren(
      ...this.levels.map(([at, text]) => svg("text", { class: "tick", x: left - 6, y: at + 4, "text-anchor": "end" }, text)),
      ...this.columns.map(([at, text]) => svg("text", { class: "tick", x: at, y: bottom + 15, "text-anchor": "middle" }, text)),
    );
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

  // `picture(pen)` over grid and axes; its lines, dots and upright marks follow
  draw(picture, ground = () => {}, key = "") {
    const { left, right, top, bottom } = this.box;
    this.sheet.draw(picture, (pen) => {
      pen.beginPath();
      for (const [at] of this.levels) { pen.moveTo(left, at); pen.lineTo(right, at); }
      for (const [at] of this.columns) { pen.moveTo(at, top); pen.lineTo(at, bottom); }
      ruled(pen, "rule", 1);
      polygon(pen, [[left, top], [left, bottom], [right, bottom]]);
      ruled(pen, "soft", 1);
      ground(pen);
    }, `${this.key} ${key}`);
  }

  trace(pen, look, xs, ys, width = LOOKS[look].width) {
    pen.lineJoin = "round";
    polygon(pen, xs.map((x, k) => [this.X(x), this.Y(ys[k])]));
    ruled(pen, look, width, LOOKS[look].dash);
  }

  dot(pen, look, x, y) {
    disc(pen, this.X(x), this.Y(y), 4.5);
    filled(pen, look);
    ruled(pen, "paper", 1.5);
  }

  upright(pen, x) {
    polygon(pen, [[this.X(x), this.box.top], [this.X(x), this.box.bottom]]);
    pen.globalAlpha = 0.6;
    ruled(pen, "ink", 1, [3, 3]);
    pen.globalAlpha = 1;
  }
}
