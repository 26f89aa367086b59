// Package language reads words, and knows no store and no question: how a text
// comes apart into [Words], the stems under which they are indexed ([Terms],
// [DateTerms]), which words carry only grammar, which belong to one field of
// life, what a text says by name and number ([ContentWords]), and which known name a
// misspelt one was meant to be ([NearestNames]).
//
// Likenesses are of three kinds. [EditDistance] counts slips of the keyboard, for
// names that are typed as they stand: tools, arguments, settings. [WithinOneEdit]
// is the same question with a cheap answer, for every word of a search. [Pieces]
// compare names of things, whose words may be fewer or in another order.
//
// Lists of words are data, under fixtures/words/language. Stems are stored: a
// change of a stemmer, of a list of irregular forms or of the words that tell
// languages apart needs an index made anew.
//
// # Days in words
//
// [FindDates] reads the days, months and ranges that a text names in words:
// "last Friday" and "two weeks ago", counted from the day on which it was said,
// "in spring", "6 May 2023", in English, German, French and Spanish.
//
// What can be read in two ways is not read: "Friday" alone, "03/04/2023", "I may
// march on". A day or month without a year is the nearest one, and none when that
// lies further away than four months. Seasons are those of the north.
//
// The phrases are data, under fixtures/words/calendar. A line holds words, with
// alternatives between bars and a question mark behind what may be missing, and a
// colon before what is meant. Words in capitals stand for a number, a WEEKDAY, a
// MONTH, a SEASON, a YEAR, a DAY of a month, an ORDINAL (such a day with its
// ending), the PLACE of a week in its month, or a DATE. Lines are laid into one tree for each
// language; each place of a text is compared with at most as many words as the
// longest line has, so that reading takes time in proportion to the text.
package language
