package language

import "testing"

func TestQuestionsAreKnownWithoutTheirMark(t *testing.T) {
	for text, want := range map[string]bool{
		"is paypal in or out": true, "are refunds allowed after 30 days": true, "does the cron still run at night": true, "do we accept paypal": true, "who do i ask about vat": true,
		"darf lena nutella essen": true, "was muss ich noch für die steuer machen": true, "hat emil morgen turnen": true, "wer macht unsere steuer": true,
		"chi è il mio correlatore": true, "quando devo consegnare il capitolo": true, "peut-on payer par paypal": true, "est-ce que lena mange des noix": true,
		"wanneer is de vergadering": true, "czy możemy płacić kartą": true, "можно ли лене нутеллу": true, "какой у нас номер": true, "可以用paypal吗": true, "レナはヌテラを食べられますか": true,
		"yannick c'est qui": true, "le digicode c'est quoi": true, "la réunion est quand": true, "le correlatore chi è": true, "the wifi name is what": true,
		"hvor ligger nøglen": true, "quem assina o contrato": true,

		"je ne sais plus qui": false, "il dit n'importe quoi": false, "you know who they are": false, "nobody knows how": false,
		"is done": false, "was fixed in the last release": false, "is on hold": false, "has a dog": false, "when it rains, we take the bus": false, "rendez-vous est pris": false,
		"deploy every wednesday evening": false, "can't do that": false, "die putzhilfe kommt freitags": false, "la tesi si consegna in pdf": false, "emil hat am donnerstag turnen": false,
	} {
		if got := IsQuestion(text); got != want {
			t.Errorf("%q is a question: %v", text, got)
		}
	}
}

func TestATextOfQuestionsAloneAsksOnly(t *testing.T) {
	for text, want := range map[string]bool{
		"Who signs? And when?": true, "wer macht unsere steuer": true, "can we take paypal after all? ok lets do it": false, "We use Stripe.": false, "": false,
	} {
		if got := AsksOnly(text); got != want {
			t.Errorf("%q only asks: %v", text, got)
		}
	}
}

func TestAcknowledgementsAreNoAnswers(t *testing.T) {
	for text, want := range map[string]bool{"Ok.": true, "C'est noté.": true, "Erledigt, danke": true, "Nein.": false, "In.": false, "17.": false} {
		if got := IsAcknowledgement(text); got != want {
			t.Errorf("%q acknowledges: %v", text, got)
		}
	}
}
