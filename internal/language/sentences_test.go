package language

import "testing"

func TestANounBeforeItsVerbIsNoInstruction(t *testing.T) {
	statements := []string{
		"Commit messages are in English from today on", "Push notifications go out at 8 in the morning", "Review comments must be answered within a day", "Build artefacts go to the bucket acme-artefacts",
		"Update emails come from ops@acme.test", "Check constraints are named ck_table_column", "Write access is granted by Eva", "Deploy keys expire in May", "Read replicas need 4 GB", "Merges into the main branch must pass review",
		"Plan B is to wait until Monday", "Commit messages and branch names are in English", "Also: delete requests have two approvals",
		"Suche nach Namen ist langsam", "Frage drei ist noch offen", "Note de frais est due le 5", "Prueba final es el lunes",
	}
	instructions := []string{
		"Fix the tests that are failing", "Check the constraints are named", "Show me the files that are large", "Explain why push notifications go out at 8", "Tell Ben the build is red", "Run tests until all are green",
		"Write tests for code we have touched", "Add retries so uploads can resume", "Check whether tests are green", "Commit and push images that are new", "Find out who is on call", "Update the docs", "Remove comments nobody has answered, please",
		"Zeig mir was kaputt ist", "Teste die Funktion die langsam ist", "Frag Ben ob er kommt", "Ajoute un test qui doit passer", "Lance les tests", "Busca los archivos que son grandes",
	}
	for _, sentence := range statements {
		if IsInstruction(sentence) {
			t.Errorf("%q is taken for an instruction", sentence)
		}
	}
	for _, sentence := range instructions {
		if !IsInstruction(sentence) {
			t.Errorf("%q is not taken for an instruction", sentence)
		}
	}
}
