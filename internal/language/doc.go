// Package language reads words, and knows no store and no question: how a text
// comes apart into [Words], the stems under which they are indexed ([Terms],
// [DateTerms]), which words carry only grammar, which belong to one field of
// life, what a text says by name and number ([Mentions]), and which known name a
// misspelt one was meant to be ([Nearest]).
//
// Likenesses are of three kinds. [Distance] counts slips of the keyboard, for
// names that are typed as they stand: tools, arguments, settings. [WithinOneEdit]
// is the same question with a cheap answer, for every word of a search. [Pieces]
// compare names of things, whose words may be fewer or in another order.
//
// Lists of words are data, under fixtures/words/language. Stems are stored: a
// change of a stemmer, of a list of irregular forms or of the words that tell
// languages apart needs an index made anew. Days named in words are read in calendar.
package language
