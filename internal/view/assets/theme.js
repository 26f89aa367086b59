// Applies the chosen theme before anything is drawn. Without a choice the
// system's own preference counts, which the style sheets follow by themselves.
"use strict";
try {
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // storage is switched off: the system's preference stays
}
