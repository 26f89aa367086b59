package reader

import (
	"testing"

	"toolkit/internal/testfile"
)

func TestMain(m *testing.M) { testfile.RunWithEngine(m, Warm) }
