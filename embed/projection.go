package embed

// projection folds vectors to fewer dimensions: every component is added, with
// a fixed sign, to one of the targets. It keeps inner products up to a noise
// of about 1/√to, needs no training and never changes, so every process that
// shares a database projects alike.
type projection struct {
	from, to int
	target   []uint16 // twice the target, plus 1 when the sign is negative
}

func newProjection(from, to int) projection {
	p := projection{from: from, to: min(from, to)}
	if from <= to {
		return p // short vectors stay as they are
	}
	p.target = make([]uint16, from)
	for i := range p.target {
		h := mixHash(uint64(i) + 0x632be59bd9b4e019)
		p.target[i] = uint16(h%uint64(to))<<1 | uint16(h>>63)
	}
	return p
}

// project writes the projection of v to out, which has length p.to.
func (p *projection) project(v, out []float32) {
	if p.target == nil {
		copy(out, v)
		return
	}
	clear(out)
	for i, x := range v {
		t := p.target[i]
		if t&1 == 1 {
			x = -x
		}
		out[t>>1] += x
	}
}

// mixHash is the 64-bit finaliser of MurmurHash3.
func mixHash(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	h ^= h >> 33
	return h
}
