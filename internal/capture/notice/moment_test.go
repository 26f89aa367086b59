package notice

import "testing"

func TestWhatHoldsTodayOnlyAndWhatStatesNothingIsNotKept(t *testing.T) {
	for text, kept := range map[string]bool{
		"For today, always answer in one sentence.":                             false,
		"just for today we deploy without the second review":                    false,
		"We use the staging key today only.":                                    false,
		"Für heute nehmen wir immer den kleinen Runner.":                        false,
		"Pour aujourd'hui, on déploie toujours sans revue.":                     false,
		"Solo por hoy usamos la cuenta de pruebas.":                             false,
		"Please remember a thing for me about reviewers":                        false,
		"I want you to remember something about our reviewers.":                 false,
		"Please note down a few things about the release process.":              false,
		"Merk dir bitte etwas über unsere Prüfer.":                              false,
		"Recuerda una cosa sobre los revisores.":                                false,
		"We deploy on Tuesdays, never on Fridays.":                              true,
		"Remember that for today's date we always use UTC in this project.":     true,
		"Please remember a thing about reviewers: Ines reviews every API file.": true,
	} {
		found, err := FindStatements(t.Context(), text)
		if err != nil || (len(found) > 0) != kept {
			t.Errorf("%q: %v, %v", text, found, err)
		}
	}
}

func TestASentenceThatCorrectsItselfKeepsWhatHolds(t *testing.T) {
	for text, want := range map[string]string{
		"We deploy on Tuesdays, no wait, we deploy on Thursdays now.":   "we deploy on Thursdays now.",
		"The API runs on 8080 - scratch that, the API runs on 9090.":    "the API runs on 9090.",
		"Our server is called heron, actually no, it's called egret.":   "Our server is called heron, actually no, it's called egret.",
		"Wir liefern freitags, nein warte, wir liefern donnerstags aus": "wir liefern donnerstags aus",
		"We deploy on Tuesdays, no wait, Thursdays.":                    "We deploy on Tuesdays, no wait, Thursdays.",
		"wait no, the trial is 14 days not 30":                          "wait no, the trial is 14 days not 30",
		"There is no waiting room, we sit in the hall.":                 "There is no waiting room, we sit in the hall.",
	} {
		if got := cutBeforeCorrection(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestWhatTakesSomethingBackIsKeptAsWhatHoldsInstead(t *testing.T) {
	for text, want := range map[string]string{
		"Forget that I am vegetarian, I eat fish and meat again.":         "I eat fish and meat again.",
		"Please forget what I said about Redis: we use Valkey now.":       "we use Valkey now.",
		"Vergiss, dass ich Vegetarier bin, ich esse wieder Fleisch.":      "ich esse wieder Fleisch.",
		"Oublie que je suis végétarien, je mange de nouveau du poisson.":  "je mange de nouveau du poisson.",
		"Olvida que soy vegetariano, el pescado me gusta otra vez.":       "el pescado me gusta otra vez.",
		"Forget that I am vegetarian.":                                    "",
		"Vergiss nicht, dass wir dienstags ausliefern, der Termin steht.": "Vergiss nicht, dass wir dienstags ausliefern, der Termin steht.",
		"Never forget that we deploy on Tuesdays, we promised it.":        "Never forget that we deploy on Tuesdays, we promised it.",
	} {
		if got := cutRetraction(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	found, err := FindStatements(t.Context(), "Forget that I am vegetarian, I eat fish and meat again.")
	if err != nil || len(found) != 1 || found[0].Text != "I eat fish and meat again." {
		t.Errorf("%v, %v", found, err)
	}
	if found, err = FindStatements(t.Context(), "Forget that I am vegetarian."); err != nil || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
}

func TestSentenceOfThisProjectSaysSo(t *testing.T) {
	for text, is := range map[string]bool{
		"Answer briefly in this project.": true, "hier im projekt bitte auf englisch": true, "In diesem Repo keine Emojis.": true, "réponds en anglais dans ce projet": true,
		"en este proyecto responde en inglés": true, "in questo progetto rispondi in inglese": true, "neste projeto responda em inglês": true, "antwoord in dit project kort": true,
		"w tym projekcie odpowiadaj krótko": true, "в этом проекте отвечай кратко": true, "bu projede kısa cevap ver": true, "在这个项目里请简短回答": true, "在這個專案中請簡短回答": true,
		"このプロジェクトでは短く答えて": true, "이 프로젝트에서는 짧게 답해 줘": true, "ในโปรเจกต์นี้ตอบสั้นๆ": true, "في هذا المشروع أجب باختصار": true,
		"Answer briefly in all projects.": false, "antworte in jedem projekt kurz": false, "Explain projects to me briefly.": false,
	} {
		if IsAboutThisProject(text) != is {
			t.Errorf("%q: it is not %v", text, is)
		}
	}
}
