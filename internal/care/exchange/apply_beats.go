package exchange

import (
	"fmt"

	"toolkit/store/nodes"
)

// beatPlan is what is to happen to a beat of the document.
type beatPlan struct {
	beat     *Beat
	decided  bool
	accepted bool
	placed   bool
	stored   *nodes.BeatRecord // the beat of this name that was there before, or nil
	place    nodes.BeatPlace
	lastSub  int
}

func (p *beatPlan) row(i *importer) int64 {
	if p.stored != nil {
		return p.stored.Row
	}
	return i.rows[p.beat.Name]
}

// planBeats decides for each beat: it comes in when its chart and its parent
// beat are there, and one that is stored is not touched.
func (i *importer) planBeats() error {
	for k := range i.document.Beats {
		b := &i.document.Beats[k]
		p := &beatPlan{beat: b, stored: i.beats[b.Name]}
		i.byName[b.Name] = p
		i.beatPlans = append(i.beatPlans, p)
	}
	for _, p := range i.beatPlans {
		if err := i.planBeat(p); err != nil {
			return err
		}
	}
	return nil
}

func (i *importer) planBeat(p *beatPlan) error {
	if p.decided {
		return nil
	}
	p.decided = true
	b := p.beat
	if p.stored != nil {
		stored, err := beatOf(p.stored)
		if err != nil {
			return err
		}
		if sameBeat(b, &stored) {
			i.result.Beats.Unchanged++
			return nil
		}
		i.result.skip(b.Line, "narrative beat %q is stored already with other content; the stored one was kept", b.Name)
		i.result.Beats.Skipped++
		return nil
	}
	fault := i.fault(b.Name)
	if chart := i.byID[b.ParentChart]; fault == "" && (chart == nil || !chart.present()) {
		fault = fmt.Sprintf("its chart %q did not come in", b.ParentChart)
	}
	if parent := i.byName[b.ParentBeat]; fault == "" && parent != nil {
		if err := i.planBeat(parent); err != nil {
			return err
		}
		if !parent.accepted && (parent.stored == nil || parent.stored.ChartID != b.ParentChart) {
			fault = fmt.Sprintf("its parent beat %q did not come in", b.ParentBeat)
		}
	}
	if fault != "" {
		i.result.skip(b.Line, "narrative beat %q: %s", b.Name, fault)
		i.result.Beats.Skipped++
		return nil
	}
	p.accepted = true
	i.result.Beats.New++
	return nil
}

func (i *importer) addBeatNodes() error {
	for _, p := range i.beatPlans {
		if !p.accepted {
			i.step(1)
			continue
		}
		node, place, err := nodeOfBeat(p.beat, i.now)
		if err := i.insert(node, err); err != nil {
			return err
		}
		p.place = place
		if parent := i.byName[p.beat.ParentBeat]; parent != nil {
			parent.lastSub = max(parent.lastSub, numberOf(parent.beat.Name, "_beat_", p.beat.Name))
			continue
		}
		chart := i.byID[p.beat.ParentChart]
		chart.lastBeat = max(chart.lastBeat, numberOf(chart.chart.ID, "_beat_", p.beat.Name))
	}
	return nil
}

func (i *importer) placeBeats() error {
	for _, p := range i.beatPlans {
		i.step(1)
		if err := i.placeBeat(p); err != nil {
			return err
		}
	}
	for _, p := range i.beatPlans {
		if p.stored != nil && p.lastSub > 0 {
			if err := i.tx.RaiseSubBeatNumber(p.stored.Row, p.lastSub+1); err != nil {
				return err
			}
		}
	}
	for _, p := range i.chartPlans {
		if p.lastBeat > 0 {
			if err := i.tx.RaiseChartNumbers(p.row(i), 1, p.lastBeat+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// placeBeat places parents first.
func (i *importer) placeBeat(p *beatPlan) error {
	if !p.accepted || p.placed {
		return nil
	}
	p.placed = true
	p.place.Chart = i.byID[p.beat.ParentChart].row(i)
	p.place.NextSub = p.lastSub + 1
	if parent := i.byName[p.beat.ParentBeat]; parent != nil {
		if err := i.placeBeat(parent); err != nil {
			return err
		}
		p.place.Parent = parent.row(i)
	}
	return i.tx.PlaceBeat(p.row(i), p.place)
}
