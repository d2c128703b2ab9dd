// What changes at every move is drawn on canvases: there a moved curve costs the page no layout.

// How lines look, on the canvases and in the keys beside them; the colours are the theme's.
const LOOKS = {
  locked: { width: 2.2, dash: [] },
  free: { width: 2.2, dash: [7, 4] },
  torque: { width: 2.2, dash: [8, 3, 2, 3] },
  feedback: { width: 2.2, dash: [2.5, 2.5] },
  held: { width: 2, dash: [2, 3] },
};
const INKS = ["ink", "soft", "paper", "panel", "rule", "track", "link", "club", ...Object.keys(LOOKS)];
const inks = {};

// the theme's colours; asked for when the theme changes, since asking costs a computation of styles
function takeInks(node) {
  const style = getComputedStyle(node);
  for (const name of INKS) inks[name] = style.getPropertyValue(`--${name}`).trim();
}

const watcher = new ResizeObserver((entries) => entries.forEach(({ target, contentRect }) => target.sheet.fit(contentRect.width)));

// A canvas over the part [x, y, width, height] of a picture, drawn in the picture's own coordinates.
class Sheet {
  constructor([x, y, width, height], [whole, tall], attributes = {}) {
    Object.assign(this, { x, y, width, height, css: 0, picture: () => {} });
    const place = `left:${(100 * x) / whole}%;top:${(100 * y) / tall}%;width:${(100 * width) / whole}%;height:${(100 * height) / tall}%`;
    this.canvas = html("canvas", { style: place, ...attributes });
    this.canvas.sheet = this;
    watcher.observe(this.canvas);
  }

  // also the first that a canvas hears of when it comes onto the page, where the theme is known
  fit(css) {
    this.css = css;
    takeInks(this.canvas);
    this.redraw();
  }

  draw(picture) {
    this.picture = picture;
    this.redraw();
  }

  redraw() {
    if (!this.css) return;
    const { canvas, x, y, width, height } = this, scale = (this.css / width) * (Sheet.printing ? 3 : devicePixelRatio);
    const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
    const pen = canvas.getContext("2d", { alpha: false }); // on paper what is clear would print white
    if (canvas.width !== w || canvas.height !== h) {
      Object.assign(canvas, { width: w, height: h });
      pen.font = '12px system-ui, "DejaVu Sans", sans-serif'; // kept until the size changes
    }
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = inks.panel;
    pen.fillRect(0, 0, w, h);
    pen.setTransform(scale, 0, 0, scale, -x * scale, -y * scale);
    this.picture(pen);
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
