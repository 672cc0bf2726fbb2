// The page of `hlokit view`: text, graph and run of one program, drawn from the packed data. Only the visible rows
// exist as elements, and a level of the graph is laid out when it opens.
"use strict";
(async () => {
const $ = id => document.getElementById(id);
const packed = Uint8Array.from(atob($("data").textContent.trim()), c => c.charCodeAt(0));
const D = JSON.parse(await new Response(
  new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).text());
$("data").remove();
const O = D.ops, COUNT = O.line.length, ROW = 18, MOST_CHILDREN = 24;
const esc = s => String(s).replace(/[&<>"]/g, c => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}[c]));
const name = i => D.names[O.name[i]];
const short = i => name(i).replace(/^(stablehlo|func)\./, "");
const source = i => D.sources[O.src[i]];
const whole = new Intl.NumberFormat("en").format;
const fmt = x => x === null || x === undefined ? "" : typeof x === "string" ? x : Number.isInteger(x) && Math.abs(x) < 1e9
  ? whole(x) : Number(x).toPrecision(4).replace(/\.?0+(e|$)/, "$1");
const seconds = s => s >= 1 ? fmt(s) + " s" : s >= 1e-3 ? (s * 1e3).toPrecision(3) + " ms" : (s * 1e6).toPrecision(3) + " us";
const bytes = b => b < 1e3 ? b + " B" : b < 1e6 ? (b / 1e3).toPrecision(3) + " kB" : (b / 1e6).toPrecision(3) + " MB";
const users = D.values.map(() => []);
for (let i = 0; i < COUNT; i++) for (const v of new Set(O.opd[i])) users[v].push(i);
const producers = i => [...new Set(O.opd[i].map(v => D.values[v][1]).filter(p => p >= 0))];
const consumers = i => [...new Set(O.res[i].flatMap(v => users[v]))];

// Colours --------------------------------------------------------------------------------------------------
const run = D.run || {}, shadow = D.shadow || {}, diff = D.diff || {};
const devices = D.devices ? hlokitDevices(D.devices, {esc, fmt, bytes, seconds, link: i => link(i), onChange: () => { if (selected >= 0) drawDetails(selected); }}) : null;
const METRICS = {
  none: ["nothing", null],
  time: ["time", i => run[i] && run[i].self],
  memory: ["bytes of results", i => run[i] && run[i].bytes],
  range: ["largest magnitude", i => run[i] && run[i].max !== null ? Math.max(Math.abs(run[i].min), Math.abs(run[i].max)) : 0],
  nan: ["NaN and infinities", i => run[i] && run[i].nan + run[i].inf],
  ulp: ["error in ULP", i => shadow[i] && shadow[i][0]],
  sent: ["bytes that a device sends", i => devices && devices.sent(i)],
  diff: ["divergence", i => diff[i] && (["exact", "within", "open"].includes(diff[i][0]) ? Math.min(1, diff[i][2] || 0) : 2)],
};
let metric = D.colours.includes("time") ? "time" : devices ? "sent" : "none";
const sums = {time: true, memory: true, nan: true, sent: true};
let largest = 0;
const values = new Float64Array(COUNT);
function measure() {
  const f = METRICS[metric][1];
  largest = 0;
  for (let i = 0; i < COUNT; i++) {
    let v = f ? f(i) || 0 : 0;
    if (!isFinite(v)) v = 1e300;
    values[i] = v;
    if (v > largest) largest = v;
  }
}
function heat(v) {
  if (!v || !largest) return "";
  const r = largest > 1e6 || metric === "ulp" ? Math.log1p(v) / Math.log1p(largest) : v / largest;
  if (r < .01) return "";
  return `hsl(${50 - 45 * Math.min(r, 1)} 92% ${84 - 16 * Math.min(r, 1)}%)`;
}

// Text -----------------------------------------------------------------------------------------------------
const TOKENS = /("(?:[^"\\]|\\.)*")|(%[\w$.-]+(?:#\d+)?)|(@[\w$.-]+)|((?:tensor|tuple)<[^>]*>>?)|\b((?:stablehlo|chlo|vhlo|func|sdy|check|interpreter)\.[\w.]+)|([&<>])/g;
const text = $("text"), rows = $("rows");
const folded = new Set(), hitLines = new Set();
let lines = [], lineAt = new Int32Array(D.lines.length), selected = -1, selectedValue = -1;
function listLines() {
  lines = [];
  for (let n = 0; n < D.lines.length; n++) {
    lineAt[n] = lines.length;
    lines.push(n);
    const op = D.lineOp[n];
    if (folded.has(op) && O.line[op] === n) for (; n < O.end[op]; n++) lineAt[n + 1] = lines.length - 1;
  }
  rows.style.height = lines.length * ROW + "px";
}
function coloured(n) {
  let k = 0;
  const ids = D.lineVals[n] || [];
  return D.lines[n].replace(TOKENS, (all, str, val, sym, type, op) => {
    if (val) { const id = ids[k++]; return `<b data-v="${id === undefined ? -1 : id}"${id >= 0 && id === selectedValue ? ' class="on"' : ""}>${esc(all)}</b>`; }
    if (type) return `<i>${esc(all)}</i>`;
    if (op) return `<u>${all}</u>`;
    if (str || sym) return `<s>${esc(all)}</s>`;
    return esc(all);
  });
}
let neighbours = {def: new Set(), use: new Set()};
function drawRows() {
  const first = Math.max(0, Math.floor(text.scrollTop / ROW) - 8), height = printing ? 1e9 : text.clientHeight;
  const last = Math.min(lines.length, Math.ceil((text.scrollTop + height) / ROW) + 8);
  let html = "";
  for (let at = printing ? 0 : first; at < last; at++) {
    const n = lines[at], op = D.lineOp[n], starts = op >= 0 && O.line[op] === n, opens = starts && O.end[op] > n;
    const kind = (op >= 0 && op === selected ? " sel" : neighbours.def.has(op) ? " def" : neighbours.use.has(op) ? " use" : "") + (hitLines.has(n) ? " hit" : "");
    const colour = starts ? heat(values[op]) : "";
    html += `<div class="row${kind}" style="top:${at * ROW}px" data-n="${n}"${starts && source(op).t ? ` title="${esc(source(op).t)}"` : ""}>`
      + `<span class="no">${n + 1}</span><span class="fold">${opens ? (folded.has(op) ? "&#9656;" : "&#9662;") : ""}</span>`
      + `<span class="heat" style="background:${colour || "transparent"}"></span>${coloured(n)}${opens && folded.has(op) ? ' <span class="dim">&#8230; }</span>' : ""}</div>`;
  }
  rows.innerHTML = html;
}
let printing = false, waiting = false;
text.addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; drawRows(); }); } });
new ResizeObserver(() => drawRows()).observe(text);
addEventListener("beforeprint", () => { printing = D.lines.length <= 5000; drawRows(); });
addEventListener("afterprint", () => { printing = false; drawRows(); });
rows.addEventListener("click", e => {
  const row = e.target.closest(".row");
  if (!row) return;
  const n = +row.dataset.n, op = D.lineOp[n];
  if (e.target.className === "fold" && op >= 0) { toggleFold(op); return; }
  const v = e.target.dataset && e.target.dataset.v;
  selectedValue = v === undefined ? -1 : +v;
  if (e.detail > 1 && selectedValue >= 0 && D.values[selectedValue][1] >= 0) select(D.values[selectedValue][1], true);
  else if (op >= 0) select(op);
});
function toggleFold(op) { folded.has(op) ? folded.delete(op) : folded.add(op); listLines(); drawRows(); }
function scrollTo(op) {
  for (let p = O.parent[op]; p >= 0; p = O.parent[p]) if (folded.delete(p)) listLines();
  const y = lineAt[O.line[op]] * ROW;
  if (y < text.scrollTop || y > text.scrollTop + text.clientHeight - 2 * ROW) text.scrollTop = y - text.clientHeight / 3;
}
text.addEventListener("keydown", e => {
  const step = {ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20}[e.key];
  if (step) { e.preventDefault(); select(Math.min(COUNT - 1, Math.max(0, selected + step)), true); }
  else if (e.key === "Enter" && selected >= 0) { reveal(selected); }
  else if ((e.key === "ArrowLeft" || e.key === "ArrowRight") && selected >= 0 && O.end[selected] > O.line[selected]) { e.preventDefault(); toggleFold(selected); }
});

