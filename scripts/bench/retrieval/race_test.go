//go:build race

package retrieval

const raceDetector = true
