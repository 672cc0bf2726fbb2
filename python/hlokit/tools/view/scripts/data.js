// The page of `hlokit view`: the scripts of this folder are one module, in the order of `page.py`. This one unpacks the
// data, and has the numbers and colours of operations.
"use strict";
const $ = id => document.getElementById(id);
const packed = Uint8Array.from(atob($("data").textContent.trim()), c => c.charCodeAt(0));
const D = JSON.parse(await new Response(
  new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).text());
$("data").remove();
const O = D.ops, COUNT = O.line.length;
const esc = s => String(s).replace(/[&<>"]/g, c => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}[c]));
const name = i => D.names[O.name[i]];
const short = i => name(i).replace(/^(stablehlo|func)\./, "");
const source = i => D.sources[O.src[i]];
const type = i => D.types[O.type[i]];
const shortened = (s, n) => s.length > n ? s.slice(0, n - 1) + "\u2026" : s;
const plural = (n, word) => `${whole(n)} ${word}${n === 1 ? "" : "s"}`;
const whole = new Intl.NumberFormat("en").format;
const fmt = x => x === null || x === undefined ? "" : typeof x === "string" ? x : Number.isInteger(x) && Math.abs(x) < 1e9
  ? whole(x) : Number(x).toPrecision(4).replace(/\.?0+(e|$)/, "$1");
const scaled = (x, units) => { let n = 0; while (x >= 999.5 && n < units.length - 1) { x /= 1000; n++; } return (n ? x.toPrecision(3) : whole(x)) + " " + units[n]; };
const bytes = b => scaled(b, ["B", "kB", "MB", "GB", "TB"]);
const counted = x => scaled(x, ["", "thousand", "million", "billion", "trillion"]).trim();
const seconds = s => s >= 1 ? fmt(s) + " s" : s >= 1e-3 ? (s * 1e3).toPrecision(3) + " ms" : (s * 1e6).toPrecision(3) + " us";
const percent = part => part >= .0995 ? Math.round(part * 100) + " %" : part >= .0005 ? (part * 100).toFixed(1) + " %" : "0 %";
const users = D.values.map(() => []);
for (let i = 0; i < COUNT; i++) for (const v of new Set(O.opd[i])) users[v].push(i);
const producers = i => [...new Set(O.opd[i].map(v => D.values[v][1]).filter(p => p >= 0))];
const consumers = i => [...new Set(O.res[i].flatMap(v => users[v]))];
const childrenOf = Array.from({length: COUNT}, () => []), tops = [];
for (let i = 0; i < COUNT; i++) (O.parent[i] >= 0 ? childrenOf[O.parent[i]] : tops).push(i);
const hasBody = i => O.end[i] > O.line[i] && childrenOf[i].length > 0;
const functions = new Map();                  // name -> operation
for (let i = 0; i < COUNT; i++) if (/(^|\.)func(_v1)?$/.test(name(i))) functions.set(D.fns[O.fn[i]], i);
const callee = i => { const match = /\bcall @("[^"]*"|[\w$.-]+)/.exec(D.lines[O.line[i]]); return match ? match[1].replace(/"/g, "") : null; };
const constants = new Set(D.constant);

// Numbers of operations: for each measure a title, the value of an operation, and whether values add up ------------
const run = D.run || {}, shadow = D.shadow || {}, diff = D.diff || {}, times = D.times || {own: {}, calls: {}, wall: 0};
const MEASURES = {
  none: ["nothing", null],
  time: ["time", i => times.own[i], true],
  memory: ["bytes of results", i => run[i] && run[i].bytes, true],
  range: ["largest magnitude", i => run[i] && run[i].max !== null ? Math.max(Math.abs(run[i].min), Math.abs(run[i].max)) : 0],
  nan: ["NaN and infinities", i => !run[i] ? 0 : run[i].made ? 3 : run[i].nan ? 2 : run[i].inf ? 1 : 0],
  ulp: ["error in ULP", i => shadow[i] && shadow[i][0]],
  sent: ["bytes that a device sends", i => devices && devices.sent(i), true],
  diff: ["divergence", i => diff[i] && (["exact", "within", "open"].includes(diff[i][0]) ? Math.min(1, diff[i][2] || 0) : 2)],
};
let measure = D.colours.includes("nan") && D.select >= 0 ? "nan" : D.colours.includes("diff") ? "diff"
  : D.colours.includes("time") ? "time" : D.colours.includes("sent") ? "sent" : "none";
let largest = 0, total = 0;
const values = new Float64Array(COUNT), wholes = new Float64Array(COUNT);   // without, and with the functions of calls
function measureAll() {
  const f = MEASURES[measure][1];
  largest = total = 0;
  for (let i = 0; i < COUNT; i++) {
    let v = f ? f(i) || 0 : 0;
    if (!isFinite(v)) v = 1e300;
    values[i] = v;
    wholes[i] = measure === "time" && times.calls[i] > v ? times.calls[i] : v;
    largest = Math.max(largest, v);
    total += v;
  }
  if (measure === "time") total = times.wall;
}
// The colour of a value: by its share of the whole if values add up, so that a group is hotter than its parts, but not
// as hot as all of the run.
function heat(v) {
  if (!v || !largest) return "";
  const r = Math.min(1, MEASURES[measure][2] ? Math.sqrt(v / total)
    : measure === "nan" ? [0, .2, .6, 1][v] : largest > 1e6 || measure === "ulp" ? Math.log1p(v) / Math.log1p(largest) : v / largest);
  return r < .04 ? "" : `hsl(${52 - 48 * r} ${70 + 24 * r}% ${88 - 24 * r}%)`;
}
// The value of several operations, which may lie within each other.
function valueOf(ops) {
  let v = 0;
  for (const i of ops) v = MEASURES[measure][2] ? v + wholes[i] : Math.max(v, values[i]);
  return v;
}
