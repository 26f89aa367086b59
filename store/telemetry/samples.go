package telemetry

import (
	"encoding/binary"
	"errors"
)

// Sample is a measurement: a time in unix milliseconds and a value in
// thousandths, which is never negative.
type Sample struct{ At, Value int64 }

var errSamples = errors.New("a chunk of samples is damaged")

// samples are encoded samples. Times and values lie apart.
type samples struct {
	times  []byte // of each sample the signed distance to the one before
	values []byte
}

// append encodes samples behind those that end at the time last.
func (s *samples) append(last int64, list []Sample) {
	for _, one := range list {
		s.times = binary.AppendVarint(s.times, one.At-last)
		s.values = binary.AppendUvarint(s.values, uint64(max(one.Value, 0)))
		last = one.At
	}
}

// Each calls f for every sample, in the order of arrival.
func (s *samples) Each(f func(at, value int64)) error {
	values, err := decodeValues(s.values)
	if err != nil {
		return err
	}
	at, times := int64(0), s.times
	for _, value := range values {
		step, n := binary.Varint(times)
		if n <= 0 {
			return errSamples
		}
		times = times[n:]
		at += step
		f(at, value)
	}
	if len(times) > 0 {
		return errSamples
	}
	return nil
}

// decodeValues decodes values. Most take up to three bytes, which are read without a loop.
func decodeValues(values []byte) (to []int64, err error) {
	for i := 0; i < len(values); {
		switch b := values[i]; {
		case b < 0x80:
			to = append(to, int64(b))
			i++
		case i+1 < len(values) && values[i+1] < 0x80:
			to = append(to, int64(b&0x7f)|int64(values[i+1])<<7)
			i += 2
		case i+2 < len(values) && values[i+2] < 0x80:
			to = append(to, int64(b&0x7f)|int64(values[i+1]&0x7f)<<7|int64(values[i+2])<<14)
			i += 3
		default:
			value, n := binary.Uvarint(values[i:])
			if n <= 0 || int64(value) < 0 {
				return nil, errSamples
			}
			to = append(to, int64(value))
			i += n
		}
	}
	return to, nil
}
