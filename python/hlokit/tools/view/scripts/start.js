// Start: parts of the page in the order of the tabs.
const devices = D.devices ? hlokitDevices(D.devices, {esc, fmt, bytes, seconds, link: i => link(i), onChange: () => { if (selected >= 0) drawDetails(selected); }}) : null;
const narrow = matchMedia("(max-width:800px)");
$("facts").textContent = D.facts;
for (const key of D.colours) $("colour").add(new Option(MEASURES[key][0], key, key === measure, key === measure));
$("colour").setAttribute("aria-label", "colour by");
$("colour").onchange = e => { measure = e.target.value; measureAll(); drawRows(); if (drawn) drawGraph(); };
$("theme").onclick = () => {
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark"
    || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "light" : "dark";
};
$("wrap").checked = narrow.matches;
$("wrap").onchange = e => wrap(e.target.checked);
divider("across", "x", "--left", .4, .12);
divider("down", "y", "--upper", .64, .15);
wraps = narrow.matches;
measureAll(); listLines(); drawRows(); buildGraph();
pane("overview", "Overview", drawOverview, true);
graphPane = pane("graph", "Graph", () => {
  const L = layout(root);
  zoom = Math.max(.6, Math.min(1, (graphPane.clientWidth - 16) / L.w));
  drawGraph();
});
graphPane.addEventListener("click", onGraph);
graphPane.addEventListener("keydown", graphKeys);
graphPane.addEventListener("wheel", e => { if (e.ctrlKey) { e.preventDefault(); rezoom(zoom * (e.deltaY < 0 ? 1.1 : .9)); } }, {passive: false});
if (devices) pane("devices", "Devices", devices.draw, true);
if (D.run && times.steps.length) { pane("hot", "Hottest", drawHottest, true); if (D.flame) pane("flame", "Flame graph", drawFlame, true); }
if (D.memory) pane("memory", "Memory", drawMemory, true);
if (D.reports.length || D.diff || D.shadow) pane("reports", "Reports", drawReports, true);
$("constants").onchange = e => showConstants(e.target.checked);
$("out").onclick = () => rezoom(zoom * .8);
$("in").onclick = () => rezoom(zoom * 1.25);
$("fit").onclick = fit;
const from = restore();
restoring = true;
if (!from.tab) show(devices ? "devices" : "overview");
if (!from.op && D.select >= 0) select(D.select, true);
restoring = false;
document.documentElement.dataset.ready = "1";
window.hlokitView = {select, reveal, search, show, data: D, shapes};
