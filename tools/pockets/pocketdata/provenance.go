package pocketdata

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"toolkit/store/pockets"
)

// Local is the data set of what is recorded or derived on this machine. It
// carries nobody's licence.
var Local = pockets.Dataset{Name: "local", Source: "local"}

// Demo is the data set of the demonstration, which a program made up.
var Demo = pockets.Dataset{Name: "local-demo", Source: "local-demo", Synthetic: true}

// limits of what provenance may say.
const (
	maxShort = 200
	maxURL   = 500
)

// maxName bounds the name of a dataset; a pattern that counted would take longer to compile
// than all others.
const maxName = 80

var datasetName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)

// provenanceFields are the keys of a provenance header.
var provenanceFields = []string{"name", "source", "source_url", "license", "license_url", "attribution_required", "synthetic"}

// provenance reads the header of a file. Every problem is reported at once.
func provenance(m map[string]any) (pockets.Dataset, error) {
	f := fields{values: m}
	f.only(provenanceFields, "a provenance header")
	d := pockets.Dataset{
		Name: f.text("name", maxShort), Source: f.text("source", maxShort), License: f.text("license", maxShort),
		SourceURL: f.text("source_url", maxURL), LicenseURL: f.text("license_url", maxURL),
		AttributionRequired: f.flag("attribution_required", false), Synthetic: f.flag("synthetic", false),
	}
	own := d.Name == Local.Name || d.Name == Demo.Name
	f.require("name", "source")
	if !own {
		f.require("license", "attribution_required")
	}
	if d.Name != "" && (len(d.Name) > maxName || !datasetName.MatchString(d.Name)) {
		f.fail("name %q is not lowercase letters, digits, dots and hyphens", d.Name)
	}
	for _, address := range []struct{ name, value string }{{"source_url", d.SourceURL}, {"license_url", d.LicenseURL}} {
		if u, err := url.Parse(address.value); address.value != "" && (err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https")) {
			f.fail("%s is not a web address", address.name)
		}
	}
	if err := f.err(); err != nil {
		return pockets.Dataset{}, fmt.Errorf("the provenance header: %w", err)
	}
	return d, checkReserved(d)
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
