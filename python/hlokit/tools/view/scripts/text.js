// The text: only the visible rows exist as elements. Wrapped rows have several lines.
const ROW = 18, GUTTER = 13;                   // the height of a line, and the characters before its text
const TOKENS = /("(?:[^"\\]|\\.)*")|(%[\w$.-]+(?:#\d+)?)|(@[\w$.-]+)|((?:tensor|tuple)<[^>]*>>?)|\b((?:stablehlo|chlo|vhlo|func|sdy|check|interpreter)\.[\w.]+)|([&<>])/g;
const text = $("text"), rows = $("rows");
const folded = new Set(), hitLines = new Set();
let lines = [], lineAt = new Int32Array(D.lines.length), tops_ = null, selected = -1, selectedValue = -1, wraps = false;
let neighbours = {def: new Set(), use: new Set()};
function listLines() {
  lines = [];
  for (let n = 0; n < D.lines.length; n++) {
    lineAt[n] = lines.length;
    lines.push(n);
    const op = D.lineOp[n];
    if (folded.has(op) && O.line[op] === n) for (; n < O.end[op]; n++) lineAt[n + 1] = lines.length - 1;
  }
  placeLines();
}
function columns() {                           // the characters of a wrapped line
  const probe = document.createElement("span");
  probe.textContent = "0".repeat(100);
  probe.style.cssText = "position:absolute;visibility:hidden";
  text.append(probe);
  const width = probe.getBoundingClientRect().width / 100;
  probe.remove();
  return Math.max(10, Math.floor((text.clientWidth - 12) / (width || 8)) - GUTTER);
}
function placeLines() {
  tops_ = null;
  if (wraps) {
    const most = columns();
    tops_ = new Float64Array(lines.length + 1);
    lines.forEach((n, at) => { tops_[at + 1] = tops_[at] + ROW * Math.max(1, Math.ceil(D.lines[n].length / most)); });
  }
  text.classList.toggle("wraps", wraps);
  rows.style.height = top(lines.length) + "px";
}
const top = at => tops_ ? tops_[at] : at * ROW;
function rowAt(y) {                            // the row at a height
  if (!tops_) return Math.floor(y / ROW);
  let low = 0, high = lines.length;
  while (low < high - 1) { const middle = (low + high) >> 1; if (tops_[middle] <= y) low = middle; else high = middle; }
  return low;
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
function drawRows() {
  const height = printing ? 1e9 : text.clientHeight;
  const first = printing ? 0 : Math.max(0, rowAt(text.scrollTop) - 8);
  const last = Math.min(lines.length, rowAt(text.scrollTop + height) + 9);
  let html = "";
  for (let at = first; at < last; at++) {
    const n = lines[at], op = D.lineOp[n], starts = op >= 0 && O.line[op] === n, opens = starts && O.end[op] > n;
    const kind = (op >= 0 && op === selected ? " sel" : neighbours.def.has(op) ? " def" : neighbours.use.has(op) ? " use" : "") + (hitLines.has(n) ? " hit" : "");
    const colour = starts ? heat(values[op]) : "";
    html += `<div class="row${kind}" style="top:${top(at)}px;height:${top(at + 1) - top(at)}px" data-n="${n}"${starts && source(op).t ? ` title="${esc(source(op).t)}"` : ""}>`
      + `<span class="no">${n + 1}</span><span class="fold">${opens ? (folded.has(op) ? "&#9656;" : "&#9662;") : ""}</span>`
      + `<span class="heat" style="background:${colour || "transparent"}"></span><span class="code">${coloured(n)}${opens && folded.has(op) ? ' <span class="dim">&#8230; }</span>' : ""}</span></div>`;
  }
  rows.innerHTML = html;
}
let printing = false, waiting = false, width = 0;
text.addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; drawRows(); }); } });
new ResizeObserver(() => { if (wraps && text.clientWidth !== width) { width = text.clientWidth; placeLines(); } drawRows(); }).observe(text);
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
function wrap(on) { wraps = on; placeLines(); if (selected >= 0) scrollTo(selected); drawRows(); }
function scrollTo(op) {
  for (let p = O.parent[op]; p >= 0; p = O.parent[p]) if (folded.delete(p)) listLines();
  const y = top(lineAt[O.line[op]]);
  if (y < text.scrollTop || y > text.scrollTop + text.clientHeight - 2 * ROW) text.scrollTop = y - text.clientHeight / 3;
}
text.addEventListener("keydown", e => {
  const step = {ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20}[e.key];
  if (step) { e.preventDefault(); select(Math.min(COUNT - 1, Math.max(0, selected + step)), true); }
  else if (e.key === "Enter" && selected >= 0) { reveal(selected); }
  else if ((e.key === "ArrowLeft" || e.key === "ArrowRight") && selected >= 0 && O.end[selected] > O.line[selected]) { e.preventDefault(); toggleFold(selected); }
});

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
