// The wrist explorer: one state, controls that change it, panels that show it.
// The mechanics are the generated functions (arm.js); here they are called and integrated.

const ACCELERATIONS = [accelerations_both_locked, accelerations_wrist_free, accelerations_elbow_free, accelerations_both_free];

// everything the panels show of a state
function findings(state) {
  const { lengths, masses, armature } = parameters(state);
  const found = inertias(lengths, masses, FIXED.radius, armature, state.q);
  found.feltAt = (q2, q3) => felt(lengths, masses, FIXED.radius, armature, [state.q[0], q2, q3]);
  found.instants = {};
  for (const boundary of BOUNDARIES) {
    const velocity = state.velocity.map((v, i) => (locks(state, boundary)[i] ? 0 : v));
    const qdd = acceleration(state, boundary, state.q, velocity);
    const tau = efforts(lengths, masses, FIXED.radius, armature, state.q, velocity, qdd, gravityOf(state));
    found.instants[boundary] = { qdd, torque: boundary === "locked" ? tau[2] : wristTorque(state, boundary, state.q[2], velocity[2]) };
  }
  found.limits = state.elbow === "locked" ? found.felt.slice(0, 2) : found.felt.slice(2);
  const inertia = found.wrist[state.elbow === "locked" ? 0 : 1];
  found.resonance = Math.sqrt(state.stiffness / inertia);
  found.apparent = (w) => apparent_inertia(...found.limits, inertia, state.stiffness, state.damping, w);
  // what the free wrist gives way with, the shoulder free too: it sets how fine the steps must be
  const loose = (inertia * found.limits[1]) / found.limits[0];
  const rate = Math.max(Math.sqrt(state.stiffness / loose), state.damping / loose);
  found.responses = {};
  for (const boundary of BOUNDARIES) found.responses[boundary] = response(state, boundary, boundary === "feedback" ? rate : 0);
  return found;
}

function parameters(state) {
  return {
    lengths: [...FIXED.lengths, state.club_length], masses: [...FIXED.masses, state.club_mass], armature: [0, 0, state.armature],
  };
}

function locks(state, boundary) {
  return [false, state.elbow === "locked", boundary === "locked"];
}

function gravityOf(state) {
  return state.gravity ? FIXED.gravity : 0;
}

function wristTorque(state, boundary, q3, w3) {
  if (boundary === "feedback") return state.stiffness * (state.set_point - q3) - state.damping * w3;
  return boundary === "torque" ? state.torque[2] : 0;
}

function acceleration(state, boundary, q, velocity, arm = parameters(state)) {
  const which = (state.elbow === "locked" ? 0 : 2) + (boundary === "locked" ? 0 : 1);
  const torque = [state.torque[0], state.torque[1], wristTorque(state, boundary, q[2], velocity[2])];
  return ACCELERATIONS[which](arm.lengths, arm.masses, FIXED.radius, arm.armature, q, velocity, torque, gravityOf(state));
}

// classical Runge–Kutta over 0.2 s; at least 80 steps, more for a stiff controller
function response(state, boundary, rate) {
  const samples = 80, inner = Math.min(12, Math.max(1, Math.ceil((0.2 * rate) / samples / 0.35)));
  const h = 0.2 / samples / inner, arm = parameters(state), locked = locks(state, boundary);
  let y = [...state.q, ...state.velocity.map((v, i) => (locked[i] ? 0 : v))];
  const slope = (y) => [y[3], y[4], y[5], ...acceleration(state, boundary, y.slice(0, 3), y.slice(3), arm)];
  const moved = (y, h, k) => y.map((v, i) => v + h * k[i]);
  const t = [0], q = [y.slice(0, 3)];
  for (let s = 1; s <= samples; s++) {
    for (let i = 0; i < inner; i++) {
      const k1 = slope(y), k2 = slope(moved(y, h / 2, k1)), k3 = slope(moved(y, h / 2, k2)), k4 = slope(moved(y, h, k3));
      y = y.map((v, j) => v + (h / 6) * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]));
    }
    t.push((0.2 * s) / samples);
    q.push(y.slice(0, 3));
  }
  return { t, q };
}

// what is seen, in words
function sentence(state, found) {
  const [locked, free] = found.limits, share = 100 * (1 - free / locked);
  const range = `from ${fixed(locked, 3)} to ${fixed(free, 3)} kg m² (−${fixed(share, 0)} %).`;
  const verb = share < 10 ? "hardly changes what the shoulder feels:" : "cuts what the shoulder feels";
  return `With the elbow ${state.elbow}, freeing the wrist ${verb} ${range}`;
}

