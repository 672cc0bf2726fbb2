// The graph: groups come from the data (`grouping`); a level is laid out when it opens.
let withConstants = false, root, entry;
const groupOf = new Array(COUNT);              // operation -> its node
const arguments_ = new Map();                  // value -> the node of a parameter
const MOST_ARGUMENTS = 8;
function node(parent, op, data) { return {parent, op, title: data ? data[0] : "", detail: data ? data[1] : "", nodes: data ? data[2] : null, values: null, kids: null, open: false, ops: null}; }
const isGroup = g => g.op >= 0 ? hasBody(g.op) : !g.values;
const opsIn = x => typeof x === "number" ? [x] : x[2].flatMap(opsIn);
const isShown = x => withConstants || !opsIn(x).every(i => constants.has(i));
function kidsOf(g) {
  if (g.kids) return g.kids;
  const nodes = g.op >= 0 ? D.groups[g.op] || [] : g.nodes || [];
  g.kids = nodes.filter(isShown).map(x => typeof x === "number" ? node(g, x) : node(g, -1, x));
  if (g.op >= 0 && functions.get(D.fns[O.fn[g.op]]) === g.op) g.kids.unshift(...parameters(g));
  for (const k of g.kids) if (k.op >= 0) { groupOf[k.op] = k; if (hasBody(k.op)) k.title = functions.get(D.fns[O.fn[k.op]]) === k.op ? "@" + D.fns[O.fn[k.op]] : short(k.op); }
  return g.kids;
}
function parameters(g) {                       // nodes of a function's parameters; one node for many
  const all = D.lineVals[O.line[g.op]].filter(v => v >= 0 && users[v].length), made = [];
  const add = (values, title) => { const k = node(g, -1); Object.assign(k, {values, title, ops: []}); made.push(k); for (const v of values) arguments_.set(v, k); };
  if (all.length > MOST_ARGUMENTS) add(all, `${all.length} inputs`);
  else all.forEach(v => add([v], parameterName(g, v) || D.values[v][0]));
  return made;
}
function parameterName(g, v) {                // `images`, where the program names the parameters of @main
  const given = D.fns[O.fn[g.op]] === D.entry ? D.overview.inputs[D.lineVals[O.line[g.op]].indexOf(v)] : null;
  return given && !/^input \d+$/.test(given[0]) ? given[0] : "";
}
function opsOf(g) {
  if (g.ops) return g.ops;
  const every = [], down = i => { every.push(i); childrenOf[i].forEach(down); };
  if (g.op >= 0) down(g.op); else if (g.nodes) g.nodes.flatMap(opsIn).forEach(down); else kidsOf(g).forEach(k => { for (const i of opsOf(k)) every.push(i); });
  return g.ops = every;
}
function buildGraph() {
  groupOf.fill(undefined); arguments_.clear();
  const module = tops.length === 1 && name(tops[0]) === "builtin.module" ? tops[0] : -1;
  root = node(null, -1, ["", "", D.groups[module] || []]); root.open = true;
  entry = nodeFor(functions.get(D.entry)) || kidsOf(root)[0];
  for (let k = entry; k; k = k.parent) k.open = true;
}
function nodeFor(i) {                           // the node of an operation, if it is shown
  if (i === undefined) return null;
  if (groupOf[i]) return groupOf[i];
  const above = O.parent[i] >= 0 && O.parent[i] !== tops[0] ? nodeFor(O.parent[i]) : root;
  const seek = g => { for (const k of kidsOf(g)) { if (k.op === i) return k; if (k.op < 0 && !k.values && opsOf(k).includes(i)) { const inner = seek(k); if (inner) return inner; } } return null; };
  return above && seek(above);
}

