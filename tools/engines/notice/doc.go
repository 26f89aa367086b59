// Package notice decides, by example, which sentences of what a person typed state
// something that still holds on another day (a preference, a decision, a fact, a
// person, something about their machines and tools, a plan, a correction, a lesson,
// a convention), and which prompts concern the person's own work and world.
//
// A turn is cut into sentences; pasted text is left out. A sentence becomes a vector
// of the sentence model and a few plain features, and a linear head turns both into
// a score. The heads are in heads.json, which scripts/heads trains again from its
// sets in seconds. Nothing here knows a topic or a wording, except that what opens
// with "remember" is kept whatever its score.
package notice