// Groups of the graph: function, source scope, region; no level has more than MOST_CHILDREN children ----------
const childrenOf = Array.from({length: COUNT}, () => []);
const tops = [];
for (let i = 0; i < COUNT; i++) (O.parent[i] >= 0 ? childrenOf[O.parent[i]] : tops).push(i);
const isConstant = i => name(i).endsWith(".constant") || name(i).endsWith(".constant_v1");
let withConstants = false;
const groupOf = new Array(COUNT);           // operation -> its node
let root, entry;
function node(op, parent) { return {op, parent, title: "", kids: null, open: false, ops: null}; }
function makeKids(group, ops, depth) {
  // Skip scopes that all operations share.
  for (; depth < 12; depth++) {
    const at = new Set(ops.filter(i => !isConstant(i) && O.end[i] === O.line[i]).map(i => source(i).p[depth]).filter(p => p !== undefined));
    if (at.size !== 1) break;
  }
  const scopes = new Map(), kids = [];
  for (const i of ops) {
    if (!withConstants && isConstant(i)) continue;
    const path = source(i).p;
    const inner = O.end[i] > O.line[i];
    const scope = path.length > depth && depth < 12 ? path[depth] : null;
    if (scope !== null && !inner) {
      if (!scopes.has(scope)) { const g = node(-1, group); g.title = scope; g.members = []; scopes.set(scope, g); kids.push(g); }
      scopes.get(scope).members.push(i);
    } else { const n = node(i, group); if (inner) n.title = short(i) + (O.label[i] ? " " + O.label[i] : ""); kids.push(n); }
  }
  const flat = kids.flatMap(k => k.members && k.members.length === 1 ? [node(k.members[0], group)] : [k]);
  for (const k of flat) if (k.members) k.depth = depth + 1;
  return chunked(flat, group);
}
function chunked(kids, group) {
  if (kids.length <= MOST_CHILDREN) { for (const k of kids) k.parent = group; return kids; }
  let size = MOST_CHILDREN;
  while (Math.ceil(kids.length / size) > MOST_CHILDREN) size *= MOST_CHILDREN;
  const made = [];
  for (let at = 0; at < kids.length; at += size) {
    const g = node(-1, group), part = kids.slice(at, at + size);
    g.title = `part ${made.length + 1}`;
    g.kids = chunked(part, g);
    made.push(g);
  }
  return made;
}
function kidsOf(g) {
  if (g.kids === null) {
    if (g.members) g.kids = makeKids(g, g.members, g.depth);
    else if (g.op >= 0 && childrenOf[g.op].length) g.kids = makeKids(g, childrenOf[g.op], 0);
    else g.kids = [];
    for (const k of g.kids) recordNodes(k);
  }
  return g.kids;
}
function recordNodes(k) { if (k.op >= 0) groupOf[k.op] = k; if (k.kids) k.kids.forEach(recordNodes); }
function opsOf(g) {
  if (g.ops) return g.ops;
  const found = [];
  const down = i => { found.push(i); childrenOf[i].forEach(down); };
  if (g.members) g.members.forEach(down);
  else if (g.op >= 0) down(g.op);
  else kidsOf(g).forEach(k => { for (const i of opsOf(k)) found.push(i); });
  return g.ops = found;
}
const isGroup = g => g.op < 0 || (O.end[g.op] > O.line[g.op] && childrenOf[g.op].length > 0);
function buildGraph() {
  root = node(-1, null); root.open = true;
  const module = tops.length === 1 && name(tops[0]) === "builtin.module" ? childrenOf[tops[0]] : tops;
  root.kids = chunked(module.map(i => { const n = node(i, root); n.title = "@" + D.fns[O.fn[i]]; return n; }), root);
  root.kids.forEach(recordNodes);
  entry = root.kids.find(k => k.op >= 0 && D.fns[O.fn[k.op]] === D.entry) || root.kids[0];
  for (let k = entry; k; k = k.parent) k.open = true;
}
function nodeFor(i) {                         // the node of an operation; makes the groups that contain it
  if (groupOf[i]) return groupOf[i];
  const above = O.parent[i] >= 0 && O.parent[i] !== tops[0] ? nodeFor(O.parent[i]) : root;
  const seek = g => { for (const k of kidsOf(g)) { if (k.op === i) return k; if (k.op < 0 && opsOf(k).includes(i)) { const f = seek(k); if (f) return f; } } return null; };
  return above && seek(above);
}

