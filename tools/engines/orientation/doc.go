// Package orientation decides whether the words of a chart speak of creating.
//
// A structural tension chart sets what somebody wants to create against what
// is so today. The tension lives in the words: an outcome that only fights a
// problem has nowhere to go once the problem is quiet, a reality that
// dreams ("ready to launch") hides the starting point, and a step that names an activity
// ("writing") can never be seen to be finished. The rules are pure functions on text:
// [Outcome] and [OutcomeTitle] judge desired outcomes, [Reality] current reality, [Step]
// action steps, [Lesson] the lessons of a narrative beat. Each returns nil, or a [Finding]
// that says what was seen and what to do.
// [Alignment] and [FourDirections] read the story of a beat.
//
// Nothing is searched as a substring. A text is cut into words ("fixed-income" and
// "stopwatch" are words of their own), contractions are opened ("I'll" is "I will"), and
// the governing verb of each sentence is found by stepping over what leads up to it: "by
// June, I really want to". Only that verb can make an outcome a problem: "Design a system
// that prevents data loss" is governed by design, "Help me reduce costs" by reduce.
//
// The rules are written for English. The strict level never asks a text that is not English
// for a creative verb, because its absence could not be told from ignorance of the
// language. Governing verbs are tried against the problem verbs of English,
// German, French and Spanish.
//
// A rule stays only if lines of the corpus in testdata fail without it; one that decides
// fewer than three is not worth its code. The words that the rules know are data, in
// fixtures/words/orientation.
//
// Every function is deterministic, safe for concurrent use, and accepts any
// string, including invalid UTF-8. Emptiness and length are left to the
// input schema, except that an empty lesson is a finding.
package orientation
