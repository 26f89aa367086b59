// Package language reads words, and knows no store and no question: how a text
// comes apart into [Words], the stems under which they are indexed ([Terms],
// [DateTerms]), which words carry only grammar, which belong to one field of
// life, what a text says by name and number ([Mentions]), and which known name a
// misspelt one was meant to be ([Nearest]).
//
// Lists of words are data, under fixtures/words/language. Stems are stored: a
// change of a stemmer, of a list of irregular forms or of the words that tell
// German from English needs an index made anew.
package language
