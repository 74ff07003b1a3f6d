// Two conveniences; every page works without them.
"use strict";

// A part of a page that asks for itself again while something is under way.
for (const part of document.querySelectorAll("[data-live]")) {
  let known = "";
  const ask = async () => {
    if (!document.hidden) {
      const headers = known ? { "If-None-Match": known } : {};
      const answer = await fetch(part.dataset.live, { headers, cache: "no-store" }).catch(() => null);
      if (answer && answer.status === 200) {
        known = answer.headers.get("ETag") || "";
        const text = await answer.text();
        if (text !== part.dataset.text) {
          part.dataset.text = text;
          part.innerHTML = text;
        }
      }
    }
    setTimeout(ask, 2000);
  };
  setTimeout(ask, 2000);
}

// Times are written in the contest's zone; the tooltip says them on the reader's clock.
for (const time of document.querySelectorAll("time[datetime]")) {
  time.title = new Date(time.dateTime).toLocaleString(document.documentElement.lang);
}

// A file that is too large is better not sent at all.
for (const input of document.querySelectorAll("input[data-most]")) {
  input.addEventListener("change", () => {
    const large = [...input.files].some((file) => file.size > Number(input.dataset.most));
    input.setCustomValidity(large ? input.dataset.large : "");
    input.reportValidity();
  });
}

// A second click must not send a file twice, and a question is asked before what cannot be undone.
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.ask && !window.confirm(form.dataset.ask)) {
      event.preventDefault();
      return;
    }
    for (const button of form.querySelectorAll("button")) setTimeout(() => { button.disabled = true; });
  });
}
