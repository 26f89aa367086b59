package tools

// bytesPerToken is what a token of JSON and English is taken to hold. Models
// differ; the figure only serves to compare.
const bytesPerToken = 4

// EstimateTokens estimates how many tokens so many bytes are.
func EstimateTokens(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }
