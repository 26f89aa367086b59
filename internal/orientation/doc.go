// Package orientation decides whether the words of a chart speak of creating.
//
// A structural tension chart sets what somebody wants to create against what
// is so today. The tension lives in the words: an outcome that only fights a
// problem has nowhere to go once the problem is quiet, a reality that
// dreams ("ready to launch") hides the starting point, and a step that names an activity
// ("writing") can never be seen to be finished. The package holds those rules
// as pure functions on text, without storage and without configuration beyond
// a [Level]:
//
//   - [Outcome] and [OutcomeTitle] judge desired outcomes,
//   - [Reality] judges current reality,
//   - [Step] judges action steps,
//   - [Lesson] judges the lessons of a narrative beat.
//
// Each returns nil when the text is accepted, or a [Finding] that says what was
// seen, what to do, and how the same text might be said instead.
//
// # How a text is read
//
// Nothing is searched as a substring. A text is cut into words (Unicode
// letters, apostrophes and hyphens inside a word belong to it, so
// "fixed-income" and "stopwatch" are words of their own), contractions are
// opened ("I'll" is "I will"), and the governing verb of each sentence is
// found by stepping over what leads up to it: "by June, I really want to".
// Only that verb can make an outcome a problem. "Design a system that prevents data
// loss" is governed by design, "Help me reduce costs" by reduce.
//
// # Other languages
//
// The rules are written for English. A text that is recognisably not English (more foreign
// than English function words, or another script) is never asked for a
// creative verb, at any level, because its absence could not be told from
// ignorance of the language. Only its governing verb is tried against the
// problem verbs of English, German, French and Spanish.
//
// # Beats
//
// [Alignment] and [FourDirections] read the story of a narrative beat with the
// same word-bounded care: a rubric from 0 to 10 for relational alignment, and
// the sentences that speak of vision, intention, emotion and introspection.
//
// Every function is deterministic, safe for concurrent use, and accepts any
// string, including invalid UTF-8. Emptiness and length are left to the
// input schema, except that an empty lesson is a finding.
package orientation
