package embed

import "strings"

// functionWords carry grammar rather than meaning; without document
// frequencies they would dominate every vector. English and German.
var functionWords = wordSet(`
a about after all also am an and any are as at be because been before being but by can could did do does doing don down
for from further get got had has have having he her here hers him his how i if in into is it its just ll me more most my
no nor not now of off on once one only or other our out over own re s same she should so some such t than that the their
them then there these they this those through to too under until up upon us very was we were what when where which while
who whom why will with would you your yours
aber alle als am an auch auf aus bei bin bis das dass dein dem den der des die dies diese dieser doch du durch ein eine
einem einen einer er es fur hat hatte haben ich ihr im in ist ja kann kein keine man mein mir mit nach nicht noch nur oder
schon sehr sein seine sich sie sind so uber um und uns von vor war was wenn wer wie wir wird wo zu zum zur
`)

// irregular maps English forms that suffix stripping cannot relate to their
// base form. Forms that are also common words of another meaning (saw, left,
// found, felt, lay) are left out.
var irregular = wordMap(`
began=begin begun=begin bent=bend bitten=bite bled=bleed blew=blow blown=blow bought=buy bred=breed broke=break
broken=break brought=bring built=build burnt=burn came=come caught=catch chose=choose chosen=choose clung=cling
crept=creep dealt=deal did=do done=do drank=drink drunk=drink drawn=draw drew=draw dreamt=dream driven=drive drove=drive
dug=dig ate=eat eaten=eat fallen=fall fed=feed fled=flee flew=fly flown=fly forbade=forbid forgot=forget
forgotten=forget forgave=forgive forgiven=forgive fought=fight froze=freeze frozen=freeze gave=give given=give gone=go
went=go grew=grow grown=grow had=have has=have heard=hear held=hold hid=hide hidden=hide hung=hang kept=keep knelt=kneel
knew=know known=know laid=lay leapt=leap learnt=learn lent=lend lit=light lost=lose made=make meant=mean met=meet
mistook=mistake paid=pay proven=prove ran=run rang=ring ridden=ride rode=ride risen=rise said=say sang=sing sung=sing
sank=sink sought=seek seen=see sent=send shaken=shake shook=shake shone=shine shot=shoot shown=show shrank=shrink
slept=sleep slid=slide sold=sell spent=spend spoke=speak spoken=speak sprang=spring stole=steal stolen=steal stood=stand
stuck=stick struck=strike stung=sting swam=swim swum=swim swept=sweep swore=swear sworn=swear taken=take took=take
taught=teach tore=tear torn=tear thought=think threw=throw thrown=throw told=tell understood=understand woke=wake
woken=wake won=win wore=wear worn=wear wrote=write written=write
children=child feet=foot geese=goose knives=knife leaves=leaf lives=life loaves=loaf men=man mice=mouse people=person
shelves=shelf teeth=tooth thieves=thief wives=wife wolves=wolf women=woman
better=good best=good worse=bad worst=bad
`)

func wordSet(list string) map[string]struct{} {
	set := make(map[string]struct{})
	for _, word := range strings.Fields(list) {
		set[word] = struct{}{}
	}
	return set
}

func wordMap(list string) map[string]string {
	forms := make(map[string]string)
	for _, pair := range strings.Fields(list) {
		form, base, _ := strings.Cut(pair, "=")
		forms[form] = base
	}
	return forms
}
