// What pages do beyond links and forms; every step also works without it, by a form.
import { refresh } from "./clicks.js";
import "./map.js";

// Progress of a job: by events, or by asking again where events are blocked.
const follow = (part) => {
  const bar = part.querySelector("progress");
  const stage = part.querySelector("[data-job-stage]");
  const address = `/jobs/${encodeURIComponent(part.dataset.job)}`;
  const show = (job) => {
    bar.value = job.share;
    if (job.stage) stage.textContent = job.stage;
    const over = ["done", "failed", "cancelled"].includes(job.state);
    if (over) refresh();
    return over;
  };
  const ask = async () => {
    if (!part.isConnected) return;
    const answer = await fetch(address, { cache: "no-store" }).catch(() => null);
    const over = answer && answer.ok ? show(await answer.json()) : false;
    if (!over) setTimeout(ask, 1000);
  };
  const events = new EventSource(`${address}/events`);
  events.onmessage = (event) => {
    if (!part.isConnected || show(JSON.parse(event.data))) events.close();
  };
  events.onerror = () => { events.close(); setTimeout(ask, 1000); };
};

// Charts: Vega is loaded only where there is one. With the syntax tree it needs no eval.
const draw = async (part) => {
  await import("/vega.js");
  const space = part.clientWidth - 2 * parseFloat(getComputedStyle(part).paddingLeft);
  const address = part.dataset.chart;
  const answer = await fetch(`${address}${address.includes("?") ? "&" : "?"}width=${Math.round(space)}`);
  if (!answer.ok) return;
  const options = { ast: true, actions: false, renderer: "svg", defaultStyle: false, tooltip: { disableDefaultStyle: true } };
  const { view } = await window.vegaEmbed(part, await answer.json(), options);
  // The part has a name, and a table has the numbers; what is wider than the page scrolls by keys.
  for (const picture of part.querySelectorAll("svg")) picture.setAttribute("aria-hidden", "true");
  part.tabIndex = 0;
  part.dispatchEvent(new CustomEvent("chart", { bubbles: true, detail: view }));
};

const prepare = (root) => {
  for (const part of root.querySelectorAll("[data-job]")) follow(part);
  for (const part of root.querySelectorAll("[data-chart]")) draw(part);
};
prepare(document);
document.addEventListener("htmx:load", (event) => { if (event.detail.elt !== document.body) prepare(event.detail.elt); });

// Undo and redo by the usual keys, outside of text fields.
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.target.closest("input, textarea, select")) return;
  const key = event.key.toLowerCase();
  const action = key === "z" ? (event.shiftKey ? "redo" : "undo") : key === "y" ? "redo" : "";
  const button = action && document.querySelector(`[data-shortcut=${action}]:not(:disabled)`);
  if (button) { event.preventDefault(); button.click(); }
});

// A slider shows its number while it moves.
document.addEventListener("input", (event) => {
  const shown = event.target.dataset && event.target.dataset.output;
  if (shown) document.getElementById(shown).textContent = event.target.value;
});

// A choice that sends its form at once; the button beside it is for browsers without scripts.
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-send]")) event.target.form.requestSubmit();
});

// Rows that are dragged onto a target: the form of the row is filled and sent.
document.addEventListener("dragstart", (event) => {
  const row = event.target.closest("[data-drag]");
  if (row) { event.dataTransfer.setData("text/plain", row.dataset.drag); event.dataTransfer.effectAllowed = "move"; }
});
document.addEventListener("dragover", (event) => {
  const target = event.target.closest("[data-drop]");
  if (target) { event.preventDefault(); target.classList.add("over"); }
});
document.addEventListener("dragleave", (event) => {
  const target = event.target.closest("[data-drop]");
  if (target && !target.contains(event.relatedTarget)) target.classList.remove("over");
});
document.addEventListener("drop", (event) => {
  const target = event.target.closest("[data-drop]");
  if (!target) return;
  event.preventDefault();
  const form = document.getElementById(target.dataset.form);
  form.elements[target.dataset.what].value = event.dataTransfer.getData("text/plain");
  form.elements[target.dataset.where].value = target.dataset.drop;
  form.requestSubmit();
});
