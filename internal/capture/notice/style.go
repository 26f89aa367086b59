package notice

import "regexp"

// styleWords are in a preference about how the assistant is to answer the person, which
// holds in every project. Each names the answers, or who is spoken to: what only
// names a form ("no bullet points in letters to clients") is mostly of the work.
var styleWords = regexp.MustCompile(`(?i)\byour (?:answers?|repl(?:y|ies)|responses?|explanations?|tone)\b` +
	`|\b(?:short|brief|long|concise|detailed) (?:answers?|repl(?:y|ies)|responses?|explanations?)\b` +
	`|\b(?:answer|reply|respond|explain|talk|speak)\b[^.;]{0,20} (?:to )?me\b|\bexplain \w+ to me\b|\b(?:call|address) me\b` +
	`|^(?:(?:please|pls|always|just|and|also|ok|okay|from now on)[, ]+)*(?:answer|reply|respond|talk|speak) (?:only |always )?` +
	`(?:in (?:short|brief|plain|simple|full|complete|english|german|french|spanish|italian|dutch|portuguese)\b|(?:briefly|concisely|plainly|informally|formally)\b)` +
	`|\b(?:no|without|never use|avoid|stop using|don't use|skip) (?:emojis?|bullet ?points?)(?:$|[.,;!]| please| ever)` +
	`|\bantworte?\b[^.;]{0,12} ?mir\b|^(?:bitte |immer )*antworte\b|\bdeine[nr]? (?:antwort(?:en)?|erklärungen)\b|\b(?:duz|siez)e? mich\b|\bfasse? dich kurz\b|\bkeine emojis(?:$|[.,;!])` +
	`|\b(?:tutoie|vouvoie|réponds|appelle|explique)[- ]moi\b|^réponds (?:toujours )?en\b|\btes (?:réponses|explications)\b|\bpas d'émojis(?:$|[.,;!])` +
	`|\b(?:respóndeme|contéstame|háblame|explícame|tutéame)\b|^responde (?:siempre )?en\b|\btus (?:respuestas|explicaciones)\b|\bsin emojis(?:$|[.,;!])` +
	`|\b(?:rispondimi|parlami)\b|\ble tue risposte\b|\bas tuas respostas\b`)
