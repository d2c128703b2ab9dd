// Small tools for the page: elements, numbers in words.  No mechanics here.
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
  if (node.firstChild === null) node.append(text);
  else if (node.firstChild.data !== text) node.firstChild.data = text;
}

// a number for reading: fixed decimals, a true minus sign, no negative zero
function fixed(value, digits) {
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? (0).toFixed(digits) : text).replace("-", "−");
}

// Text of a fixed size: what changes in it is laid out in its own little box, not with the page.
// `root` is for the page, `text` for `say`.
function box(attributes = {}) {
  const text = html("span", { class: "inner", ...attributes });
  return { text, root: html("span", { class: "box" }, text) };
}

// a number on the page that a test or a script can read in full
function reading(name) {
  return box({ "data-reading": name });
}

function show({ text }, value, digits) {
  text.setAttribute("data-value", String(value));
  say(text, fixed(value, digits));
}
