package pockets

import (
	"context"
	"slices"
	"time"

	"toolkit/fixtures"
	"toolkit/store"
	"toolkit/store/readings"
	"toolkit/tools/pockets/pocketdata"
)

// DaySlots is how many parts a day has.
const DaySlots = 48

// DaySlot is half an hour of a day. What was not observed is nil or empty.
type DaySlot struct {
	Readings   int
	Calm       *float64
	Stress     *float64
	Saturation *float64
	Band       string // of moment quality
}

// DayWindow is a run of half hours that were calm enough to speak in.
type DayWindow struct{ From, To int } // slots, To is not part of it

// Day is a pocket's day in Singapore at a glance.
type Day struct {
	Pocket    fixtures.Pocket
	Start     time.Time // midnight in Singapore
	Now       time.Time
	Slots     [DaySlots]DaySlot
	Windows   []DayWindow
	Sources   []string // of the readings
	Synthetic bool
}

// Readings is how many readings the day has.
func (d Day) Readings() int {
	n := 0
	for _, s := range d.Slots {
		n += s.Readings
	}
	return n
}

// ReadDay reads the day of a pocket that holds a moment. Nothing after the
// store's now is part of it.
func ReadDay(ctx context.Context, db *store.DB, pocket fixtures.Pocket, moment time.Time) (Day, error) {
	local := moment.In(pocketdata.Zone)
	d := Day{Pocket: pocket, Start: time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, pocketdata.Zone), Now: db.Now().In(pocketdata.Zone)}
	from := d.Start.UnixMilli()
	until := min(from+dayMillis-1, d.Now.UnixMilli())
	err := db.Read(ctx, func(tx *store.Tx) error {
		rows := readings.In(tx)
		means, err := rows.SlotMeans(pocket.ID, from-1, until, slotMillis, pocketdata.ZoneMillis)
		if err != nil {
			return err
		}
		for _, m := range means {
			d.Slots[m.Slot] = DaySlot{Readings: m.Readings, Calm: new(m.Calm), Stress: new(m.Stress), Saturation: new(m.Saturation)}
		}
		if err := d.readBands(rows, from, until); err != nil {
			return err
		}
		return d.readSources(rows, from, until)
	})
	d.Windows = openWindows(d.Slots[:])
	return d, err
}

// maxDayRows bounds what is read of two days.
const maxDayRows = 6000

// readBands names the last moment quality of each half hour; the day before
// gives the first one its previous score.
func (d *Day) readBands(tx readings.Rows, from, until int64) error {
	rows, err := tx.QualityBetween(d.Pocket.ID, from-dayMillis, until, maxDayRows)
	if err != nil {
		return err
	}
	var previous *float64
	for _, q := range rows {
		mqs := momentQuality(q)
		if q.ComputedAt >= from {
			d.Slots[(q.ComputedAt-from)/slotMillis].Band = qualityBand(mqs, previous)
		}
		previous = &mqs
	}
	return nil
}

func (d *Day) readSources(tx readings.Rows, from, until int64) error {
	all, err := tx.Datasets()
	if err != nil {
		return err
	}
	list, err := tx.ReadingsBetween(d.Pocket.ID, from-1, until, maxDayRows)
	if err != nil {
		return err
	}
	for _, r := range list {
		at := slices.IndexFunc(all, func(known readings.Dataset) bool { return known.Seq == r.Dataset })
		if at >= 0 && !slices.Contains(d.Sources, all[at].Source) {
			d.Sources = append(d.Sources, all[at].Source)
		}
		d.Synthetic = d.Synthetic || at >= 0 && all[at].Synthetic
	}
	return nil
}

// openWindows joins the half hours that were calm and not noisy.
func openWindows(slots []DaySlot) []DayWindow {
	var windows []DayWindow
	for i, s := range slots {
		if s.Readings == 0 || *s.Calm < calmWindow || *s.Saturation > noiseCeiling {
			continue
		}
		if n := len(windows); n > 0 && windows[n-1].To == i {
			windows[n-1].To = i + 1
		} else {
			windows = append(windows, DayWindow{i, i + 1})
		}
	}
	return windows
}
