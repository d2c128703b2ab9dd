// What changes at every move is drawn on canvases: there a moved curve costs the page no layout.

// How lines look, on the canvases and in the keys beside them; the colours are the theme's.
const LOOKS = {
  locked: { width: 2.2, dash: [] },
  free: { width: 2.2, dash: [7, 4] },
  torque: { width: 2.2, dash: [8, 3, 2, 3] },
  feedback: { width: 2.2, dash: [3, 3.5] },
  held: { width: 2, dash: [2.5, 4] },
};
const INKS = ["ink", "soft", "paper", "panel", "rule", "track", "link", "club", ...Object.keys(LOOKS)];
const inks = {};

// the theme's colours; asked for when the theme changes, since asking costs a computation of styles
function takeInks(node) {
  const style = getComputedStyle(node);
  for (const name of INKS) inks[name] = style.getPropertyValue(`--${name}`).trim();
}

// A canvas must have exactly as many pixels as it covers on the screen: stretching it by a single one
// makes every frame ten times as dear.  Where the browser cannot tell, they are computed.
const watcher = new ResizeObserver((entries) => {
  for (const { target, contentRect, devicePixelContentBoxSize: exact } of entries) {
    target.sheet.fit(contentRect, exact && [exact[0].inlineSize, exact[0].blockSize]);
  }
});

// A canvas over the part [x, y, width, height] of a picture, drawn in the picture's own coordinates.
// What stands still is kept on a canvas of its own and copied under what moves.
class Sheet {
  constructor([x, y, width, height], [whole, tall], attributes = {}) {
    Object.assign(this, { x, y, width, height, pixels: null, ground: () => {}, picture: () => {}, key: null, under: html("canvas") });
    const place = `left:${(100 * x) / whole}%;top:${(100 * y) / tall}%;width:${(100 * width) / whole}%;height:${(100 * height) / tall}%`;
    this.canvas = html("canvas", { style: place, ...attributes });
    this.canvas.sheet = this;
    try {
      watcher.observe(this.canvas, { box: "device-pixel-content-box" });
    } catch {
      watcher.observe(this.canvas);
    }
  }

  // also the first that a canvas hears of when it comes onto the page, where the theme is known
  fit({ width, height }, exact) {
    // a browser that plays another screen, as developers' tools do, still tells of its own
    const about = [width, height].map((x) => x * devicePixelRatio);
    this.pixels = width * height && about.map((x, k) => (exact && Math.abs(exact[k] - x) < 1.5 ? exact[k] : Math.round(x)));
    takeInks(this.canvas);
    this.redraw();
  }

  // `ground(pen)` is drawn anew only when its `key` is a new one
  draw(picture, ground = () => {}, key = "") {
    this.picture = picture;
    if (key === this.key) this.paint();
    else {
      Object.assign(this, { ground, key });
      this.redraw();
    }
  }

  redraw() {
    if (!this.pixels) return;
    const [w, h] = this.pixels.map((n) => (Sheet.printing ? Math.round((3 * n) / devicePixelRatio) : n));
    const changed = this.size !== `${w} ${h}` ? [this.canvas, this.under] : [];
    this.size = `${w} ${h}`;
    for (const canvas of changed) {
      Object.assign(canvas, { width: w, height: h });
      const pen = this.pen(canvas); // as new: font and transform hold until the size changes again
      pen.font = '12px system-ui, "DejaVu Sans", sans-serif';
      pen.setTransform(w / this.width, 0, 0, h / this.height, (-this.x * w) / this.width, (-this.y * h) / this.height);
    }
    const pen = this.pen(this.under);
    pen.fillStyle = inks.panel;
    pen.fillRect(this.x, this.y, this.width, this.height);
    this.ground(pen);
    this.paint();
  }

  paint() {
    if (!this.pixels) return;
    const pen = this.pen(this.canvas);
    pen.save();
    pen.resetTransform();
    pen.drawImage(this.under, 0, 0);
    pen.restore();
    this.picture(pen);
  }

  pen(canvas) {
    return canvas.getContext("2d", { alpha: false }); // on paper what is clear would print white
  }

  // where an event happened, in the picture's coordinates
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return [this.x + ((event.clientX - box.left) * this.width) / box.width, this.y + ((event.clientY - box.top) * this.height) / box.height];
  }
}

function ruled(pen, colour, width, dash = []) {
  pen.strokeStyle = inks[colour] || colour;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  pen.stroke();
}

function filled(pen, colour, alpha = 1) {
  pen.fillStyle = inks[colour] || colour;
  pen.globalAlpha = alpha;
  pen.fill();
  pen.globalAlpha = 1;
}

function polygon(pen, points, closed = false) {
  pen.beginPath();
  points.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  if (closed) pen.closePath();
}

function disc(pen, x, y, r) {
  pen.beginPath();
  pen.arc(x, y, r, 0, 2 * Math.PI);
}

// Redraws the canvases under `root` when the theme changes and for print; returns how to stop.
function followTheme(root) {
  const redraw = () => {
    takeInks(root);
    root.querySelectorAll("canvas").forEach(({ sheet }) => sheet.redraw());
  };
  const dark = matchMedia("(prefers-color-scheme: dark)"), paper = matchMedia("print");
  const print = (on) => {
    Sheet.printing = on;
    root.toggleAttribute("data-print", on);
    redraw();
  };
  const begin = () => print(true), end = () => print(false), turn = () => print(paper.matches);
  const body = new MutationObserver(redraw);
  body.observe(document.body, { attributes: true, attributeFilter: ["class", "data-jp-theme-light", "data-jp-theme-name"] });
  dark.addEventListener("change", redraw);
  paper.addEventListener("change", turn);
  addEventListener("beforeprint", begin);
  addEventListener("afterprint", end);
  redraw();
  return () => {
    body.disconnect();
    dark.removeEventListener("change", redraw);
    paper.removeEventListener("change", turn);
    removeEventListener("beforeprint", begin);
    removeEventListener("afterprint", end);
    root.querySelectorAll("canvas").forEach((canvas) => watcher.unobserve(canvas));
  };
}
