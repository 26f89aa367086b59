// Package orientation decides whether the words of a chart speak of creating.
//
// A structural tension chart sets what somebody wants to create against what
// is so today. An outcome that only fights a problem has nowhere to go once the problem is
// quiet, a reality that dreams ("ready to launch") hides the starting point, and a step that
// names an activity ("writing") can never be seen to be finished. The rules are pure
// functions on text, safe for concurrent use, and accept any string. Each returns nil, or a
// [Finding] that says what was seen and what to do.
//
// A text is cut into words ("fixed-income" is a word of its own), contractions are opened,
// and the governing verb of the first sentence is found by stepping over what leads up to
// it: "by June, I really want to". Only that verb can make an outcome a problem: "Design a
// system that prevents data loss" is governed by design, "Help me reduce costs" by reduce.
// The rules are written for English; governing verbs are tried against the problem verbs of
// German, French and Spanish, too.
//
// A rule stays only if lines of the corpus in testdata fail without it; one that decides
// fewer than three is not worth its code. The words that the rules know are data, in
// fixtures/words/orientation.
package orientation
