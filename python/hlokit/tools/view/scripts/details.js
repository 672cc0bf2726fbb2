// Selection, and the details of the selected operation.
function select(i, scroll) {
  selected = i;
  if (i < 0) { neighbours = {def: new Set(), use: new Set()}; drawRows(); markGraph(); return; }
  neighbours = {def: new Set(producers(i)), use: new Set(consumers(i))};
  if (scroll) scrollTo(i);
  drawRows();
  markGraph();
  drawDetails(i);
  remember({op: addressOf(i)});
}
const titleOf = i => (O.label[i] ? O.label[i] + " = " : "") + (short(i) === "call" && callee(i) ? callee(i) + "()" : short(i));
const link = i => `<button class="link" type="button" data-go="${i}">${esc(shortened(titleOf(i) + "  " + type(i), 80))}</button>`;
const MOST_LINKS = 40;
const list = (title, ops) => `<div><h2>${title} (${ops.length})</h2>${ops.slice(0, MOST_LINKS).map(link).join("") || '<span class="dim">none</span>'}${ops.length > MOST_LINKS ? `<span class="dim">and ${ops.length - MOST_LINKS} more</span>` : ""}</div>`;
function histogram(h) {
  const [low, high, counts] = h, most = Math.max(...counts), w = 240 / counts.length;
  return `<svg class="hist" width="240" height="74" role="img" aria-label="histogram from ${fmt(low)} to ${fmt(high)}">${counts.map((c, n) => `<rect x="${n * w}" y="${60 - 58 * c / most}" width="${w - 1}" height="${58 * c / most}"><title>${c}</title></rect>`).join("")}<text class="t" x="0" y="72">${fmt(low)}</text><text class="t" x="240" y="72" text-anchor="end">${fmt(high)}</text></svg>`;
}
// `[minimum, maximum, mean, NaN, infinite]` in words.
function rangeText(numbers) {
  if (!numbers) return '<span class="dim">not observed</span>';
  const [low, high, mean, nan, inf] = numbers, parts = [];
  if (low !== null && low !== undefined) parts.push(low === high ? `${fmt(low)}` : `[${fmt(low)}, ${fmt(high)}]${mean === null || mean === undefined ? "" : `, mean ${fmt(mean)}`}`);
  if (nan || inf) parts.push(`<span class="bad">${[nan && `${fmt(nan)} NaN`, inf && `${fmt(inf)} infinite`].filter(Boolean).join(", ")}</span>`);
  return parts.join(", ") || '<span class="dim">no numbers</span>';
}
const constantText = i => esc(shortened((/dense<(.*?)> :/.exec(D.lines[O.line[i]]) || ["", ""])[1], 60));
const observed = i => run[i] && run[i].runs ? [run[i].min, run[i].max, run[i].mean, run[i].nan, run[i].inf] : null;
function rangeOfValue(v) {
  const p = D.values[v][1];
  return p >= 0 ? observed(p) : D.arguments && D.arguments[v];
}
function operands(i) {                         // a table of the operands: where they come from, and their ranges
  const own = (run[i] && run[i].operands) || [];
  const rows = O.opd[i].slice(0, MOST_LINKS).map((v, n) => {
    const p = D.values[v][1], from = p >= 0 ? link(p) : `<code>${esc(D.values[v][0])}</code> <span class="dim">${esc(argumentType(v) || "argument of a block")}</span>`;
    return `<tr><td>${from}<div class="range">${own[n] || rangeOfValue(v) || !(p >= 0 && constants.has(p)) ? D.run ? rangeText(own[n] || rangeOfValue(v)) : "" : constantText(p)}</div></td></tr>`;
  });
  const more = O.opd[i].length - MOST_LINKS;
  return rows.length ? `<div><h2>operands (${O.opd[i].length})</h2><div class="scroll" tabindex="0"><table id="operands">${rows.join("")}</table></div>${more > 0 ? `<span class="dim">and ${more} more</span>` : ""}</div>` : "";
}
function figures(i) {
  const r = run[i], rows = [];
  const add = (what, value) => { if (value !== "" && value !== undefined) rows.push(`<tr><th>${what}</th><td>${value}</td></tr>`); };
  const called = short(i) === "call" ? functions.get(callee(i)) : undefined;
  add("source", esc(source(i).t));
  if (r && r.made) add("made", `<span class="bad">${fmt(r.made)} NaN out of operands without one</span>`);
  if (r && r.runs) add("range", rangeText(observed(i)));
  if (shadow[i]) add("error", `${fmt(shadow[i][0])} ULP, ${fmt(shadow[i][1])} bits lost${shadow[i][2] ? ` (${esc(shadow[i][2])})` : ""}`);
  if (diff[i]) add("difference", `<span class="${MEASURES.diff[1](i) > 1 ? "bad" : ""}">${esc(diff[i][0])}</span>, ${fmt(diff[i][1])} ULP, ${fmt(diff[i][2])} relative ${esc(diff[i][3])}`);
  if (r) {
    if (times.own[i] !== undefined) add("time", `${seconds(times.own[i])}, ${percent(times.own[i] / times.wall)}${times.calls[i] > times.own[i] * 1.01 ? `; ${seconds(times.calls[i])} with the function` : ""}${fusedWith(i)}`);
    if (times.runs) add("observed", `${seconds(r.s)}${r.s > r.self * 1.01 ? `, ${seconds(r.self)} by itself` : ""}`);
    add("evaluated", `${r.runs === 1 ? "once" : `${fmt(r.runs)} times`}, ${bytes(r.bytes)} of results`);
  }
  if (D.flops[i]) add("work", `${counted(D.flops[i])} FLOPs${r && r.runs > 1 ? " an evaluation" : ""}`);
  add("function", `<button class="link inline" type="button" data-go="${functions.get(D.fns[O.fn[i]])}">@${esc(D.fns[O.fn[i]])}</button>`);
  if (called !== undefined) add("calls", `<button class="link inline" type="button" data-go="${called}">@${esc(callee(i))}</button>`);
  return rows.join("");
}
function fusedWith(i) {
  const step = (times.steps || []).find(s => s[5].length && s[5].includes(i));
  if (!step) return "";
  return step[4] ? ", estimated: a native loop" : `, estimated: one of ${step[5].length} fused operations`;
}
function drawDetails(i) {
  const s = source(i), r = run[i];
  $("details").innerHTML = `<h2>${esc((O.label[i] ? O.label[i] + " = " : "") + name(i))} <button type="button" id="reveal">show in graph</button></h2>`
    + `<pre>${esc(D.lines[O.line[i]].trim())}</pre><div class="cols"><div><table>${figures(i)}</table>`
    + (s.s.includes("\n") ? `<details><summary>call stack</summary><pre>${esc(s.s)}</pre></details>` : "") + `</div>`
    + operands(i)
    + (devices ? devices.details(i) : "")
    + (r && r.hist ? `<div><h2>values</h2>${histogram(r.hist)}</div>` : "")
    + list("producers", [...neighbours.def]) + list("consumers", [...neighbours.use]) + `</div>`;
  $("details").scrollTop = 0;
  $("reveal").onclick = () => reveal(i);
}
document.addEventListener("click", e => { const b = e.target.closest && e.target.closest("[data-go]"); if (b) select(+b.dataset.go, true); });
