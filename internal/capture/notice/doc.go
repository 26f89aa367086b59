// Package notice decides, by example, which sentences of what a person typed state
// something that still holds on another day (a preference, a decision, a fact, a
// person, something about their machines and tools, a plan, a correction, a lesson,
// a convention), which prompts concern the person's own work and world, and where the
// notes lie that a prompt needs.
//
// A turn is cut into sentences; pasted text is left out. A sentence becomes a vector
// of the sentence model; a small network, its head, turns the vector, that of the rest
// of the turn and a few plain features into a score and a kind; a square matrix moves the
// vector of a prompt towards the notes that it needs. The heads are in
// heads.json and heads.weights, which scripts/heads makes again from its sets in a few
// minutes. They know no topic and no wording; only what opens with "remember" is kept
// whatever its score.
package notice
