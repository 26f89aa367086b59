package retrieval

func StopWordList() []string {
	var l []string
	for w := range englishStopWords { l = append(l, w) }
	for w := range germanStopWords { l = append(l, w) }
	return l
}
