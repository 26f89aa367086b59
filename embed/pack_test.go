package embed

import (
	"context"
	"math"
	"slices"
	"testing"
)

func TestAVectorIsReadAsItWasWritten(t *testing.T) {
	local, err := Local().Query(context.Background(), "a few words, hashed")
	if err != nil {
		t.Fatal(err)
	}
	packed, err := Pack(local)
	if err != nil || len(packed) > 2000 {
		t.Errorf("%d bytes, %v", len(packed), err)
	}
	if got, err := Unpack(packed); err != nil || !slices.Equal(got, local) {
		t.Errorf("%v", err)
	}
	full := make([]float32, 384)
	for i := range full {
		full[i] = float32(i%7) - 3.1
	}
	Normalize(full)
	if packed, err = Pack(full); err != nil || len(packed) != 1+2*384 {
		t.Errorf("%d bytes, %v", len(packed), err)
	}
	if got, err := Unpack(packed); err != nil || math.Abs(Cosine(got, full)-1) > 1e-5 {
		t.Errorf("%v", err)
	}
	for _, damaged := range [][]byte{{9}, {densePacked, 1}, {sparsePacked}, {sparsePacked, 1}, {sparsePacked, 1, 0, 5}, {sparsePacked, 1, 0, 5, 0, 0, 0, 0, 0}, {sparsePacked, 1, 0, 0, 0, 0, 0, 0x80, 0x7f}} {
		if _, err := Unpack(damaged); err == nil {
			t.Errorf("%v was read", damaged)
		}
	}
	if got, err := Unpack(nil); got != nil || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}
