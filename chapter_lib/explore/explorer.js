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
  found.respond = (boundary) => response(state, boundary, boundary === "feedback" ? rate : 0);
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

// classical Runge–Kutta over 0.2 s; 25 steps, twice as many or more for a controller
function response(state, boundary, rate) {
  const samples = 25, inner = Math.min(40, Math.max(rate ? 2 : 1, Math.ceil((0.2 * rate) / samples / 0.35)));
  const h = 0.2 / samples / inner, arm = parameters(state), locked = locks(state, boundary);
  let q = [...state.q], v = state.velocity.map((x, i) => (locked[i] ? 0 : x));
  const go = (q, v) => acceleration(state, boundary, q, v, arm);
  const add = (x, h, k) => [x[0] + h * k[0], x[1] + h * k[1], x[2] + h * k[2]];
  const mean = (a, b, c, d) => [0, 1, 2].map((i) => (a[i] + 2 * b[i] + 2 * c[i] + d[i]) / 6);
  const t = [0], path = [q];
  for (let s = 1; s <= samples; s++) {
    for (let i = 0; i < inner; i++) {
      const a1 = go(q, v), v2 = add(v, h / 2, a1);
      const a2 = go(add(q, h / 2, v), v2), v3 = add(v, h / 2, a2);
      const a3 = go(add(q, h / 2, v2), v3), v4 = add(v, h, a3);
      const a4 = go(add(q, h, v3), v4);
      q = add(q, h, mean(v, v2, v3, v4));
      v = add(v, h, mean(a1, a2, a3, a4));
    }
    t.push((0.2 * s) / samples);
    path.push(q);
  }
  return { t, q: path };
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
      const [key, index] = name.replace("]", "").split("["), value = box();
      const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
      const input = html("input", { type: "range", min, max, step, "data-control": name, "aria-label": `${label} (${unit})` });
      input.addEventListener("input", () => {
        const x = Number(input.value);
        change(index === undefined ? { [key]: x } : { [key]: { [index]: x } });
      });
      list.append(html("label", {}, html("span", {}, label), html("output", {}, value.root), html("span", { class: "slot" }, input)));
      rows.push((now) => {
        const x = index === undefined ? now[key] : now[key][index];
        if (Number(input.value) !== x) input.value = x;
        say(value.text, `${fixed(x, digits)} ${unit}`);
        set(input, { "aria-valuetext": `${fixed(x, digits)} ${unit}` });
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
  let state = merged(START, start), found = null, due = false, late = false, rest;
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

  // The first input of a frame is drawn at once, while the frame is waited for; those that follow
  // are drawn together when it comes.  Panels out of sight, and what only a screen reader hears,
  // wait until the hand rests.
  const parts = new Map(panels.map((panel) => [panel, [...panel.root.querySelectorAll(".picture, table, .bar, .note")]]));
  const inSight = new Set([...parts.values()].flat()), stale = new Set();
  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) inSight[isIntersecting ? "add" : "delete"](target);
    catchUp();
  });
  inSight.forEach((part) => sight.observe(part));
  function paint() {
    late = false;
    found = findings(state);
    for (const panel of panels) stale.add(panel);
    catchUp();
    hands.update(state);
    say(words, sentence(state, found));
    clearTimeout(rest);
    rest = setTimeout(speak, 350);
  }
  function catchUp(all = false) {
    for (const panel of panels) {
      if ((all || parts.get(panel).some((part) => inSight.has(part))) && stale.delete(panel)) panel.update(state, found);
    }
    set(root, { "aria-busy": due || stale.size > 0 });
  }
  function speak() {
    catchUp(true);
    for (const panel of panels) panel.describe?.(state, found);
    say(spoken, words.textContent);
  }
  function schedule() {
    set(root, { "aria-busy": true });
    if (due) {
      late = true;
      return;
    }
    due = true;
    paint();
    root.getBoundingClientRect(); // its layout, too, need not wait for the frame
    requestAnimationFrame(() => {
      due = false;
      if (late) paint();
      else catchUp();
    });
  }
  const unfollow = followTheme(root);
  paint();
  speak();
  return {
    get: () => merged(state, {}),
    found: () => findings(state),
    set: (part) => { state = merged(state, part); schedule(); },
    remove: () => { clearTimeout(rest); sight.disconnect(); unfollow(); root.remove(); },
  };
}

function render({ model, el }) {
  const names = Object.keys(START);
  const given = () => Object.fromEntries(names.map((name) => [name, model.get(name)]));
  let sending = null, quiet = false;
  const view = mount(el, given(), (state) => {
    quiet = true; // our own echo is no news
    for (const name of names) {
      if (JSON.stringify(model.get(name)) !== JSON.stringify(state[name])) model.set(name, state[name]);
    }
    state.q.forEach((angle, i) => model.set(`q${i + 1}`, angle));
    quiet = false;
    // Linked widgets hear every change at once; the kernel, whose answers keep the page busy for as
    // long as a frame, hears where things stand when the hand rests.
    clearTimeout(sending);
    sending = setTimeout(() => { sending = null; model.save_changes(); }, 150);
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
    if (sending) {
      clearTimeout(sending);
      model.save_changes();
    }
    view.remove();
  };
}

export default { render };
