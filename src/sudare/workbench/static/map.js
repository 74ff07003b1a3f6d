// The map and its table: what is framed in the picture is marked in the table, what is stated in the form in both; a click opens a variant.
const ENDS = ["risk_from", "risk_to", "loss_from", "loss_to"];
const views = new WeakMap(); // by the part of the page that has the map

const isInside = (row, form) => ["risk", "loss"].every((axis) => {
  const value = Number(row.dataset[axis]);
  const [low, high] = ["from", "to"].map((end) => form.elements[`${axis}_${end}`].value);
  return (low === "" || value >= Number(low)) && (high === "" || value <= Number(high));
});

const mark = (map) => {
  const form = map.querySelector("form");
  const rows = [...map.querySelectorAll("[data-variant]")];
  const isStated = ENDS.some((name) => form.elements[name].value !== "");
  const inside = rows.filter((row) => isStated && isInside(row, form));
  for (const row of rows) {
    row.classList.toggle("current", inside.includes(row));
    row.querySelector("[data-mark]").hidden = !inside.includes(row);
  }
  for (const field of map.querySelectorAll("td input")) { // a star keeps the frame
    if (ENDS.includes(field.name)) field.value = form.elements[field.name].value;
  }
  map.querySelector("[data-marked]").textContent = inside.length;
  const view = views.get(map);
  if (view) view.signal("picked", isStated ? inside.map((row) => row.dataset.variant) : null).runAsync();
};

const state = (map, framed) => {
  const form = map.querySelector("form");
  for (const axis of ["risk", "loss"]) {
    const ends = framed && framed[axis] ? [...framed[axis]].sort((a, b) => a - b) : ["", ""];
    ["from", "to"].forEach((end, place) => {
      form.elements[`${axis}_${end}`].value = ends[place] === "" ? "" : Number(ends[place].toPrecision(4));
    });
  }
  mark(map);
};

document.addEventListener("chart", (event) => {
  const map = event.target.closest("[data-map]");
  if (!map) return;
  const view = event.detail;
  views.set(map, view);
  mark(map);
  view.addSignalListener("brush", (_, framed) => { if (Object.keys(framed).length) state(map, framed); });
  view.addEventListener("click", (_, item) => {
    const name = item && item.datum && item.datum.recipe;
    const row = [...map.querySelectorAll("[data-variant]")].find((candidate) => candidate.dataset.variant === name);
    const link = row && row.querySelector("a");
    if (link) link.click();
  });
  map.dataset.ready = "yes";
});

document.addEventListener("input", (event) => {
  const map = event.target.closest("[data-map]");
  if (map && event.target.type === "number") mark(map);
});
// Numbers of one measure mean nothing on the axis of another.
document.addEventListener("change", (event) => {
  const axis = event.target.closest("[data-map] select");
  if (axis) for (const end of ["from", "to"]) axis.form.elements[`${axis.name}_${end}`].value = "";
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-unmark]");
  if (button) state(button.closest("[data-map]"), null);
});

// The point of a row that is pointed at, or whose link has the focus, grows.
const point = (event) => {
  const map = event.target.closest("[data-map]");
  const view = map && views.get(map);
  if (!view) return;
  const row = event.target.closest("[data-variant]");
  view.signal("pointed", row ? row.dataset.variant : "").runAsync();
};
document.addEventListener("mouseover", point);
document.addEventListener("focusin", point);
