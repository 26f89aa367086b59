// The host's colours and letters on the page's own parts. What the host does not
// name stays as it is on the page, in light or dark as the host says.

// Ours by those of the host. A group is taken as a whole: the colours of one are
// made for one another, and half of them might be unreadable on ours.
const groups = [
  [["--paper", "--color-background-primary"], ["--raised", "--color-background-primary"], ["--sunken", "--color-background-secondary"], ["--ink", "--color-text-primary"], ["--muted", "--color-text-secondary"]],
  [["--line", "--color-border-secondary"], ["--edge", "--color-border-primary"], ["--control", "--color-border-primary"]],
  [["--accent", "--color-text-info"], ["--accent-soft", "--color-background-info"]],
  [["--good", "--color-text-success"], ["--warn", "--color-text-warning"], ["--bad", "--color-text-danger"]],
  [["--sans", "--font-sans"], ["--serif", "--font-sans"]],
  [["--mono", "--font-mono"]],
];

/** Puts on what a host context says. */
export function dress({ theme, styles }) {
  const root = document.documentElement, given = styles?.variables ?? {};
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  for (const group of groups) {
    const whole = group.every(([, theirs]) => typeof given[theirs] === "string" && given[theirs] !== "");
    for (const [ours, theirs] of group) {
      if (whole) root.style.setProperty(ours, given[theirs]);
      else root.style.removeProperty(ours);
    }
  }
}