// What a node says -------------------------------------------------------------------------------------------------
const PLUMBING = new Set(["broadcast_in_dim", "reshape", "transpose", "convert", "constant", "return", "iota", "slice", "concatenate", "tuple", "get_tuple_element", "func"]);
function telling(ops) {                        // the operations of a group that say the most: the work first
  const kinds = new Map();
  for (const i of ops) { const s = callee(i) && short(i) === "call" ? callee(i) + "()" : short(i), k = kinds.get(s) || [0, 0]; kinds.set(s, [k[0] + (D.flops[i] || 0), k[1] + 1]); }
  const every = [...kinds], some = every.filter(([s]) => !PLUMBING.has(s));
  const sorted = (some.length ? some : every).sort((a, b) => b[1][0] - a[1][0] || b[1][1] - a[1][1]);
  return sorted.slice(0, 3).map(([s, [, n]]) => n > 1 ? `${n} ${s}` : s).join(", ") + (sorted.length > 3 ? ", \u2026" : "");
}
const bare = s => s.replace(/tensor<([^<>]*)>/g, "$1");
function lastType(g) {                         // the type of what a group hands on
  const own = new Set(opsOf(g));
  for (const i of [...own].reverse()) if (O.res[i].some(v => users[v].some(u => !own.has(u)))) return bare(type(i));
  return "";
}
function label(k) {
  if (k.values || k.op < 0 || hasBody(k.op)) return k.title;
  return short(k.op) === "call" && callee(k.op) ? callee(k.op) + "()" : short(k.op);
}
function textOf(k) {                           // title and further lines of a node
  if (k.text) return k.text;
  const lines = [];
  if (k.values) lines.push(k.values.length === 1 ? [k.title === D.values[k.values[0]][0] ? "" : D.values[k.values[0]][0], argumentType(k.values[0])].filter(Boolean).join("  ") : "");
  else if (isGroup(k)) {
    if (k.detail) lines.push(k.detail);
    lines.push(telling(opsOf(k)));
    const last = k.op < 0 ? lastType(k) : bare(type(k.op));
    lines.push(`${plural(opsOf(k).length, "operation")}${last && last.length < 26 ? ` \u2192 ${last}` : ""}`);
  } else lines.push((O.label[k.op] ? O.label[k.op] + "  " : "") + bare(type(k.op)));
  return k.text = [shortened(label(k), 34), ...lines.filter(Boolean).map(s => shortened(s, 38))];
}
function argumentType(v) {
  const [line] = [...functions.values()].filter(f => D.lineVals[O.line[f]].includes(v)).map(f => D.lines[O.line[f]]);
  const at = (line || "").indexOf(D.values[v][0] + ": ");
  const match = at < 0 ? null : /^(\w+<[^<>]*(?:<[^<>]*>[^<>]*)*>|!?[\w.]+)/.exec(line.slice(at + D.values[v][0].length + 2));
  return match ? bare(match[1]) : "";
}
const share = k => MEASURES[measure][2] && total && isGroup(k) && k.op !== functions.get(D.entry) ? valueOf(opsOf(k)) / total : 0;

// Layout: each open group has a layout of its own, and is one node of the layout of the group around it -----------
const mark = new Int32Array(COUNT).fill(-1);
function edgesOf(g) {
  if (g.edges) return g.edges;
  const kids = kidsOf(g), between = new Map(), place = new Map(kids.map((k, n) => [k, n]));
  const add = (a, b, v) => { const key = a * 4096 + b; between.set(key, (between.get(key) || new Set()).add(v)); };
  kids.forEach((k, n) => { for (const i of opsOf(k)) mark[i] = n; });
  kids.forEach((k, n) => { for (const i of opsOf(k)) for (const v of O.opd[i]) {
    const p = D.values[v][1], from = p >= 0 ? mark[p] : place.get(arguments_.get(v));
    if (from !== undefined && from >= 0 && from !== n) add(from, n, v);
  } });
  kids.forEach(k => { for (const i of opsOf(k)) mark[i] = -1; });
  return g.edges = [...between].map(([key, vs]) => [Math.floor(key / 4096), key % 4096, [...vs]]);
}
function sizeOf(k) {
  const [title, ...more] = textOf(k);
  const chars = Math.max((title.length + (isGroup(k) ? 8 : 0)) * 6.8, ...more.map(s => s.length * 6.1));
  // Widths are rounded up to multiples of 16, so that similar groups share a layout.
  const w = Math.ceil(Math.max(64, chars + 20) / 16) * 16, h = 22 + 14 * more.length;
  if (!k.open || !isGroup(k)) return {width: w, height: h};
  const inner = layout(k);
  return {width: Math.max(w, inner.w), height: inner.h + 24};
}
function placeInRows(g, kids) {                    // rows of nodes without edges between them, such as functions; open ones first
  const sizes = kids.map(sizeOf), order = kids.map((k, n) => n).sort((a, b) => (kids[b].open - kids[a].open));
  let x = 10, y = 10, tall = 0, wide = 0;
  const limit = Math.max(640, ...sizes.map(s => s.width)), nodes = [];
  for (const n of order) {
    const s = sizes[n];
    if (x > 10 && x + s.width > limit) { x = 10; y += tall + 16; tall = 0; }
    nodes[n] = {x: x + s.width / 2, y: y + s.height / 2, ...s};
    x += s.width + 14; tall = Math.max(tall, s.height); wide = Math.max(wide, x);
  }
  g.same = false;
  return g.layout = {w: wide, h: y + tall + 10, nodes, edges: []};
}
function layout(g) {
  const kids = kidsOf(g);
  if (g.layout && kids.every(k => !(k.open && isGroup(k)) || (layout(k), k.same))) { g.same = true; return g.layout; }
  if (!edgesOf(g).length && kids.length > 3) return placeInRows(g, kids);
  const {w, h, nodes, points} = arranged(kids.map(sizeOf), edgesOf(g));
  g.layout = {w, h, nodes, edges: edgesOf(g).map(([a, b, vs], n) => [a, b, vs, points[n]])};
  g.same = false;
  return g.layout;
}
const MOST_SHAPES = 1000;
const shapes = new Map();                      // sizes and edges -> layout: the blocks of a model repeat
function arranged(sizes, edges) {
  const key = sizes.map(s => s.width + "x" + s.height) + "|" + edges.map(([a, b]) => a + ">" + b);
  if (shapes.has(key)) return shapes.get(key);
  const graph = new dagre.graphlib.Graph(), many = sizes.length > 12;
  graph.setGraph({nodesep: 16, ranksep: 30, marginx: 10, marginy: 10, ranker: many ? "longest-path" : "tight-tree"});
  graph.setDefaultEdgeLabel(() => ({}));
  sizes.forEach((s, n) => graph.setNode(String(n), s));
  for (const [a, b] of edges) graph.setEdge(String(a), String(b));
  dagre.layout(graph, {disableOptimalOrderHeuristic: many});
  const size = graph.graph();
  const made = {w: size.width || 40, h: size.height || 20, nodes: sizes.map((s, n) => graph.node(String(n))),
    points: edges.map(([a, b]) => graph.edge(String(a), String(b)).points)};
  if (shapes.size >= MOST_SHAPES) shapes.clear();
  shapes.set(key, made);
  return made;
}
function dropLayouts(g) { for (; g; g = g.parent) g.layout = null; }

