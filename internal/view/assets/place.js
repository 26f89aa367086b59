// A document at the place where a field stands in it: the page as it is laid out with
// the value marked, where places are known, and its lines by number.
import { ask, loadInto } from "./api.js";
import { announce, empty, h, said, svg } from "./dom.js";
import { legible, words } from "./format.js";

/** Where a field stands, in words: "invoice.pdf, page 1, line 9". */
export function whereabouts(file, location) {
  const parts = [location?.page && `page ${location.page}`, location?.line && `line ${location.line}`].filter(Boolean).map((part) => `, ${part}`);
  return [said(file || "the document"), ...parts, location?.element && [", element ", said(location.element)]];
}

export const placeAddress = (id, field) => `#/documents/${encodeURIComponent(id)}/${encodeURIComponent(field)}`;

export async function showPlace(frame, id, field, query, signal) {
  const place = h("section", { class: "card" });
  frame.append(h("p", {}, h("a", { href: `#/documents/${encodeURIComponent(id)}` }, "Back to what is known")), place);
  await loadInto(place, async () => {
    const { provenance } = await ask("entity/provenance", { id, field }, signal);
    const at = provenance.source_location ?? {}, here = at.page || 1;
    const page = Math.max(1, Number(query.get("page")) || here), line = page === here ? at.line : undefined;
    const shown = await ask("file/page", { id: provenance.source_record.id, page, line }, signal);
    announce(`Page ${page} of ${shown.file}`);
    return drawn(shown, { id, field, page, here, at, value: provenance.value });
  });
  place.querySelector(".spot")?.scrollIntoView({ block: "center" });
}

function drawn(shown, { id, field, page, here, at, value }) {
  const box = page === here ? at.box : undefined, line = page === here ? at.line : undefined;
  const to = (number, label) => h("a", { href: `${placeAddress(id, field)}?page=${number}` }, label);
  return [
    h("h2", {}, said(shown.file)),
    h("p", {}, said(words(field)), ": ", h("strong", {}, said(typeof value === "object" ? JSON.stringify(value) : value)), " — ", whereabouts(shown.file, at)),
    !line && page === here && h("p", { class: "quiet" }, "Where on the page it stands is not known."),
    shown.pages > 1 && h("nav", { class: "pages", "aria-label": "Pages of the document" }, page > 1 && to(page - 1, "Page before"), h("span", {}, `${page} of ${shown.pages}`), page < shown.pages && to(page + 1, "Page after")),
    shown.lines.length === 0 && empty("This page has no text", "It is a picture, or says nothing."),
    shown.words?.length && sheet(shown, box),
    shown.lines.length > 0 && h("div", { class: "scroll-x", tabindex: 0, role: "region", "aria-label": "Lines of the page" }, h("ol", { class: "numbered" }, shown.lines.map((row) => h("li", { class: row.line === line && (shown.words?.length ? "spotted" : "spotted spot"), "aria-current": row.line === line ? "true" : undefined },
      h("span", { class: "number" }, row.line), h(row.line === line ? "mark" : "span", { dir: "auto" }, row.text && legible(row.text)))))),
    shown.lacks && h("p", { class: "quiet" }, "The page has more than is shown here."),
  ];
}

// The page by its words, each where it stands. It is a sketch: pictures, rules and
// fonts are those of the file and not here.
function sheet({ width, height, words: list }, box) {
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "page-sketch", role: "img", "aria-label": "The words of the page where they stand; the lines below say the same" });
  drawing.append(svg("rect", { class: "paper", x: 0, y: 0, width, height }));
  if (box) drawing.append(svg("rect", { class: "spot", x: box.left - 2, y: box.top - 2, width: box.right - box.left + 4, height: box.bottom - box.top + 4, rx: 2 }));
  for (const word of list) drawing.append(placed(word));
  return h("div", { class: "sketch" }, drawing, h("p", { class: "quiet small" }, "The words of the page where they stand, without its pictures and fonts."));
}

function placed({ left, top, right, bottom, turn = 0, text }) {
  const x = (left + right) / 2, y = (top + bottom) / 2;
  const [length, size] = turn % 2 ? [bottom - top, right - left] : [right - left, bottom - top];
  return svg("text", {
    x: x - length / 2, y: y - size / 2 + size * 0.78, "font-size": size * 0.95, textLength: length, lengthAdjust: "spacingAndGlyphs",
    ...(turn ? { transform: `rotate(${turn * 90} ${x} ${y})` } : {}),
  }, legible(text));
}
