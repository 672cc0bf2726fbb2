// Dividers between the parts of the page, and the address: `#op=%5` selects an operation, `#tab=graph` shows a tab.
function divider(id, axis, property, start, least) {
  const bar = $(id), root = document.documentElement, main = document.querySelector("main");
  let part = start;
  const set = to => { part = Math.min(1 - least, Math.max(least, to)); root.style.setProperty(property, (100 * part).toFixed(1) + "%"); bar.setAttribute("aria-valuenow", String(Math.round(100 * part))); };
  bar.addEventListener("pointerdown", e => { bar.setPointerCapture(e.pointerId); e.preventDefault(); });
  bar.addEventListener("pointermove", e => {
    if (!bar.hasPointerCapture(e.pointerId)) return;
    const box = main.getBoundingClientRect();
    set(axis === "x" ? (e.clientX - box.left) / box.width : (e.clientY - box.top) / box.height);
  });
  bar.addEventListener("keydown", e => {
    const step = {ArrowLeft: -.02, ArrowUp: -.02, ArrowRight: .02, ArrowDown: .02}[e.key];
    if (step) { e.preventDefault(); set(part + step); }
  });
  bar.addEventListener("dblclick", () => set(start));
  set(start);
}

// The address of an operation: the name of its first value; in other functions than the entry with the function; the
// line of an operation without results.
function addressOf(i) {
  const label = O.label[i].replace(/[:,].*/, "").slice(1), other = D.fns[O.fn[i]] !== D.entry;
  if (!label || (named().get("%" + label) !== i && !other)) return "line:" + (O.line[i] + 1);
  return other ? `@${D.fns[O.fn[i]]}/${label}` : label;
}
function operationAt(address) {
  const line = /^line:(\d+)$/.exec(address);
  if (line) return D.lineOp[+line[1] - 1] ?? -1;
  const inner = /^@(.*)\/%?([^/]*)$/.exec(address), label = "%" + (inner ? inner[2] : address.replace(/^%/, ""));
  if (!inner) return named().get(label) ?? -1;
  for (let i = 0; i < COUNT; i++) if (D.fns[O.fn[i]] === inner[1] && (O.label[i].split(/[:,]/)[0] === label || O.res[i].some(v => D.values[v][0] === label))) return i;
  return -1;
}
const decoded = s => { try { return decodeURIComponent(s); } catch { return s; } };
let address = {}, restoring = false;
function remember(part) {
  if (restoring) return;
  Object.assign(address, part);
  const hash = "#" + Object.entries(address).map(([key, value]) => `${key}=${encodeURIComponent(value).replace(/%(3A|40|2F)/g, decodeURIComponent)}`).join("&");
  try { history.replaceState(null, "", hash); } catch { /* a frame of a notebook has no address */ }
}
function restore() {                           // whether the address names an operation or a tab
  const parts = new Map(location.hash.slice(1).split("&").filter(Boolean).map(s => [s.split("=")[0], s.slice(s.indexOf("=") + 1)]));
  const op = parts.get("op"), tab = parts.get("tab");
  let i = -1;
  if (op) { i = operationAt(op); if (i < 0) i = operationAt(decoded(op)); }
  restoring = true;
  if (i >= 0 && (!tab || tab === "graph")) reveal(i); else if (panes[tab]) show(tab);
  restoring = false;
  address = {...(i >= 0 || panes[tab] ? {tab: panes[tab] ? tab : "graph"} : {})};
  if (i >= 0) select(i, true);
  return {op: i >= 0, tab: Boolean(panes[tab]) || i >= 0};
}
addEventListener("hashchange", restore);
