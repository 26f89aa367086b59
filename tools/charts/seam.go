package charts

import "toolkit/store"

func (f *family) momentGuidance(c *store.ChartState, in momentInput) (string, error) {
	return "pending", nil
}
func guidanceText(format string) (string, error) { return "pending", nil }