// Drawing ------------------------------------------------------------------------------------------------------------
function drawEdge([a, b, vs, points]) {
  const p = points.map(q => [q.x.toFixed(1), q.y.toFixed(1)]);
  let d = `M${p[0]}`;
  for (let k = 1; k < p.length - 1; k++) d += `L${p[k]}`;
  const names = vs.slice(0, 8).map(v => D.values[v][0] + (D.values[v][1] >= 0 ? "  " + bare(type(D.values[v][1])) : ""));
  return `<path class="edge" data-v="${vs.slice(0, 20).join(" ")}" marker-end="url(#arrow)" d="${d}L${p[p.length - 1]}"><title>${esc(names.join("\n"))}</title></path>`;
}
function drawNode(k, {x, y, width: w, height: h}) {
  const group = isGroup(k), open = group && k.open, [title, ...more] = textOf(k), part = share(k);
  const colour = open ? "" : heat(Math.min(valueOf(opsOf(k)), MEASURES[measure][2] ? total : largest));
  const dark = s => colour ? ` style="fill:${s}"` : "", known = part ? percent(part) : "";
  k.id = ids.push(k) - 1;
  const role = open || k.values ? "" : `tabindex="-1" role="button"${group ? ' aria-expanded="false"' : ""}`;
  return `<g class="node${group ? " group" : ""}${open ? " open" : ""}${k.values ? " input" : ""}${k.op >= 0 && k.op === selected ? " sel" : ""}" data-id="${k.id}" transform="translate(${(x - w / 2).toFixed(1)},${(y - h / 2).toFixed(1)})" ${role}>`
    + `<rect class="box" width="${w}" height="${h}" ${colour ? `style="fill:${colour}"` : ""}/>`
    + (open ? `<g tabindex="-1" role="button" aria-expanded="true"><rect class="title" width="${w}" height="22"/><text x="8" y="15">&#9662; ${esc(shortened([title, k.detail].filter(Boolean).join("  "), Math.max(10, Math.floor(w / 7) - 8)))}</text><text class="t" x="${w - 8}" y="15" text-anchor="end">${known}</text></g><g transform="translate(0,24)">${drawGroup(k)}</g>`
      : `<text x="9" y="15"${dark("#1f2328")}>${group ? "&#9656; " : ""}${esc(title)}</text>${known ? `<text class="t" x="${w - 8}" y="15" text-anchor="end"${dark("#33383d")}>${known}</text>` : ""}`
        + more.map((s, n) => `<text class="t" x="9" y="${29 + 14 * n}"${dark("#33383d")}>${esc(s)}</text>`).join(""))
    + `</g>`;
}
function drawGroup(g) {
  const L = layout(g);
  return L.edges.map(drawEdge).join("") + kidsOf(g).map((k, n) => drawNode(k, L.nodes[n])).join("");
}
let ids = [], zoom = 1, graphPane, drawn = false;
function drawGraph() {
  ids = [];
  const L = layout(root);
  graphPane.innerHTML = `<svg role="group" aria-label="graph of the program" tabindex="0" width="${L.w * zoom}" height="${L.h * zoom}" viewBox="0 0 ${L.w} ${L.h}"><defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L8 4L0 8z" fill="currentColor" opacity=".6"/></marker></defs>${drawGroup(root)}</svg>`;
  const first = graphPane.querySelector("[role=button]");
  if (first) first.setAttribute("tabindex", "0");
  drawn = true;
  markGraph();
}
function markGraph() {
  if (!drawn || !graphPane) return;
  graphPane.querySelectorAll(".sel,.def,.use,.edge.on").forEach(x => x.classList.remove("sel", "def", "use", "on"));
  if (selected < 0) return;
  const shown = i => { for (let k = groupOf[i]; k; k = k.parent) if (visible(k)) return k; return null; };
  const put = (i, kind) => { const k = shown(i), el = k && graphPane.querySelector(`[data-id="${k.id}"]`); if (el && !(kind !== "sel" && k.open)) el.classList.add(kind); };
  for (const i of neighbours.def) put(i, "def");
  for (const i of neighbours.use) put(i, "use");
  put(selected, "sel");
  const mine = new Set([...O.opd[selected], ...O.res[selected]].map(String));
  graphPane.querySelectorAll(".edge").forEach(x => { if (x.dataset.v.split(" ").some(v => mine.has(v))) x.classList.add("on"); });
}
function visible(k) { for (let p = k.parent; p; p = p.parent) if (!p.open) return false; return true; }
function toggle(k) { k.open = !k.open; dropLayouts(k.parent); drawGraph(); }
function closeOthers(g, kept) {
  for (const k of g.kids || []) {
    if (!k.open || !isGroup(k)) continue;
    if (kept.has(k)) closeOthers(k, kept);
    else { k.open = false; dropLayouts(g); }
  }
}
function reveal(i) {
  if (constants.has(i) && !withConstants) showConstants(true);
  const k = nodeFor(i), kept = new Set();
  if (!k) return;
  for (let p = k.parent; p; p = p.parent) { p.open = true; kept.add(p); }
  closeOthers(root, kept);
  dropLayouts(k);
  show("graph");
  drawGraph();
  const el = graphPane.querySelector(`[data-id="${k.id}"]`);
  if (el) el.scrollIntoView({block: "center", inline: "center"});
}
function showConstants(on) { withConstants = on; $("constants").checked = on; buildGraph(); drawGraph(); }
function onGraph(e) {
  const el = e.target.closest && e.target.closest(".node");
  if (!el) return;
  const k = ids[+el.dataset.id];
  if (k.op >= 0) select(k.op, true);
  if (!isGroup(k)) return;
  toggle(k);
  const again = graphPane.querySelector(`[data-id="${k.id}"]`);
  if (again && e.type === "keydown") focusable(again).focus();
}
const focusable = el => el.getAttribute("role") ? el : el.querySelector("[role=button]");
function graphKeys(e) {
  if (e.key === "Enter" || e.key === " ") { e.preventDefault(); onGraph(e); return; }
  const step = {ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1}[e.key];
  if (!step) return;
  const every = [...graphPane.querySelectorAll("[role=button]")], at = every.indexOf(document.activeElement);
  const next = every[Math.min(every.length - 1, Math.max(0, at + step))];
  if (next) { e.preventDefault(); next.focus(); const k = ids[+next.closest(".node").dataset.id]; if (k.op >= 0) select(k.op, true); }
}
function rezoom(to) {
  zoom = Math.min(3, Math.max(.1, to));
  const svg = graphPane.querySelector("svg"), L = layout(root);
  svg.setAttribute("width", L.w * zoom);
  svg.setAttribute("height", L.h * zoom);
}
function fit() { const L = layout(root); rezoom(Math.min((graphPane.clientWidth - 18) / L.w, (graphPane.clientHeight - 18) / L.h, 1.5)); graphPane.scrollTo(0, 0); }
