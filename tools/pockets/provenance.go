package pockets

import (
	"errors"
	"fmt"
	"net/url"

	"toolkit/store/pockets"
	"toolkit/tools"
)

// LocalDataset is the data set of what is recorded or derived on this machine. It
// carries nobody's licence.
var LocalDataset = pockets.Dataset{Name: "local", Source: "local"}

// DemoDataset is the data set of the demonstration, which a program made up.
var DemoDataset = pockets.Dataset{Name: "local-demo", Source: "local-demo", Synthetic: true}

// datasetRow is the header of a file.
type datasetRow struct {
	pockets.Dataset
	AttributionRequired *bool `json:"attribution_required"`
}

var decodeDataset = tools.NewObjectDecoder[datasetRow]()

// parseDatasetHeader reads the header of a file.
func parseDatasetHeader(m map[string]any) (pockets.Dataset, error) {
	row, err := decodeDataset(m)
	d := row.Dataset
	d.AttributionRequired = row.AttributionRequired != nil && *row.AttributionRequired
	isOurs := d.Name == LocalDataset.Name || d.Name == DemoDataset.Name
	switch {
	case err != nil:
	case d.License == "" && !isOurs:
		err = errors.New("license is missing")
	case row.AttributionRequired == nil && !isOurs:
		err = errors.New("attribution_required is missing")
	default:
		err = errors.Join(checkWebAddress("source_url", d.SourceURL), checkWebAddress("license_url", d.LicenseURL))
	}
	if err != nil {
		return pockets.Dataset{}, fmt.Errorf("the provenance header: %w", err)
	}
	return d, checkReservedName(d)
}

func checkWebAddress(name, address string) error {
	u, err := url.Parse(address)
	if address != "" && (err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https")) {
		return fmt.Errorf("%s is not a web address", name)
	}
	return nil
}

// checkReservedName keeps the two names of ours to what they mean.
func checkReservedName(d pockets.Dataset) error {
	for _, named := range []pockets.Dataset{LocalDataset, DemoDataset} {
		if d.Name == named.Name && !sameProvenance(d, named) {
			return fmt.Errorf("the data set name %q is reserved for what toolkit makes itself; choose another name", d.Name)
		}
	}
	return nil
}

func sameProvenance(a, b pockets.Dataset) bool {
	a.Seq = b.Seq
	return a == b
}

// ErrMixedData is an attempt to mix made-up rows with real ones.
var ErrMixedData = errors.New("made-up and real data do not belong in one database")

// storeAndCheckDataset stores the data set of a header and checks that it is the one meant.
func storeAndCheckDataset(tx pockets.Rows, d pockets.Dataset) (pockets.Dataset, error) {
	known, err := tx.Datasets()
	if err != nil {
		return pockets.Dataset{}, err
	}
	for _, k := range known {
		if k.Name != LocalDataset.Name && d.Name != LocalDataset.Name && k.Synthetic != d.Synthetic {
			return pockets.Dataset{}, fmt.Errorf("%w: this one holds %q; use another with --db", ErrMixedData, k.Name)
		}
	}
	stored, err := tx.EnsureDataset(d)
	if err != nil {
		return pockets.Dataset{}, err
	}
	if !sameProvenance(stored, d) {
		return pockets.Dataset{}, fmt.Errorf("the data set %q is known with another provenance (source %q, license %q); give the new one another name", d.Name, stored.Source, stored.License)
	}
	return stored, nil
}
