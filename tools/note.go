package tools

// Note is a text that somebody wants remembered.
type Note struct {
	Text    string
	Kind    string // what it is, such as a decision; may be empty
	Project string // name, key or folder of the one in which it holds; empty: that of the session, or all
}

// Remembered says what became of a note.
type Remembered struct {
	ID      int64  // of the insight
	Text    string // as it is stored
	Project string // name of the project in which it holds; empty: all
	Already bool   // it was remembered before, nothing was stored
	LeftOut []string
	// Untrue is the insight that the note most surely makes untrue, 0: none, and UntrueText what
	// it says.
	Untrue     int64
	UntrueText string
	Unchecked  bool // whether it makes another insight untrue could not be looked up
}
