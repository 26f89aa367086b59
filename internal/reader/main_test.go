package reader

import (
	"testing"

	"toolkit/internal/testenv"
)

func TestMain(m *testing.M) { testenv.RunWithEngine(m, PreparePDFEngine) }
