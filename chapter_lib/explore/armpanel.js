// The arm itself: drawn to scale, turned by its links.
function armPanel(change) {
  const W = 420, H = 330, margin = 34, size = [W, H];
  const sheet = new Sheet([0, 0, ...size], size, { class: "arm", role: "img" }), { canvas } = sheet;
  const note = html("p", { class: "note" }, "Drag a link to turn its joint. Filled joints are locked; arcs are torques.");
  let placed = null, grip = null;

  // the link under an event, or −1
  const linkAt = (event) => {
    const [x, y] = sheet.at(event);
    return [2, 1, 0].find((i) => {
      const [a, b] = placed.points.slice(i, i + 2), [dx, dy] = [b[0] - a[0], b[1] - a[1]];
      const t = Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy)));
      return Math.hypot(x - a[0] - t * dx, y - a[1] - t * dy) <= Math.max(placed.r, 9);
    }) ?? -1;
  };
  const angle = (event, i) => {
    const [x, y] = sheet.at(event);
    return Math.atan2(placed.points[i][1] - y, x - placed.points[i][0]);
  };
  canvas.addEventListener("pointerdown", (event) => {
    const i = linkAt(event);
    if (i < 0) return;
    canvas.setPointerCapture(event.pointerId);
    grip = { i, offset: placed.q[i] - angle(event, i) };
    event.preventDefault();
  });
  canvas.addEventListener("pointermove", (event) => {
    if (grip === null) {
      canvas.style.cursor = linkAt(event) < 0 ? "" : "grab";
      return;
    }
    const q = [...placed.q];
    q[grip.i] = wrapped(grip.offset + angle(event, grip.i));
    change({ q });
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { grip = null; });
  // a finger on a link turns it, beside the links it scrolls the page
  canvas.addEventListener("touchstart", (event) => { if (linkAt(event.touches[0]) >= 0) event.preventDefault(); }, { passive: false });

  function update(state, found) {
    const lengths = [...FIXED.lengths, state.club_length];
    const unit = (H - 2 * margin) / lengths.reduce((a, b) => a + b);
    const reach = [[0, 0]], turns = [];
    lengths.forEach((length, i) => {
      turns.push((turns[i - 1] || 0) + state.q[i]);
      const [x, y] = reach[i];
      reach.push([x + length * unit * Math.cos(turns[i]), y - length * unit * Math.sin(turns[i])]);
    });
    // the shoulder stands in the middle and gives way only as far as the arm needs room
    const shift = [W / 2, H / 2].map((middle, k) => {
      const all = reach.map((p) => p[k]), room = 2 * middle - margin;
      return Math.min(Math.max(middle, margin - Math.min(...all)), room - Math.max(...all));
    });
    const points = reach.map((p) => [p[0] + shift[0], p[1] + shift[1]]), r = Math.max(3.5, FIXED.radius * unit);
    placed = { points, r, q: state.q };
    const torque = [...state.torque.slice(0, 2), found.instants[state.boundary].torque];
    const locked = [false, state.elbow === "locked", state.boundary === "locked"];
    if (locked[1]) torque[1] = 0;
    const full = [10, 5, 2], names = ["shoulder", "elbow", "wrist"];
    sheet.draw((pen) => {
      drawGround(pen, ...points[0]);
      for (const i of [0, 1, 2]) drawLink(pen, points[i], points[i + 1], r, i === 2 ? "club" : "link");
      names.forEach((name, i) => {
        drawJoint(pen, ...points[i], locked[i]);
        drawTorque(pen, ...points[i], 20 - 2 * i, Math.max(-1, Math.min(1, torque[i] / full[i])));
        pen.fillStyle = inks.soft;
        pen.textAlign = "center";
        pen.fillText(name, points[i][0], points[i][1] + (i ? 34 : 32));
      });
    });
  }
  function describe({ q, elbow, boundary }) {
    canvas.setAttribute("aria-label", `The arm at shoulder ${fixed(q[0], 2)}, elbow ${fixed(q[1], 2)}, wrist ${fixed(q[2], 2)} rad; ` +
      `elbow ${elbow}, wrist ${BOUNDARY_NAMES[boundary]}.`);
  }
  const picture = html("div", { class: "picture", style: `aspect-ratio:${W}/${H}` }, canvas);
  return { root: panel("The arm", picture, note), update, describe };
}

function drawGround(pen, x, y) {
  polygon(pen, [[x, y], [x - 11, y + 17], [x + 11, y + 17]], true);
  filled(pen, "track");
  ruled(pen, "soft", 1);
  polygon(pen, [[x - 26, y + 17], [x + 26, y + 17]]);
  ruled(pen, "soft", 1);
}

function drawLink(pen, [x, y], [u, v], r, colour) {
  const turn = Math.atan2(v - y, u - x);
  pen.beginPath();
  pen.arc(x, y, r, turn + Math.PI / 2, turn - Math.PI / 2);
  pen.arc(u, v, r, turn - Math.PI / 2, turn + Math.PI / 2);
  pen.closePath();
  filled(pen, colour);
  ruled(pen, "ink", 1);
}

function drawJoint(pen, x, y, locked) {
  const s = 5.5;
  if (locked) polygon(pen, [[x - s, y - s], [x + s, y - s], [x + s, y + s], [x - s, y + s]], true);
  else disc(pen, x, y, s);
  filled(pen, locked ? "ink" : "paper");
  ruled(pen, "ink", 1.6);
}

// an arc about (x, y) whose sweep and side show a torque from −1 to 1
function drawTorque(pen, x, y, radius, share) {
  if (Math.abs(share) < 1e-3) return;
  const side = Math.sign(share), sweep = share * 4.2 + side * 0.5, [from, to] = [Math.PI / 2 - sweep / 2, Math.PI / 2 + sweep / 2];
  const p = (a, r = radius) => [x + r * Math.cos(a), y - r * Math.sin(a)];
  pen.beginPath();
  pen.arc(x, y, radius, -from, -to, share > 0);
  ruled(pen, "torque", 2.6);
  polygon(pen, [p(to, radius - 5), p(to, radius + 5), p(to + side * 0.42)], true);
  filled(pen, "torque");
}
