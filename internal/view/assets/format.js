// Numbers, dates and names as people read them, in the reader's own time zone.

/** The reader's kind of English: dates stand in the middle of English sentences. */
export const locale = navigator.languages.find((l) => l === "en" || l.startsWith("en-")) ?? "en-GB";

const whole = new Intl.NumberFormat(locale);
const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

export const count = (n) => whole.format(n);

/** "1 step", "2 steps". */
export function counted(n, one, many = one + "s") {
  return `${whole.format(n)} ${n === 1 ? one : many}`;
}

export function decimals(n, digits = 2) {
  return n.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export const percent = (share) => `${Math.round(share * 100)}%`;

const iso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const dayAlone = /^(\d{4}-\d{2}-\d{2})(?:T00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00))?$/;

// A moment in ISO 8601; a day without a time is the same day everywhere. What is written
// in any other way stays as it is: browsers guess.
const parsed = (text) => {
  if (text instanceof Date) return text;
  if (!iso.test(text)) return null;
  const date = new Date(text.length === 10 ? `${text}T00:00` : text);
  return Number.isNaN(date.getTime()) ? null : date;
};

/** A date as a day, or the text as it was written. */
export function onDay(text) {
  const date = parsed(text);
  return date ? day.format(date) : text;
}

const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });

/** The time of a date, to be read beside its day. */
export function timeOf(text) {
  const date = parsed(text);
  return date ? clock.format(date) : text;
}

/** A date with its time. */
export function atTime(text) {
  const date = parsed(text);
  return date ? moment.format(date) : text;
}

const units = [["year", 31557600], ["month", 2629800], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60]];

/** How many midnights lie between two moments. */
const daysBetween = (now, date) => Math.round((new Date(date).setHours(0, 0, 0, 0) - new Date(now).setHours(0, 0, 0, 0)) / 86400000);

/** "in 3 weeks", "yesterday". */
export function ago(text, now = Date.now()) {
  const date = parsed(text);
  if (!date) return text;
  const seconds = (date.getTime() - now) / 1000, days = daysBetween(now, date);
  if (Math.abs(days) > 1 && Math.abs(days) < 7) return relative.format(days, "day"); // by the calendar, as days are told elsewhere
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return "just now";
}

/** How a due date stands and how to tell it: over, soon or later; unknown when it is no
 *  date. Midnight in UTC stands for the day, which is over when the reader's day is. */
export function dueOn(text, now = Date.now()) {
  const alone = dayAlone.exec(text), date = parsed(alone ? alone[1] : text);
  if (!date) return { state: "unknown", words: text };
  const end = alone ? new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1) : date;
  const state = end.getTime() <= now ? "over" : date.getTime() - now < 14 * 86400000 ? "soon" : "later";
  const days = daysBetween(now, date);
  return { state, words: `${day.format(date)}, ${days === 0 && !alone ? ago(date, now) : inDays(days)}` };
}

/** The day of a date as the reader's calendar has it, YYYY-MM-DD; "" for what is no date. */
export function dayOf(text) {
  const alone = dayAlone.exec(text), date = alone ? null : parsed(text);
  if (alone) return alone[1];
  return date ? [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((n, i) => String(n).padStart(i === 0 ? 4 : 2, "0")).join("-") : "";
}

// How far a day is, by the calendar.
function inDays(days) {
  const size = Math.abs(days);
  if (size < 14) return relative.format(days, "day");
  if (size < 60) return relative.format(Math.round(days / 7), "week");
  return size < 730 ? relative.format(Math.round(days / 30.44), "month") : relative.format(Math.round(days / 365.25), "year");
}

const segmenter = "Segmenter" in Intl ? new Intl.Segmenter(undefined, { granularity: "grapheme" }) : null;

/** The beginning of a text, cut between letters as people see them. */
export function shorten(text, most) {
  if (text.length <= most) return text;
  const start = text.slice(0, most * 8);
  const letters = segmenter ? Array.from(segmenter.segment(start), (s) => s.segment) : Array.from(start);
  return letters.length <= most && start.length === text.length ? text : letters.slice(0, most - 1).join("") + "…";
}

const invisible = /^[\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}]*$/u;

/** Text from memory; what would leave nothing to see, or to click on, is said to be blank. */
export function legible(value) {
  const text = String(value ?? "");
  return invisible.test(text) ? "(blank)" : text;
}

/** "structural_tension_chart" as "structural tension chart". */
export const words = (name) => name.replaceAll("_", " ");
