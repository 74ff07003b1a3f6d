// A query in Japanese is cut into words as the pages are (see `separator` in mkdocs.yml): where the script changes, without particles,
// and hiragana by the browser's own knowledge of words.
const segmenter = "Segmenter" in Intl ? new Intl.Segmenter("ja", { granularity: "word" }) : null
const words = (run) => {
  const long = [...(segmenter?.segment(run) ?? [])].map(({ segment }) => segment).filter((word) => word.length > 1)
  return long.length > 0 ? long.join(" ") : run
}
const cut = (query) =>
  query
    .replace(/(?<=[一-龥々ァ-ヶー])[はがのにでともへや](?=[ぁ-ん])|(?<=[一-龥々ァ-ヶー])[ぁ-ん](?![ぁ-ん])|を/g, " ")
    .replace(/[ぁ-ん]+/g, (run) => ` ${words(run)} `)
    .replace(/(?<=[一-龥々])(?=[ァ-ヶ])|(?<=[ァ-ヶー])(?=[一-龥々])/g, " ")
    .trim()
const send = Worker.prototype.postMessage
Worker.prototype.postMessage = function (message, ...more) {
  const query = message?.type === 2 && typeof message.data === "string" // what the search of the theme asks
  return send.call(this, query ? { ...message, data: cut(message.data) } : message, ...more)
}
