// Tabs: flame graph, hottest steps, memory, reports.
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
  remember({tab: id});
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
  el.innerHTML = `<p class="dim">${runText()}. Time of the operations by source line, callers above; ${seconds(D.flame.v)} in all.</p><div style="position:relative;height:${deepest * 20 + 24}px">${out.join("")}</div>`;
}
function runText() {
  if (!times.runs) return "One observed run, which is slower than others";
  return `The fastest of ${times.runs} runs, with fusion as in other runs`;
}
const MOST_STEPS = 100;
function stepName([op, , , , native, members]) {
  if (!members.length) return link(op);
  const what = native ? `${titleOf(op)}: a native loop of ${members.length} operations` : `${members.length} fused operations: ${telling(members)}`;
  return `<details><summary>${esc(shortened(what, 90))}</summary>${members.slice(0, 300).map(link).join("")}${members.length > 300 ? `<span class="dim">and ${members.length - 300} more</span>` : ""}</details>`;
}
function drawHottest(el) {
  const steps = times.steps.slice(0, MOST_STEPS), row = (cells, kind = "") => `<tr${kind}>${cells}</tr>`;
  const cpu = x => times.cpu === null ? "" : `<td class="n">${x === null || x === undefined ? "" : seconds(x)}</td>`;
  const shown = steps.map(s => {
    const heated = Math.min(1, s[1] / times.wall);
    return row(`<td class="n">${seconds(s[1])}</td>${cpu(s[2])}<td class="n"><span class="part" style="width:${(60 * heated).toFixed(0)}px"></span>${percent(s[1] / times.wall)}</td><td class="n">${fmt(s[3])}</td><td>${stepName(s)}</td><td title="${esc(source(s[0]).t)}">${esc(source(s[0]).t.split("/").pop())}</td>`, s[5].length ? "" : ` class="go" data-go="${s[0]}"`);
  });
  const listed = steps.reduce((sum, s) => sum + s[1], 0), rest = times.wall - times.between - listed, cut = rest > times.wall * 1e-6;
  const restCpu = times.cpu === null ? null : times.cpu - times.betweenCpu - steps.reduce((sum, s) => sum + s[2], 0);
  const foot = (what, x, c) => row(`<td class="n">${seconds(Math.max(0, x))}</td>${cpu(c)}<td class="n">${percent(x / times.wall)}</td><td></td><td>${what}</td><td></td>`);
  el.innerHTML = `<p class="dim">${runText()}.${times.plain ? ` Timers included: without timers the fastest run took ${seconds(times.plain[0])}, and ${seconds(times.plain[1])} of processor time on all threads.` : ""}</p>`
    + `<div class="scroll" tabindex="0"><table id="hottest"><thead><tr><th class="n">time</th>${times.cpu === null ? "" : '<th class="n">CPU</th>'}<th class="n">%</th><th class="n">runs</th><th>operation</th><th>source</th></tr></thead><tbody>${shown.join("")}</tbody>`
    + `<tfoot>${cut ? foot("all other steps", rest, restCpu) : ""}${foot(times.runs ? "between the steps" : "observation, and between the operations", times.between, times.betweenCpu)}${foot("<b>the run</b>", times.wall, times.cpu)}</tfoot></table></div>`;
}
function drawMemory(el) {
  const M = D.memory, w = Math.max(180, el.clientWidth - 100), h = 170, y = b => 6 + (h - 6) * (1 - b / (M.peak || 1));
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
    + `<h2>Alive at the peak</h2><div class="scroll" tabindex="0"><table id="alive"><thead><tr><th class="n">bytes</th><th class="n">%</th><th>value</th><th>source</th></tr></thead><tbody>`
    + M.alive.map(([b, label, op, src, number]) => `<tr${number >= 0 ? ` class="go" data-go="${number}"` : ""}><td class="n">${bytes(b)}</td><td class="n">${(100 * b / M.peak).toFixed(1)}</td><td>${name(label, op, number)}</td><td>${esc(src)}</td></tr>`).join("")
    + `</tbody></table></div>${M.more ? `<p class="dim">and ${fmt(M.more)} more</p>` : ""}`;
  $("curve").onclick = e => {
    const step = (e.clientX - $("curve").getBoundingClientRect().left - 60) / w * (M.steps - 1);
    const near = M.points.reduce((a, b) => Math.abs(b[0] - step) < Math.abs(a[0] - step) ? b : a);
    if (near[2] >= 0) select(near[2], true);
  };
}

// Reports: what they say of operations as tables, then their text with links to operations ----------------------------
const MOST_FINDINGS = 200;
function findings(title, heads, numbers, cells) {
  if (!numbers.length) return "";
  const more = numbers.length - MOST_FINDINGS;
  return `<h2>${title}</h2><div class="scroll" tabindex="0"><table class="findings"><thead><tr><th>operation</th>${heads.map(h => `<th>${h}</th>`).join("")}<th>source</th></tr></thead><tbody>`
    + numbers.slice(0, MOST_FINDINGS).map(i => `<tr class="go" data-go="${i}"><td>${link(i)}</td>${cells(i).map(c => `<td>${c}</td>`).join("")}<td>${esc(source(i).t)}</td></tr>`).join("")
    + `</tbody></table></div>${more > 0 ? `<p class="dim">and ${fmt(more)} more</p>` : ""}`;
}
const worst = (data, key) => Object.keys(data).map(Number).sort((a, b) => key(b) - key(a) || a - b);
let byName = null;
function named() {                             // operations by the names of values and by source lines; in @main first
  if (byName) return byName;
  byName = new Map();
  const order = [...Array(COUNT).keys()].sort((a, b) => (D.fns[O.fn[b]] === D.entry) - (D.fns[O.fn[a]] === D.entry) || a - b);
  for (const i of order) for (const key of [...O.res[i].map(v => D.values[v][0]), O.label[i], source(i).t, "op " + i]) if (key && !byName.has(key)) byName.set(key, i);
  return byName;
}
function linked(line) {
  const ops = named();
  return line.split(/(%[\w$.-]+(?:#\d+)?|[^\s"'()<>,]+:\d+(?=$|[\s,;:)]))/).map((part, n) => {
    const i = n % 2 ? ops.get(part.replace(/[.:]$/, "")) : undefined;
    return i === undefined ? esc(part) : `<button class="link inline" type="button" data-go="${i}">${esc(part)}</button>`;
  }).join("");
}
function drawReports(el) {
  el.innerHTML = findings("Differences", ["verdict", "ULP", "relative", "position"], D.diff ? worst(diff, MEASURES.diff[1]) : [], i => [esc(diff[i][0]), fmt(diff[i][1]), fmt(diff[i][2]), esc(diff[i][3])])
    + findings("Errors of rounding", ["ULP", "bits lost", "note"], D.shadow ? worst(shadow, i => +shadow[i][1] || 0) : [], i => [fmt(shadow[i][0]), fmt(shadow[i][1]), esc(shadow[i][2] || "")])
    + D.reports.map(r => `<h2>${esc(r[0])}</h2><pre tabindex="0">${r[1].split("\n").map(linked).join("\n")}</pre>`).join("");
}
