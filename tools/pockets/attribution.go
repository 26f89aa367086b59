package pockets

import (
	"slices"

	"toolkit/store/pockets"
	"toolkit/tools"
)

// origin is whose data an answer rests on.
type origin struct {
	datasets []pockets.Dataset // each once
	computed bool              // the numbers were derived here
}

// selectOrigin picks the data sets of rows among all there are.
func selectOrigin(all []pockets.Dataset, computed bool, rows ...int64) origin {
	o := origin{computed: computed}
	for _, d := range all {
		if slices.Contains(rows, d.Seq) {
			o.datasets = append(o.datasets, d)
		}
	}
	return o
}

func (o origin) synthetic() bool {
	return slices.ContainsFunc(o.datasets, func(d pockets.Dataset) bool { return d.Synthetic })
}

func (o origin) mustCite() bool {
	return slices.ContainsFunc(o.datasets, func(d pockets.Dataset) bool { return d.AttributionRequired })
}

// buildAttribution is the block of the source's envelope. Rows that are shown as they
// were imported carry their data set's name and licence. Numbers that were
// derived here never carry somebody else's: they are this machine's, and
// datasets names what they were derived from.
func (o origin) buildAttribution(tool string, now int64) map[string]any {
	named := LocalDataset
	demo := slices.ContainsFunc(o.datasets, func(d pockets.Dataset) bool { return d.Name == DemoDataset.Name })
	switch {
	case demo:
		named = DemoDataset
	case !o.computed && len(o.datasets) > 0:
		named = mergeDatasets(o.datasets)
	}
	block := attributionBlock(named)
	delete(block, "name")
	block["attribution_required"] = o.mustCite()
	block["tool"], block["computed_at"] = tool, isoMillis(now)
	if o.synthetic() {
		block["synthetic"] = true
	}
	if o.computed || len(o.datasets) > 1 {
		datasets := make([]map[string]any, len(o.datasets))
		for i, dataset := range o.datasets {
			datasets[i] = attributionBlock(dataset)
		}
		block["datasets"] = datasets
	}
	return block
}

func attributionBlock(d pockets.Dataset) map[string]any {
	return map[string]any{
		"name": d.Name, "source": d.Source, "source_url": d.SourceURL, "license": d.License, "license_url": d.LicenseURL, "attribution_required": d.AttributionRequired,
	}
}

// mergeDatasets is one block for several data sets, each named once.
func mergeDatasets(all []pockets.Dataset) pockets.Dataset {
	field := func(of func(pockets.Dataset) string) string {
		names := make([]string, len(all))
		for i, dataset := range all {
			names[i] = of(dataset)
		}
		return joinNonEmpty("; ", tools.Distinct(names))
	}
	return pockets.Dataset{
		Source: field(func(d pockets.Dataset) string { return d.Source }), SourceURL: field(func(d pockets.Dataset) string { return d.SourceURL }),
		License: field(func(d pockets.Dataset) string { return d.License }), LicenseURL: field(func(d pockets.Dataset) string { return d.LicenseURL }),
	}
}
