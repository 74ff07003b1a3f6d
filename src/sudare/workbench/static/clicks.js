// No click is lost: a page is replaced in place after every step, perhaps in the middle of the next click.

let running = null; // the request that will replace the page, and the form that sent it
let waiting = null; // what was clicked meanwhile

// What a form is about: where it goes and its hidden fields, except those that every page states anew.
const subject = (form) => JSON.stringify([
  form.getAttribute("action"),
  [...form.elements].filter((field) => field.type === "hidden" && !["csrf_token", "revision", "next"].includes(field.name)).map((field) => [field.name, field.value]),
]);
const described = (button) => button && button.form && JSON.stringify([subject(button.form), button.name, button.value]);

// The form of the new page that corresponds to one of the page before, filled in like it.
const counterpart = (form) => {
  const other = [...document.forms].find((candidate) => subject(candidate) === subject(form));
  if (!other) return null;
  [...form.elements].forEach((field, place) => {
    const twin = other.elements[place];
    if (!field.name || field.type === "hidden" || !twin || twin.name !== field.name) return;
    if (field.type === "checkbox" || field.type === "radio") twin.checked = field.checked;
    else if (field.type !== "submit" && field.type !== "file") twin.value = field.value;
  });
  return other;
};

const send = (form, button) => {
  const other = counterpart(form);
  if (!other) return;
  const twin = button && [...other.elements].find((candidate) => candidate.name === button.name && candidate.value === button.value);
  if (!twin) other.requestSubmit();
  else if (!twin.disabled) other.requestSubmit(twin);
};

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.target === document.body) running = { request: event.detail.xhr, form: event.detail.elt, verb: event.detail.requestConfig.verb };
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (!running || running.request !== event.detail.xhr) return;
  const { status, responseURL } = running.request;
  if (running.verb !== "get" && status < 400 && responseURL) history.replaceState(history.state, "", responseURL); // where the form has led to
  const next = waiting;
  running = waiting = null;
  if (next) next();
});

// While a step is being made, the next one waits for the new page; the same form is not sent twice, except undo and redo.
document.addEventListener("submit", (event) => {
  if (!running || running.verb === "get" || !event.target.isConnected) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const form = event.target;
  const button = event.submitter;
  if (form !== running.form || (button && button.dataset.shortcut)) waiting = () => send(form, button);
}, true);
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!running || running.verb === "get" || !link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  waiting = () => location.assign(link.href);
}, true);

// A button that was replaced while it was pressed is the button in its place.
let pressed = {};
document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("button");
  pressed = { button, description: described(button) };
}, true);
document.addEventListener("pointerup", (event) => {
  const button = event.target.closest("button");
  const { button: before, description } = pressed;
  pressed = {};
  if (description && !before.isConnected && description === described(button)) button.click();
}, true);

// The page as it is now, in place; a step that is being made shows it anyway.
export const refresh = async () => {
  if (running) return;
  await window.htmx.ajax("GET", location.pathname + location.search, { target: document.body, swap: "innerHTML show:none", replace: "true" });
};
