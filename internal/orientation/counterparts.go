package orientation

import "strings"

// counterparts say what a trouble gives way to, as something that can be created.
// They make a reframing concrete where the text itself only names the trouble.
var counterparts = counterpartOf(map[string]string{
	"debt debts":                      "savings that cover six months of living",
	"cost costs expense expenses":     "a budget that leaves a reserve every month",
	"spending overspending":           "a budget that leaves a reserve every month",
	"stress overwhelm worry worries":  "a calm daily life",
	"anxiety worrying rumination":     "a calm daily life",
	"fear fears shyness doubt doubts": "the confidence to act with ease",
	"self-doubt":                      "the confidence to act with ease",
	"procrastination procrastinating": "a daily routine that gets the first thing done by noon",
	"bug bugs crash crashes":          "software that does what its users expect",
	"error errors defect defects":     "work that is right the first time",
	"clutter mess":                    "rooms where everything has its place",
	"chaos backlog":                   "a clear order of work that everybody can see",
	"conflict conflicts arguing":      "a relationship in which everything can be said",
	"arguments fighting":              "a relationship in which everything can be said",
	"pain pains headache headaches":   "a body that moves with ease",
	"migraine migraines":              "a body that moves with ease",
	"insomnia fatigue exhaustion":     "deep sleep every night",
	"smoking drinking overeating":     "a healthy and clear-headed daily life",
	"snacking sugar alcohol coffee":   "a healthy and clear-headed daily life",
	"waste wastage":                   "a cycle in which everything is used",
	"churn complaints complaint":      "a service that customers stay with",
	"turnover absenteeism":            "a workplace that people like to come to",
	"burnout overtime":                "work that leaves energy at the end of the day",
	"hunger poverty homelessness":     "a place where everybody has enough",
	"delay delays lateness late":      "work that arrives on the day it was promised",
	"downtime outage outages latency": "a service that answers whenever it is asked",
	"accident accidents injury":       "a place where everybody comes home safe",
	"injuries violence bullying":      "a place where everybody is safe",
	"crime":                           "a place where everybody is safe",
	"loneliness isolation":            "a circle of friends who see each other every week",
	"emissions pollution":             "clean air and clean energy",
	"noise distraction distractions":  "a quiet place and time for work",
	"anger resentment jealousy":       "a warm and patient way of being together",
	"habit habits addiction cravings": "a new daily routine that is enjoyed",
})

func counterpartOf(groups map[string]string) map[string]string {
	flat := map[string]string{}
	for words, counterpart := range groups {
		for _, word := range strings.Fields(words) {
			flat[word] = counterpart
		}
	}
	return flat
}
