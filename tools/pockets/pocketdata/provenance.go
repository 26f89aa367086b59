package pocketdata

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"toolkit/store/pockets"
	"toolkit/tools"
)

// Local is the data set of what is recorded or derived on this machine. It
// carries nobody's licence.
var Local = pockets.Dataset{Name: "local", Source: "local"}

// Demo is the data set of the demonstration, which a program made up.
var Demo = pockets.Dataset{Name: "local-demo", Source: "local-demo", Synthetic: true}

// datasetRow is the header of a file.
type datasetRow struct {
	pockets.Dataset
	AttributionRequired *bool `json:"attribution_required"`
}

var decodeDataset = tools.ObjectDecoder[datasetRow]()

// provenance reads the header of a file.
func provenance(m map[string]any) (pockets.Dataset, error) {
	row, err := decodeDataset(m)
	d := row.Dataset
	d.AttributionRequired = row.AttributionRequired != nil && *row.AttributionRequired
	own := d.Name == Local.Name || d.Name == Demo.Name
	switch {
	case err != nil:
	case d.License == "" && !own:
		err = errors.New("license is missing")
	case row.AttributionRequired == nil && !own:
		err = errors.New("attribution_required is missing")
	default:
		err = errors.Join(checkAddress("source_url", d.SourceURL), checkAddress("license_url", d.LicenseURL))
	}
	if err != nil {
		return pockets.Dataset{}, fmt.Errorf("the provenance header: %w", err)
	}
	return d, checkReserved(d)
}

func checkAddress(name, address string) error {
	u, err := url.Parse(address)
	if address != "" && (err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https")) {
		return fmt.Errorf("%s is not a web address", name)
	}
	return nil
}

// checkReserved keeps the two names of ours to what they mean.
func checkReserved(d pockets.Dataset) error {
	for _, own := range []pockets.Dataset{Local, Demo} {
		if d.Name == own.Name && !sameProvenance(d, own) {
			return fmt.Errorf("the data set name %q is reserved for what toolkit makes itself; choose another name", d.Name)
		}
	}
	return nil
}

func sameProvenance(a, b pockets.Dataset) bool {
	a.Seq = b.Seq
	return a == b
}

// ErrMixed is an attempt to mix made-up rows with real ones.
var ErrMixed = errors.New("made-up and real data do not belong in one database")

// put stores the data set of a header and checks that it is the one meant.
func put(tx pockets.Rows, d pockets.Dataset) (pockets.Dataset, error) {
	known, err := tx.Datasets()
	if err != nil {
		return pockets.Dataset{}, err
	}
	for _, k := range known {
		if k.Name != Local.Name && d.Name != Local.Name && k.Synthetic != d.Synthetic {
			return pockets.Dataset{}, fmt.Errorf("%w: this one holds %q; use another with --db", ErrMixed, k.Name)
		}
	}
	stored, err := tx.PutDataset(d)
	if err != nil {
		return pockets.Dataset{}, err
	}
	if !sameProvenance(stored, d) {
		return pockets.Dataset{}, fmt.Errorf("the data set %q is known with another provenance (source %q, license %q); give the new one another name", d.Name, stored.Source, stored.License)
	}
	return stored, nil
}

// PutLocal stores the data set of local rows and returns it.
func PutLocal(tx pockets.Rows) (pockets.Dataset, error) { return tx.PutDataset(Local) }

// quoted is a list of names for a message.
func quoted(names []string) string { return strings.Join(names, ", ") }