function controls(change, roomy) {
  const rows = [], root = html("div", { class: "controls" });
  const choice = (name, legend, options, names) => {
    const group = `aba-${name}-${controls.count = (controls.count || 0) + 1}`;
    const inputs = options.map((value) => html("input", { type: "radio", name: group, value, onchange: () => change({ [name]: value }) }));
    root.append(html("fieldset", { class: "choice" }, html("legend", {}, legend),
      ...options.map((value, k) => html("label", {}, inputs[k], html("span", {}, (names || {})[value] || value)))));
    rows.push((now) => inputs.forEach((input) => { input.checked = input.value === now[name]; }));
  };
  const presets = html("select", { "aria-label": "Preset", onchange: () => { if (presets.value) change(PRESETS[presets.value]); presets.value = ""; } },
    html("option", { value: "" }, "Presets …"), ...Object.keys(PRESETS).map((name) => html("option", { value: name }, name)));
  root.append(html("div", { class: "row" }, presets, html("button", { type: "button", onclick: () => change(START) }, "Reset")));
  choice("elbow", "Elbow", ["free", "locked"]);
  choice("boundary", "Wrist", BOUNDARIES, BOUNDARY_NAMES);
  for (const [title, group] of Object.entries(CONTROLS)) {
    const list = html("div", { class: "sliders" });
    for (const [name, [label, unit, min, max, step]] of Object.entries(group)) {
      const [key, index] = name.replace("]", "").split("["), value = html("output");
      const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
      const input = html("input", { type: "range", min, max, step, "data-control": name, "aria-label": `${label} (${unit})` });
      input.addEventListener("input", () => {
        const x = Number(input.value);
        change(index === undefined ? { [key]: x } : { [key]: { [index]: x } });
      });
      list.append(html("label", {}, html("span", {}, label), input, value));
      rows.push((now) => {
        const x = index === undefined ? now[key] : now[key][index];
        if (Number(input.value) !== x) input.value = x;
        say(value, `${fixed(x, digits)} ${unit}`);
        input.setAttribute("aria-valuetext", `${fixed(x, digits)} ${unit}`);
      });
    }
    if (title === "Torques") {
      const box = html("input", { type: "checkbox", onchange: () => change({ gravity: box.checked }) });
      list.append(html("label", { class: "check" }, box, html("span", {}, "gravity (9.81 m/s² down)")));
      rows.push((now) => { box.checked = now.gravity; });
    }
    root.append(html("details", { open: title === "Posture" || (roomy && title !== "Rates") }, html("summary", {}, title), list));
  }
  return { root, update: (now) => rows.forEach((row) => row(now)) };
}

// a change as a reader's hand makes it: whole values, entries of a vector, elbow and wrist angles
function merged(state, part) {
  const next = { ...state };
  for (const [name, value] of Object.entries(part)) {
    if (name === "entries") next.q = next.q.map((x, i) => (i in value ? value[i] : x));
    else if (Array.isArray(state[name]) && !Array.isArray(value)) next[name] = state[name].map((x, i) => (i in value ? value[i] : x));
    else next[name] = Array.isArray(value) ? [...value] : value;
  }
  return next;
}

/** Puts a live explorer into an element.  `changed(state)` is told of every change made there. */
export function mount(element, start = {}, changed = () => {}) {
  let state = merged(START, start), due = false, speak;
  const change = (part) => {
    state = merged(state, part);
    schedule();
    changed(state);
  };
  const hands = controls(change, element.clientWidth === 0 || element.clientWidth >= 860);
  const panels = [armPanel(change), feltPanel(), curvePanel(), mapPanel(change), blocksPanel(), instantPanel(), responsePanel(), frequencyPanel()];
  const words = html("p", { class: "words", "aria-hidden": "true" });
  const spoken = html("p", { class: "spoken", "aria-live": "polite", role: "status" });
  const root = html("div", { class: "aba-explorer" },
    html("div", { class: "layout" }, hands.root, html("div", { class: "main" }, words, spoken,
      html("div", { class: "panels" }, ...panels.map((panel) => panel.root)))));
  element.append(root);

  function draw() {
    due = false;
    const found = findings(state), text = sentence(state, found);
    hands.update(state);
    for (const panel of panels) panel.update(state, found);
    say(words, text);
    clearTimeout(speak); // a screen reader hears where the slider came to rest, not every step
    speak = setTimeout(() => say(spoken, text), 350);
    root.setAttribute("data-drawn", String(Number(root.getAttribute("data-drawn") || 0) + 1));
  }
  function schedule() {
    if (!due) requestAnimationFrame(draw);
    due = true;
  }
  draw();
  say(spoken, words.textContent);
  return {
    get: () => merged(state, {}),
    found: () => findings(state),
    set: (part) => { state = merged(state, part); schedule(); },
    remove: () => { clearTimeout(speak); root.remove(); },
  };
}

function render({ model, el }) {
  const names = Object.keys(START);
  const given = () => Object.fromEntries(names.map((name) => [name, model.get(name)]));
  let sending = false, quiet = false;
  const view = mount(el, given(), (state) => {
    quiet = true; // our own echo is no news
    for (const name of names) {
      if (JSON.stringify(model.get(name)) !== JSON.stringify(state[name])) model.set(name, state[name]);
    }
    state.q.forEach((angle, i) => model.set(`q${i + 1}`, angle));
    quiet = false;
    if (!sending) requestAnimationFrame(() => { sending = false; model.save_changes(); });
    sending = true;
  });
  const heard = () => { if (!quiet) view.set(given()); };
  const single = [1, 2, 3].map((i) => () => {
    const q = [...model.get("q")], angle = model.get(`q${i}`);
    if (quiet || q[i - 1] === angle) return;
    q[i - 1] = angle;
    model.set("q", q);
    model.save_changes();
  });
  names.forEach((name) => model.on(`change:${name}`, heard));
  single.forEach((f, i) => model.on(`change:q${i + 1}`, f));
  return () => {
    names.forEach((name) => model.off(`change:${name}`, heard));
    single.forEach((f, i) => model.off(`change:q${i + 1}`, f));
    view.remove();
  };
}

export default { render };
