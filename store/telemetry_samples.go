package store

import (
	"encoding/binary"
	"errors"
)

// Sample is a measurement: a time in unix milliseconds and a value in
// thousandths, which is never negative.
type Sample struct{ At, Value int64 }

var errSamples = errors.New("a chunk of samples is damaged")

// appendSamples encodes samples behind data, whose last sample was at last: of
// each the signed distance in time to the one before, then the value.
func appendSamples(data []byte, last int64, samples []Sample) []byte {
	for _, s := range samples {
		data = binary.AppendVarint(data, s.At-last)
		data = binary.AppendUvarint(data, uint64(max(s.Value, 0)))
		last = s.At
	}
	return data
}

// eachSample decodes what appendSamples wrote.
func eachSample(data []byte, f func(at, value int64)) error {
	at := int64(0)
	for len(data) > 0 {
		step, n := binary.Varint(data)
		if n <= 0 {
			return errSamples
		}
		value, m := binary.Uvarint(data[n:])
		if m <= 0 || int64(value) < 0 {
			return errSamples
		}
		data = data[n+m:]
		at += step
		f(at, int64(value))
	}
	return nil
}
