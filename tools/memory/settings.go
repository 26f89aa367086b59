package memory

import (
	"fmt"
	"strconv"
	"strings"
)

// ConfigureFidelityAndJudges reads the family's settings from environment variables into d:
// TOOLKIT_FIDELITY_THRESHOLD (0..1) and those of JudgesFromEnvironment. It fails when
// the threshold means nothing; judges that cannot be configured are reported
// when they are asked for.
func (d *Deps) ConfigureFidelityAndJudges(getenv func(string) string) error {
	if text := strings.TrimSpace(getenv("TOOLKIT_FIDELITY_THRESHOLD")); text != "" {
		threshold, err := strconv.ParseFloat(text, 64)
		if err != nil || !(threshold >= 0 && threshold <= 1) {
			return fmt.Errorf("TOOLKIT_FIDELITY_THRESHOLD %q is not a number from 0 to 1", text)
		}
		d.FidelityThreshold = &threshold
	}
	d.Judges, d.JudgesError = JudgesFromEnvironment(getenv)
	return nil
}
