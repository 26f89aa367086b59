package orientation

// plannedProblem finds a problem behind a creative verb that brings into being nothing but
// the fight against it: "Create a plan to eliminate waste", "Achieve a reduction in costs".
// What exists and works in its own right stands: "Design a system that prevents data loss",
// "Learn to fix bikes".
func plannedProblem(s sentence, verb int) *problem {
	if !creative.stemIs(s.word(verb), base|gerund|third|past) && !seeking.is(s.word(verb), base|gerund|third) {
		return nil
	}
	if s.word(verb) == "learn" || s.word(verb) == "learning" {
		return learntProblem(s, verb+1)
	}
	for i := verb + 1; !s.ends(i) && i < verb+7 && !prepositions[s.word(i)]; i++ {
		w := s.word(i)
		switch {
		case losses[w] && (s.word(i+1) == "in" || s.word(i+1) == "of"):
			return &problem{class: reducing, sentence: s, from: i, to: i + 1, object: i + 2}
		case vehicles[w]:
			if p := carried(s, i+1); p != nil {
				return p
			}
		}
	}
	return nil
}

// seeking verbs look for a vehicle: "find a way to stop".
var seeking = conjugate("find:found make:made have:had get:got start")

// vehicles are nouns that exist for what they lead to.
var vehicles = wordSet(`plan plans strategy strategies way ways approach approaches solution solutions roadmap initiative initiatives
	campaign campaigns routine routines process processes procedure procedures program programs programme programmes measure
	measures method methods policy policies effort efforts habit habits action actions`)

// losses are nouns for a problem verb.
var losses = wordSet("reduction reductions decrease elimination removal eradication prevention avoidance abolition minimisation minimization")

// carried returns the problem that a vehicle carries, from the word after it on.
func carried(s sentence, i int) *problem {
	switch s.word(i) {
	case "to", "for", "of", "on", "that", "which":
		return problemAt(s, head{at: i + 1, negated: -1})
	}
	return nil
}

// learntProblem finds what somebody learns to stop. Repairing is a skill like others.
func learntProblem(s sentence, i int) *problem {
	if s.word(i) == "how" {
		i++
	}
	if s.word(i) != "to" {
		return nil
	}
	p := problemAt(s, head{at: i + 1, negated: -1})
	if p == nil || p.class == repairing || p.class == preventing {
		return nil
	}
	return p
}
