// The choice of a version, where the site is published in several: versions.json stands beside their folders.
const settings = JSON.parse(document.getElementById("__config").textContent)
const base = new URL(`${settings.base}/`, location.href)
const japanese = document.documentElement.lang === "ja"
const root = new URL(japanese ? "../../" : "../", base)
const page = location.href.slice(base.href.length)

fetch(new URL("versions.json", root))
  .then((answer) => (answer.ok ? answer.json() : []))
  .catch(() => []) // a single version, or pages read from a folder
  .then((versions) => {
    if (versions.length === 0) return
    const current = root.href.length
    const here = base.href.slice(current).split("/")[0]
    const select = document.createElement("select")
    select.className = "versions"
    select.setAttribute("aria-label", japanese ? "版" : "Version")
    for (const { version, title, aliases } of versions) {
      const chosen = version === here || (aliases ?? []).includes(here)
      select.append(new Option(title ?? version, version, chosen, chosen))
    }
    select.addEventListener("change", () => {
      location.href = new URL(`${select.value}/${japanese ? "ja/" : ""}${page}`, root).href
    })
    document.querySelector(".md-header__title").after(select)
  })