// Layout: each open group has a layout of its own, and is one node of the layout of the group around it -----------
const mark = new Int32Array(COUNT).fill(-1);
function edgesOf(g) {
  if (g.edges) return g.edges;
  const kids = kidsOf(g), found = new Map();
  kids.forEach((k, n) => { for (const i of opsOf(k)) mark[i] = n; });
  kids.forEach((k, n) => { for (const i of opsOf(k)) for (const v of O.opd[i]) {
    const p = D.values[v][1];
    if (p >= 0 && mark[p] >= 0 && mark[p] !== n) { const key = mark[p] * 4096 + n; found.set(key, (found.get(key) || new Set()).add(v)); }
  } });
  kids.forEach(k => { for (const i of opsOf(k)) mark[i] = -1; });
  return g.edges = [...found].map(([key, vs]) => [Math.floor(key / 4096), key % 4096, [...vs]]);
}
const label = k => isGroup(k) ? k.title : short(k.op);
function subtitle(k) {
  if (isGroup(k)) { const n = opsOf(k).length; return `${whole(n)} operation${n === 1 ? "" : "s"}`; }
  return (O.label[k.op] ? O.label[k.op] + "  " : "") + D.types[O.type[k.op]].replace(/^tensor<(.*)>$/, "$1");
}
const shortened = (s, n) => s.length > n ? s.slice(0, n - 1) + "\u2026" : s;
function sizeOf(k) {
  const chars = shortened(label(k), 30).length + (isGroup(k) ? 2 : 0);
  // Widths are rounded up to multiples of 16, so that similar groups share a layout.
  const w = Math.ceil(Math.max(64, Math.max(chars * 6.8, shortened(subtitle(k), 36).length * 6.1) + 20) / 16) * 16;
  if (!k.open || !isGroup(k)) return {width: w, height: 36};
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
function drawGroup(g) {
  const L = layout(g);
  let out = "";
  for (const [a, b, vs, points] of L.edges) {
    const p = points.map(q => [q.x.toFixed(1), q.y.toFixed(1)]);
    let d = `M${p[0]}`;
    for (let k = 1; k < p.length - 1; k++) d += `L${p[k]}`;
    out += `<path class="edge" data-v="${vs.slice(0, 20).join(" ")}" marker-end="url(#arrow)" d="${d}L${p[p.length - 1]}"><title>${esc(vs.slice(0, 8).map(v => D.values[v][0]).join(", "))}</title></path>`;
  }
  kidsOf(g).forEach((k, n) => {
    const {x, y, width: w, height: h} = L.nodes[n], group = isGroup(k), open = group && k.open;
    const own = opsOf(k);
    let v = 0;
    for (const i of own) v = sums[metric] ? v + values[i] : Math.max(v, values[i]);
    const colour = heat(Math.min(v, largest));
    k.id = ids.push(k) - 1;
    const kind = k.op >= 0 && k.op === selected ? " sel" : "";
    out += `<g class="node${group ? " group" : ""}${open ? " open" : ""}${kind}" data-id="${k.id}" transform="translate(${(x - w / 2).toFixed(1)},${(y - h / 2).toFixed(1)})" ${open ? "" : `tabindex="-1" role="button"${group ? ' aria-expanded="false"' : ""}`}>`
      + `<rect class="box" width="${w}" height="${h}" ${colour && !open ? `style="fill:${colour}"` : ""}/>`
      + (open ? `<g tabindex="-1" role="button" aria-expanded="true"><rect class="title" width="${w}" height="22"/><text x="8" y="15">&#9662; ${esc(shortened(label(k), 60))}</text></g><g transform="translate(0,24)">${drawGroup(k)}</g>`
        : `<text x="9" y="15"${colour ? ' style="fill:#1f2328"' : ""}>${group ? "&#9656; " : ""}${esc(shortened(label(k), 30))}</text><text class="t" x="9" y="29"${colour ? ' style="fill:#33383d"' : ""}>${esc(shortened(subtitle(k), 36))}</text>`)
      + `</g>`;
  });
  return out;
}
let ids = [], zoom = 1, graphPane;
function drawGraph() {
  ids = [];
  const L = layout(root);
  graphPane.innerHTML = `<svg role="group" aria-label="graph of the program" tabindex="0" width="${L.w * zoom}" height="${L.h * zoom}" viewBox="0 0 ${L.w} ${L.h}"><defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L8 4L0 8z" fill="currentColor" opacity=".6"/></marker></defs>${drawGroup(root)}</svg>`;
  const first = graphPane.querySelector("[role=button]");
  if (first) first.setAttribute("tabindex", "0");
  drawn = true;
  markGraph();
}
let drawn = false;
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
function onGraph(e) {
  const el = e.target.closest && e.target.closest(".node");
  if (!el) return;
  const k = ids[+el.dataset.id];
  if (k.op >= 0) select(k.op, true);
  if (isGroup(k)) { const id = k; toggle(k); const again = graphPane.querySelector(`[data-id="${id.id}"]`); if (again && e.type === "keydown") focusable(again).focus(); }
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

// Selection and details ----------------------------------------------------------------------------------------
function select(i, scroll) {
  selected = i;
  if (i < 0) { neighbours = {def: new Set(), use: new Set()}; drawRows(); markGraph(); return; }
  neighbours = {def: new Set(producers(i)), use: new Set(consumers(i))};
  if (scroll) scrollTo(i);
  drawRows();
  markGraph();
  drawDetails(i);
}
const link = i => `<button class="link" type="button" data-go="${i}">${esc(shortened((O.label[i] ? O.label[i] + " = " : "") + short(i) + "  " + D.types[O.type[i]], 80))}</button>`;
const MOST_LINKS = 40;
const list = (title, ops) => `<div><h2>${title} (${ops.length})</h2>${ops.slice(0, MOST_LINKS).map(link).join("") || '<span class="dim">none</span>'}${ops.length > MOST_LINKS ? `<span class="dim">and ${ops.length - MOST_LINKS} more</span>` : ""}</div>`;
function histogram(h) {
  const [low, high, counts] = h, most = Math.max(...counts), w = 240 / counts.length;
  return `<svg class="hist" width="240" height="74" role="img" aria-label="histogram from ${fmt(low)} to ${fmt(high)}">${counts.map((c, n) => `<rect x="${n * w}" y="${60 - 58 * c / most}" width="${w - 1}" height="${58 * c / most}"><title>${c}</title></rect>`).join("")}<text class="t" x="0" y="72">${fmt(low)}</text><text class="t" x="240" y="72" text-anchor="end">${fmt(high)}</text></svg>`;
}
function drawDetails(i) {
  const s = source(i), r = run[i], rows = [];
  const add = (what, value) => { if (value !== "" && value !== undefined) rows.push(`<tr><th>${what}</th><td>${value}</td></tr>`); };
  add("function", "@" + esc(D.fns[O.fn[i]]));
  add("source", esc(s.t));
  if (r) {
    add("evaluated", r.runs === 1 ? "once" : `${fmt(r.runs)} times`);
    add("time", `${seconds(r.s)}${r.s > r.self * 1.01 ? `, ${seconds(r.self)} by itself` : ""}`);
    add("results", bytes(r.bytes));
    if (r.max !== null) add("range", `[${fmt(r.min)}, ${fmt(r.max)}], mean ${fmt(r.mean)}`);
    if (r.nan || r.inf) add("not finite", `<span class="bad">${fmt(r.nan)} NaN, ${fmt(r.inf)} infinite</span>`);
    if (r.made) add("made", `<span class="bad">${fmt(r.made)} NaN out of operands without one</span>`);
  }
  if (shadow[i]) add("error", `${fmt(shadow[i][0])} ULP, ${fmt(shadow[i][1])} bits lost${shadow[i][2] ? ` (${esc(shadow[i][2])})` : ""}`);
  if (diff[i]) add("difference", `<span class="${METRICS.diff[1](i) > 1 ? "bad" : ""}">${esc(diff[i][0])}</span>, ${fmt(diff[i][1])} ULP, ${fmt(diff[i][2])} relative ${esc(diff[i][3])}`);
  $("details").innerHTML = `<h2>${esc((O.label[i] ? O.label[i] + " = " : "") + name(i))} <button type="button" id="reveal">show in graph</button></h2>`
    + `<pre>${esc(D.lines[O.line[i]].trim())}</pre><div class="cols"><div><table>${rows.join("")}</table>`
    + (s.s.includes("\n") ? `<details><summary>call stack</summary><pre>${esc(s.s)}</pre></details>` : "") + `</div>`
    + (devices ? devices.details(i) : "")
    + (r && r.hist ? `<div><h2>values</h2>${histogram(r.hist)}</div>` : "")
    + list("producers", [...neighbours.def]) + list("consumers", [...neighbours.use]) + `</div>`;
  $("reveal").onclick = () => reveal(i);
}
document.addEventListener("click", e => { const b = e.target.closest && e.target.closest("[data-go]"); if (b) select(+b.dataset.go, true); });

// Search -------------------------------------------------------------------------------------------------------
let hits = [], hitAt = -1, haystack = null;
function search(words) {
  hitLines.clear(); hits = []; hitAt = -1;
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length) {
    haystack = haystack || O.line.map((n, i) => (D.lines[n] + " " + source(i).t + " " + source(i).p.join("/")).toLowerCase());
    for (let i = 0; i < COUNT; i++) if (wanted.every(w => haystack[i].includes(w))) { hits.push(i); hitLines.add(O.line[i]); }
  }
  $("hits").textContent = wanted.length ? `${whole(hits.length)} found` : "";
  drawRows();
}
function nextHit(step) {
  if (!hits.length) return;
  hitAt = (hitAt + step + hits.length) % hits.length;
  $("hits").textContent = `${hitAt + 1} of ${whole(hits.length)}`;
  select(hits[hitAt], true);
}
$("search").addEventListener("input", e => search(e.target.value));
$("search").addEventListener("keydown", e => { if (e.key === "Enter") nextHit(e.shiftKey ? -1 : 1); if (e.key === "Escape") { e.target.value = ""; search(""); text.focus(); } });
document.addEventListener("keydown", e => { if (e.key === "/" && !/INPUT|SELECT/.test(document.activeElement.tagName)) { e.preventDefault(); $("search").focus(); } });

// Tabs: graph, devices, flame graph, hottest operations, memory, reports ------------------------------------------
const panes = {};
function pane(id, title, draw, pad) {
  const tab = document.createElement("button"), el = document.createElement("div");
  Object.assign(tab, {type: "button", id: "tab-" + id, textContent: title});
  tab.setAttribute("role", "tab"); tab.setAttribute("aria-controls", "pane-" + id);
  Object.assign(el, {id: "pane-" + id, className: "pane" + (pad ? " pad" : ""), hidden: true, tabIndex: 0});
  el.setAttribute("role", "tabpanel"); el.setAttribute("aria-labelledby", "tab-" + id);
  $("tabs").append(tab); $("panes").append(el);
  panes[id] = {tab, el, draw, done: false};
  tab.onclick = () => show(id);
  return el;
}
function show(id) {
  for (const [key, p] of Object.entries(panes)) { p.el.hidden = key !== id; p.tab.setAttribute("aria-selected", String(key === id)); p.tab.tabIndex = key === id ? 0 : -1; }
  if (!panes[id].done) { panes[id].done = true; panes[id].draw(panes[id].el); }
  $("tools").hidden = id !== "graph";
}
$("tabs").addEventListener("keydown", e => {
  const step = {ArrowRight: 1, ArrowLeft: -1}[e.key];
  if (!step || e.target.getAttribute("role") !== "tab") return;
  const every = Object.keys(panes), at = every.findIndex(k => panes[k].tab === e.target);
  const next = every[(at + step + every.length) % every.length];
  show(next); panes[next].tab.focus();
});
function drawFlame(el) {
  const width = Math.max(300, el.clientWidth - 24), out = [];
  let deepest = 0;
  (function down(n, x, w, depth) {
    if (w < 2) return;
    deepest = Math.max(deepest, depth);
    let h = 0;
    for (const c of n.n) h = (h * 31 + c.charCodeAt(0)) % 60;
    out.push(`<button type="button" class="frame" style="left:${x}px;top:${depth * 20}px;width:${w}px;background:hsl(${10 + h} 85% 72%)" title="${esc(n.n)}\n${seconds(n.v)}, ${(100 * n.v / D.flame.v).toFixed(1)} %"${n.o === undefined ? "" : ` data-go="${n.o}"`}>${w > 30 ? esc(n.n) : "<span class=sr>" + esc(n.n) + "</span>"}</button>`);
    let at = x;
    for (const k of n.c || []) { const kw = w * k.v / n.v; down(k, at, kw, depth + 1); at += kw; }
  })(D.flame, 0, width, 0);
  el.innerHTML = `<p class="dim">Time of the operations by source line, callers above; ${seconds(D.flame.v)} in all.</p><div style="position:relative;height:${deepest * 20 + 24}px">${out.join("")}</div>`;
}
function drawHottest(el) {
  const ops = Object.keys(run).map(Number).filter(i => run[i].self > 0).sort((a, b) => run[b].self - run[a].self).slice(0, 100);
  const all = Object.values(run).reduce((sum, r) => sum + r.self, 0);
  el.innerHTML = `<table><thead><tr><th class="n">time</th><th class="n">%</th><th class="n">runs</th><th class="n">bytes</th><th>operation</th><th>source</th></tr></thead><tbody>${ops.map(i => `<tr class="go" data-go="${i}"><td class="n">${seconds(run[i].self)}</td><td class="n">${(100 * run[i].self / all).toFixed(1)}</td><td class="n">${fmt(run[i].runs)}</td><td class="n">${bytes(run[i].bytes)}</td><td>${link(i)}</td><td>${esc(source(i).t)}</td></tr>`).join("")}</tbody></table>`;
}
function drawMemory(el) {
  const M = D.memory, w = Math.max(300, el.clientWidth - 90), h = 170, y = b => 6 + (h - 6) * (1 - b / (M.peak || 1));
  const x = step => 60 + w * (M.steps > 1 ? step / (M.steps - 1) : .5);
  let path = `M${x(M.points[0][0])},${h}`;
  for (const [step, live] of M.points) path += `L${x(step).toFixed(1)},${y(live).toFixed(1)}`;
  const top = M.points.reduce((a, b) => b[1] > a[1] ? b : a);
  const name = (label, op, number) => number >= 0 ? link(number) : esc([label, op].filter(Boolean).join(" "));
  el.innerHTML = `<p class="dim">Bytes of values alive after each of ${fmt(M.steps)} operations, without fusion; memory that values share counts once. A click selects the operation.</p>`
    + `<svg id="curve" role="img" aria-label="bytes alive by operation, at most ${bytes(M.peak)}" width="${w + 76}" height="${h + 20}"><path class="area" d="${path}L${x(M.points[M.points.length - 1][0])},${h}Z"/>`
    + [0, .5, 1].map(r => `<text class="t" x="54" y="${y(r * M.peak) + 4}" text-anchor="end">${bytes(Math.round(r * M.peak))}</text><line x1="58" x2="${60 + w}" y1="${y(r * M.peak)}" y2="${y(r * M.peak)}"/>`).join("")
    + `<circle cx="${x(top[0])}" cy="${y(top[1])}" r="4"/><text class="t" x="60" y="${h + 16}">1</text><text class="t" x="${60 + w}" y="${h + 16}" text-anchor="end">${fmt(M.steps)}</text></svg>`
    + `<h2>Peak: ${bytes(M.peak)}, at the end of</h2>${name(M.at[0], M.at[1], M.at[3])}<span class="dim">${esc(M.at[2])}</span>`
    + `<h2>Alive at the peak</h2><table id="alive"><thead><tr><th class="n">bytes</th><th class="n">%</th><th>value</th><th>source</th></tr></thead><tbody>`
    + M.alive.map(([b, label, op, src, number]) => `<tr${number >= 0 ? ` class="go" data-go="${number}"` : ""}><td class="n">${bytes(b)}</td><td class="n">${(100 * b / M.peak).toFixed(1)}</td><td>${name(label, op, number)}</td><td>${esc(src)}</td></tr>`).join("")
    + `</tbody></table>${M.more ? `<p class="dim">and ${fmt(M.more)} more</p>` : ""}`;
  $("curve").onclick = e => {
    const step = (e.clientX - $("curve").getBoundingClientRect().left - 60) / w * (M.steps - 1);
    const near = M.points.reduce((a, b) => Math.abs(b[0] - step) < Math.abs(a[0] - step) ? b : a);
    if (near[2] >= 0) select(near[2], true);
  };
}
function drawFindings(el) {
  el.innerHTML = D.reports.map(r => `<h2>${esc(r[0])}</h2><pre>${esc(r[1])}</pre>`).join("");
}

// Start ----------------------------------------------------------------------------------------------------------
$("facts").textContent = D.facts;
for (const key of D.colours) $("colour").add(new Option(METRICS[key][0], key, key === metric, key === metric));
$("colour").setAttribute("aria-label", "colour by");
$("colour").onchange = e => { metric = e.target.value; measure(); drawRows(); if (drawn) drawGraph(); };
$("theme").onclick = () => {
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark"
    || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "light" : "dark";
};
measure(); listLines(); drawRows(); buildGraph();
graphPane = pane("graph", "Graph", () => {
  const L = layout(root);
  zoom = Math.max(.7, Math.min(1, (graphPane.clientWidth - 16) / L.w));
  drawGraph();
});
graphPane.addEventListener("click", onGraph);
graphPane.addEventListener("keydown", graphKeys);
if (devices) pane("devices", "Devices", devices.draw, true);
if (D.flame) { pane("flame", "Flame graph", drawFlame, true); pane("hot", "Hottest", drawHottest, true); }
if (D.memory) pane("memory", "Memory", drawMemory, true);
if (D.reports.length) pane("reports", "Reports", drawFindings, true);
const tools = document.createElement("span");
tools.id = "tools";
tools.innerHTML = `<label class="dim"><input type="checkbox" id="constants"> constants</label><button type="button" id="out" aria-label="smaller">&minus;</button><button type="button" id="in" aria-label="larger">+</button>`;
$("bar").append(tools);
tools.querySelector("#constants").onchange = e => { withConstants = e.target.checked; groupOf.fill(undefined); buildGraph(); drawGraph(); };
const rezoom = f => { zoom = Math.min(3, Math.max(.1, zoom * f)); const svg = graphPane.querySelector("svg"), L = layout(root); svg.setAttribute("width", L.w * zoom); svg.setAttribute("height", L.h * zoom); };
tools.querySelector("#out").onclick = () => rezoom(.8);
tools.querySelector("#in").onclick = () => rezoom(1.25);
graphPane.addEventListener("wheel", e => { if (e.ctrlKey) { e.preventDefault(); rezoom(e.deltaY < 0 ? 1.1 : .9); } }, {passive: false});
show(devices ? "devices" : "graph");
if (D.select >= 0) select(D.select, true);
document.documentElement.dataset.ready = "1";
window.hlokitView = {select, reveal, search, data: D, shapes};
})();
