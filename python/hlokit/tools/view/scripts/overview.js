// The overview: what the program is, and what the run says, with links to where to look.
function drawOverview(el) {
  const V = D.overview, W = V.weights, rows = [];
  const add = (what, value) => { if (value) rows.push(`<tr><th>${what}</th><td>${value}</td></tr>`); };
  const size = list => list.reduce((sum, p) => sum + (p[2] || 0), 0);
  if (D.select >= 0 && D.run) add("first NaN", `<button class="link inline bad" type="button" data-go="${D.select}">${esc(titleOf(D.select))}</button> made ${fmt(run[D.select].made)} NaN out of operands without one, <span class="dim">${esc(source(D.select).t)}</span>`);
  if (D.diff) add("differences", differences());
  add("written by", esc(V.producer));
  add("entry", `@${esc(D.entry)}: ${plural(V.inputs.length, "input")}, ${bytes(size(V.inputs))}; ${plural(V.outputs.length, "output")}, ${bytes(size(V.outputs))}`);
  add("weights", W.elements ? `${whole(W.elements)} numbers in ${plural(W.constants, "constant")}, ${bytes(W.bytes)}` : "none in constants");
  add("operations", `${whole(V.kinds.reduce((sum, k) => sum + k[1], 0))} in ${plural(V.functions, "function")}`);
  const work = D.run ? Object.keys(D.flops).reduce((sum, i) => sum + D.flops[i] * (run[i] ? run[i].runs : 0), 0) : V.flops;
  if (work) add("work", `${counted(work)} FLOPs${D.run ? " in this run" : ", with loops of unknown length as one turn"}`);
  if (D.memory) add("memory", `${bytes(D.memory.peak)} at the peak`); else if (V.peak) add("memory", `${bytes(V.peak)} at the peak, estimated from the types`);
  if (D.run) add("time", times.plain ? `${seconds(times.plain[0])}, ${seconds(times.plain[1])} of processor time (the fastest of ${times.runs} runs)` : `${seconds(times.wall)}, observed`);
  el.innerHTML = `<table id="facts-table">${rows.join("")}</table><div class="cols${[...V.inputs, ...V.outputs].some(p => p[3]) ? " ranged" : ""}">`
    + parameterTable("Inputs", V.inputs) + parameterTable("Outputs", V.outputs) + `</div>`
    + hottestLines() + kindTable(V.kinds) + weightTable(W.largest);
}
function differences() {
  const bad = Object.keys(diff).map(Number).filter(i => MEASURES.diff[1](i) > 1);
  return bad.length ? `<span class="bad">${plural(bad.length, "operation")}</span> ${bad.slice(0, 3).map(link).join("")}` : `<span>${Object.keys(diff).length ? "within roundings" : "none"}</span>`;
}
const MOST_PARAMETERS = 60;
function parameterTable(title, list) {
  if (!list.length) return "";
  const hasRange = list.some(p => p[3]);
  return `<div class="wide"><h2>${title}</h2><div class="scroll" tabindex="0"><table class="ports${hasRange ? " ranges" : ""}"><thead><tr><th>name</th><th>type</th><th class="n">bytes</th>${hasRange ? "<th>range</th>" : ""}</tr></thead><tbody>`
    + list.slice(0, MOST_PARAMETERS).map(p => `<tr><td>${esc(p[0])}</td><td><code>${esc(p[1])}</code></td><td class="n">${p[2] === null ? "" : bytes(p[2])}</td>${hasRange ? `<td>${p[3] ? rangeText(p[3]) : ""}</td>` : ""}</tr>`).join("")
    + `</tbody></table></div>${list.length > MOST_PARAMETERS ? `<span class="dim">and ${list.length - MOST_PARAMETERS} more</span>` : ""}</div>`;
}
function hottestLines() {                      // the source lines that took the most time
  if (!D.run || !times.wall) return "";
  const lines = new Map();
  for (const i of Object.keys(times.own).map(Number)) {
    const key = source(i).t || "@" + D.fns[O.fn[i]], one = lines.get(key) || {s: 0, most: -1, ops: []};
    one.s += times.own[i]; one.ops.push(i);
    if (one.most < 0 || times.own[i] > times.own[one.most]) one.most = i;
    lines.set(key, one);
  }
  const sorted = [...lines].sort((a, b) => b[1].s - a[1].s).slice(0, 8).filter(([, one]) => one.s > times.wall * .005);
  if (!sorted.length) return "";
  return `<h2>Where the time goes</h2><div class="scroll" tabindex="0"><table class="bars">${sorted.map(([key, one]) => `<tr class="go" data-go="${one.most}"><td class="n">${percent(one.s / times.wall)}</td><td><span class="part" style="width:${(140 * Math.min(1, one.s / times.wall)).toFixed(0)}px"></span></td><td><button class="link inline" type="button" data-go="${one.most}">${esc(key)}</button></td><td class="dim">${esc(telling(one.ops))}</td></tr>`).join("")}</table></div>`;
}
function kindTable(kinds) {
  const time = new Map(), work = kinds.reduce((sum, k) => sum + k[2], 0);
  for (const i of Object.keys(times.own).map(Number)) if (i >= 0) time.set(name(i), (time.get(name(i)) || 0) + times.own[i]);
  const most = Math.max(...kinds.map(k => k[1]), 1), hasTime = D.run && times.wall;
  const MOST = 24;
  return `<h2>Operations by kind</h2><div class="scroll" tabindex="0"><table class="bars" id="kinds"><thead><tr><th class="n">count</th><th></th><th>operation</th>${work ? '<th class="n">FLOPs</th>' : ""}${hasTime ? '<th class="n">time</th>' : ""}</tr></thead><tbody>`
    + kinds.slice(0, MOST).map(([key, count, flops]) => `<tr><td class="n">${whole(count)}</td><td><span class="part" style="width:${(90 * count / most).toFixed(0)}px"></span></td><td><button class="link inline" type="button" data-search="${esc(key)}">${esc(key)}</button></td>${work ? `<td class="n">${flops ? percent(flops / work) : ""}</td>` : ""}${hasTime ? `<td class="n">${time.get(key) ? percent(time.get(key) / times.wall) : ""}</td>` : ""}</tr>`).join("")
    + `</tbody></table></div>${kinds.length > MOST ? `<span class="dim">and ${kinds.length - MOST} other kinds</span>` : ""}`;
}
function weightTable(largest) {
  if (!largest.length) return "";
  return `<h2>Largest weights</h2><div class="scroll" tabindex="0"><table>${largest.map(([op, , size]) => `<tr class="go" data-go="${op}"><td class="n">${bytes(size)}</td><td>${link(op)}</td><td class="dim">${esc(usesOf(op))}</td></tr>`).join("")}</table></div>`;
}
function usesOf(op) {                          // what reads a constant, through conversions
  let ops = [op];
  for (let turn = 0; turn < 4; turn++) {
    const next = ops.flatMap(consumers);
    if (!next.length) break;
    ops = next;
    if (!ops.every(i => PLUMBING.has(short(i)))) break;
  }
  return ops[0] === op ? "" : `for ${telling(ops)}`;
}
document.addEventListener("click", e => {
  const b = e.target.closest && e.target.closest("[data-search]");
  if (b) { $("search").value = b.dataset.search; search(b.dataset.search); nextHit(1); }
});
