package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/pflag"
)

// wholeNumber is the value of a flag that takes a whole number within bounds. What it points to
// stays 0 where the flag is not given.
type wholeNumber[T int | int64] struct {
	to          *T
	least, most T
}

// addWholeNumber adds a flag that takes a whole number from least to most.
func addWholeNumber[T int | int64](f *pflag.FlagSet, to *T, name string, least, most T, usage string) {
	f.Var(wholeNumber[T]{to, least, most}, name, usage)
}

// Set takes what was typed.
func (n wholeNumber[T]) Set(text string) error {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return err
	}
	if T(v) < n.least || T(v) > n.most {
		return strconv.ErrRange
	}
	*n.to = T(v)
	return nil
}

// String is the value; empty where the flag is not given, so that help tells of no default.
func (n wholeNumber[T]) String() string {
	if n.to == nil || *n.to == 0 {
		return ""
	}
	return fmt.Sprint(*n.to)
}

// Type is the kind of value in the help of a command.
func (wholeNumber[T]) Type() string { return "int" }

// wants says what the flag takes.
func (n wholeNumber[T]) wants() string {
	if n.most > 1<<30 {
		return fmt.Sprintf("a whole number from %d", n.least)
	}
	return fmt.Sprintf("a whole number from %d to %d", n.least, n.most)
}
