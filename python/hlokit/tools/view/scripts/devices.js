// The devices of a sharded program, for the page of `hlokit view`: the mesh, the pieces of values, and the data of
// collectives. A click on a device highlights its pieces, and what the device sends, everywhere on the page.
"use strict";
function hlokitDevices(S, {esc, fmt, bytes, seconds, link, onChange}) {
const COUNT = S.devices.length, MOST_PIECES = 16, MOST_TENSORS = 60, MOST_GROUPS = 8, MOST_ROWS = 100;
let chosen = -1, pane = null;
const colour = device => `hsl(${Math.round(device * 360 / COUNT)} 65% 80%)`;
const byOp = new Map();
for (const c of S.collectives) { if (!byOp.has(c.op)) byOp.set(c.op, []); byOp.get(c.op).push(c); }
const sum = list => list.reduce((a, b) => a + b, 0);
const most = list => list.reduce((a, b) => Math.max(a, b), 0);
const sent = i => sum((byOp.get(i) || []).map(c => c.turns * most(c.sent)));
const shapeText = shape => shape.join("x") || "scalar";

function coordinates(device) {
  let place = S.devices.indexOf(device), found = [];
  for (const [name, size] of [...S.axes].reverse()) { found.unshift(`${name}=${place % size}`); place = Math.floor(place / size); }
  return found.join(", ");
}
function listed(devices) {
  const run = devices.length > 2 && devices.every((d, n) => d === devices[0] + n);
  if (run) return `${devices[0]}\u2013${devices[devices.length - 1]}`;
  return devices.length <= 4 ? devices.join(",") : `${devices[0]},\u2026 (${devices.length})`;
}
function termText(L, devices) { return L.terms.length ? `, term ${[...new Set(devices.map(d => L.terms[d]))].join(" and ")} of a sum` : ""; }

// The last dimension goes from left to right; all others downwards.
function pieces(L, name) {
  const counts = L.counts.length ? L.counts : [1], columns = counts[counts.length - 1];
  const rows = counts.slice(0, -1).reduce((a, b) => a * b, 1), cells = new Map();
  L.pieces.forEach((piece, device) => {
    let row = 0;
    counts.slice(0, -1).forEach((count, d) => { row = row * count + piece[d]; });
    const key = `${row},${piece.length ? piece[piece.length - 1] : 0}`;
    if (!cells.has(key)) cells.set(key, []);
    cells.get(key).push(device);
  });
  const shownRows = Math.min(rows, MOST_PIECES), shownColumns = Math.min(columns, MOST_PIECES);
  const w = Math.max(36, 168 / shownColumns), h = Math.max(20, 100 / shownRows);
  let out = "";
  for (const [key, devices] of cells) {
    const [row, column] = key.split(",").map(Number);
    if (row >= shownRows || column >= shownColumns) continue;
    const kind = chosen < 0 ? "" : devices.includes(chosen) ? " mine" : " other";
    out += `<g class="piece${kind}" data-devices="${devices.join(" ")}"><title>piece ${row},${column} of ${shapeText(L.piece)} on device${devices.length > 1 ? "s" : ""} ${devices.join(", ")}${termText(L, devices)}</title>`
      + `<rect x="${column * w + 2}" y="${row * h + 2}" width="${w - 2}" height="${h - 2}" fill="${cells.size > 1 ? colour(devices[0]) : "#e6e6e6"}"/>`
      + `<text x="${column * w + w / 2 + 1}" y="${row * h + h / 2 + 5}" text-anchor="middle">${esc(listed(devices))}</text></g>`;
  }
  const cut = rows > shownRows || columns > shownColumns ? `<div class="dim">${fmt(rows)} x ${fmt(columns)} pieces, the first are shown</div>` : "";
  const label = `${name}: ${cells.size} piece${cells.size > 1 ? "s" : ""} of ${shapeText(L.piece)}`;
  return `<svg class="pieces" role="img" aria-label="${esc(label)}" width="${shownColumns * w + 4}" height="${shownRows * h + 4}">${out}</svg>${cut}`;
}
function card(title, L) {
  const terms = L.terms.length ? '<div class="dim">each device holds a term of a sum</div>' : "";
  return `<div class="card"><div><b>${esc(title)}</b> ${shapeText(L.shape)}</div><div><code>${esc(L.spec)}</code></div>${pieces(L, title)}${terms}</div>`;
}

function meshGrid() {
  const columns = S.axes.length ? S.axes[S.axes.length - 1][1] : 1;
  return `<div class="mesh" role="group" aria-label="devices of the mesh" style="grid-template-columns:repeat(${columns},auto)">`
    + S.devices.map(d => `<button type="button" data-device="${d}" aria-pressed="${d === chosen}" title="${esc(coordinates(d))}" style="background:${colour(d)}">${d}</button>`).join("") + "</div>";
}
function chosenText() {
  if (chosen < 0) return '<p class="dim">Click a device to see what it holds and sends.</p>';
  const total = key => sum(S.collectives.map(c => c.turns * c[key][chosen]));
  return `<p id="device"><b>device ${chosen}</b> (${esc(coordinates(chosen))}) sends ${bytes(total("sent"))} and receives ${bytes(total("received"))} in a run.</p>`;
}
const groupsOf = c => c.groups.filter(g => c.kind !== "collective_permute" || g[0] !== g[g.length - 1]);
function groupChips(c) {
  const groups = groupsOf(c), arrow = c.kind === "collective_permute" ? " \u2192 " : ", ";
  const ordered = chosen < 0 ? groups : [...groups].sort((a, b) => b.includes(chosen) - a.includes(chosen));
  return `<span class="groups">${ordered.slice(0, MOST_GROUPS).map(g => `<span${g.includes(chosen) ? ' class="mine"' : ""}>${g.length > 8 && arrow === ", " ? esc(listed(g)) : g.join(arrow)}</span>`).join("")}`
    + `${groups.length > MOST_GROUPS ? `<span>and ${groups.length - MOST_GROUPS} more</span>` : ""}</span>`;
}
function collectives() {
  if (!S.collectives.length) return '<p class="dim">none: nothing moves between devices</p>';
  const who = chosen < 0 ? "a device sends" : `device ${chosen} sends`;
  const one = c => chosen < 0 ? most(c.sent) : c.sent[chosen];
  const left = S.collectives.length - MOST_ROWS;
  const rows = S.collectives.slice(0, MOST_ROWS).map(c => `<tr class="go" data-go="${c.op}"><td>${link(c.op)}</td><td>${groupChips(c)}</td><td class="n">${bytes(one(c))}</td><td class="n">${bytes(sum(c.sent))}</td><td class="n">${fmt(c.turns)}</td><td class="n">${seconds(c.seconds)}</td><td>${esc(c.line)}</td></tr>`);
  return `<table id="collectives"><thead><tr><th>collective</th><th>groups</th><th class="n">${who}</th><th class="n">all send</th><th class="n">runs</th><th class="n">estimated</th><th>source</th></tr></thead><tbody>${rows.join("")}</tbody></table>`
    + (left > 0 ? `<p class="dim">and ${fmt(left)} more, which the program's text shows coloured by the bytes that a device sends</p>` : "");
}
function draw(el) {
  pane = el || pane;
  if (!pane) return;
  const part = kind => S.tensors.filter(t => t.kind === kind);
  const cards = kind => {
    const all = part(kind);
    return `<h2>${kind === "argument" ? "Arguments" : "Results"}</h2><div class="cards">${all.slice(0, MOST_TENSORS).map(t => card(t.name, {...S.layouts[t.layout], spec: t.spec})).join("")}</div>`
      + (all.length > MOST_TENSORS ? `<p class="dim">and ${all.length - MOST_TENSORS} more</p>` : "");
  };
  const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.device : undefined;
  pane.innerHTML = `<h2>Mesh ${esc(S.mesh)}, ${COUNT} devices, partitioned by ${esc(S.partitioner)}</h2>${meshGrid()}${chosenText()}`
    + `${cards("argument")}${cards("result")}<h2>Collectives</h2>${collectives()}`;
  pane.querySelectorAll("[data-device]").forEach(b => { b.onclick = () => choose(+b.dataset.device); });
  if (focused !== undefined) { const again = pane.querySelector(`[data-device="${focused}"]`); if (again) again.focus(); }
}
function choose(device) { chosen = device === chosen ? -1 : device; draw(); onChange(); }

function details(i) {
  const [operands, results] = S.values[i] || [[], []], known = list => list.filter(n => n >= 0).map(n => S.layouts[n]);
  let out = "";
  for (const c of byOp.get(i) || []) {
    const from = known(operands), to = known(results);
    out += `<div><h2>what moves</h2><table><tr><th>kind</th><td>${esc(c.kind)}</td></tr><tr><th>groups</th><td>${groupChips(c)}</td></tr>`
      + `<tr><th>each sends</th><td>${bytes(most(c.sent))}${c.turns > 1 ? `, ${fmt(c.turns)} times` : ""}; all: ${bytes(c.turns * sum(c.sent))}</td></tr>`
      + (chosen < 0 ? "" : `<tr><th>device ${chosen}</th><td>sends ${bytes(c.sent[chosen])}, receives ${bytes(c.received[chosen])}</td></tr>`)
      + `<tr><th>estimated</th><td>${seconds(c.seconds)}</td></tr></table>`
      + (from.length || to.length ? `<div class="cards">${from.map(L => card("before", L)).join("")}<span class="arrow" aria-hidden="true">\u2192</span>${to.map(L => card("after", L)).join("")}</div>` : "") + "</div>";
  }
  if (!out && known(results).length) out = `<div><h2>which device holds which piece</h2><div class="cards">${known(results).map(L => card("result", L)).join("")}</div></div>`;
  return out;
}
return {draw, details, sent};
}
