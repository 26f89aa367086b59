// Explains the score of a search result: where each channel ranked it, and what
// that added up to.
import { disclosure, h, heads, said, svg } from "./dom.js";
import { decimals, percent } from "./format.js";

/** The constant of reciprocal rank fusion. */
const fusion = 60;

export function explain(hit, place, { weights, explanation, embedding_provider: provider }) {
  const keyword = share(hit.keyword_rank, weights.keyword), semantic = share(hit.semantic_rank, weights.semantic);
  return h("div", { class: "explain" },
    h("div", { class: "score" }, parts(keyword, semantic), h("span", {}, `answers ${percent(hit.relevance)} of the question`)),
    disclosure("Why it is here", () => h("div", {},
      h("div", { class: "scroll-x", tabindex: 0, role: "region", "aria-label": `How the score of result ${place} came about` }, h("table", {},
        h("caption", { class: "unseen" }, "How the score came about"),
        h("thead", {}, h("tr", {}, heads("Channel", "Rank", "Measure", "#Weight", "#Adds"))),
        h("tbody", {},
          row("Words", "words", hit.keyword_rank, hit.keyword_score === undefined ? "" : `relevance ${decimals(hit.keyword_score)}`, weights.keyword, keyword),
          row("Meaning", "meaning", hit.semantic_rank, hit.similarity === undefined ? "" : `similarity ${decimals(hit.similarity)}`, weights.semantic, semantic)),
        h("tfoot", {}, h("tr", {}, h("th", { scope: "row", colspan: 4 }, "Fused"), h("td", { class: "number" }, decimals(hit.score, 5)))))),
      h("p", { class: "quiet" }, `Each channel adds weight ÷ (${fusion} + rank). First in both would be ${percent(1)}.`),
      hit.matched_terms.length > 0 && h("p", { class: "quiet" }, "Words in it: ", hit.matched_terms.map((t, i) => [i > 0 && ", ", said(t)]), "."),
      h("p", { class: "quiet" }, "Meaning is compared by ", said(provider), provider.includes("lexical") && ", which knows words and their forms but not what they mean", explanation ? `, to a depth of ${explanation.depth} candidates a channel.` : "."))));
}

const share = (rank, weight) => (rank ? weight / (fusion + rank) : 0);

function row(name, channel, rank, measure, weight, adds) {
  return h("tr", {}, h("th", { scope: "row" }, svg("svg", { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" }, svg("rect", { class: channel, width: 10, height: 10, rx: 2 })), name), h("td", {}, rank ? `#${rank}` : "not found"), h("td", {}, measure),
    h("td", { class: "number" }, percent(weight)), h("td", { class: "number" }, decimals(adds, 5)));
}

// Two lengths on one line: what words and what meaning contributed.
function parts(keyword, semantic) {
  const whole = 1 / (fusion + 1), width = (x) => Math.max(0, Math.min(100, 100 * x / whole));
  return svg("svg", { class: "parts", viewBox: "0 0 100 6", preserveAspectRatio: "none", role: "img",
    "aria-label": `Words contribute ${percent(keyword / whole)}, meaning ${percent(semantic / whole)}` },
  svg("rect", { class: "track", width: 100, height: 6 }),
  svg("rect", { class: "words", width: width(keyword), height: 6 }),
  svg("rect", { class: "meaning", x: width(keyword), width: width(semantic), height: 6 }));
}
