package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"toolkit/tools"
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

// describeRange says what the flag takes.
func (n wholeNumber[T]) describeRange() string {
	if n.most > 1<<30 {
		return fmt.Sprintf("a whole number from %d", n.least)
	}
	return fmt.Sprintf("a whole number from %d to %d", n.least, n.most)
}

// refusedCall is a call that a tool refused.
type refusedCall struct{ of *tools.Error }

func (e *refusedCall) Error() string { return replaceToolsByCommands(e.of.Message) }

// nameFlagInError words the refusal of a tool for whoever typed a command: where a flag gave the
// argument that is wrong, it is called by its name. Other errors stay.
func nameFlagInError(flags *pflag.FlagSet, err error) error {
	var refused *refusedCall
	if !errors.As(err, &refused) {
		return err
	}
	argument, place, _ := strings.Cut(refused.of.Field, "[")
	flag := findChangedFlag(flags, argument)
	if flag == nil {
		return err
	}
	values := []string{flag.Value.String()}
	if list, ok := flag.Value.(pflag.SliceValue); ok {
		values = list.GetSlice()
	}
	at, _ := strconv.Atoi(strings.TrimSuffix(place, "]")) // 0 where the argument is no list
	message := strings.ReplaceAll(refused.Error(), "leave "+argument+" out", "leave it out")
	if rest, begins := strings.CutPrefix(message, refused.of.Field+" "); begins && at < len(values) {
		message = fmt.Sprintf("%q %s", values[at], rest)
	}
	return usagef("--%s: %s", flag.Name, message)
}

// findChangedFlag returns the flag by which somebody gave an argument of a tool; nil: none.
func findChangedFlag(flags *pflag.FlagSet, argument string) *pflag.Flag {
	name := strings.ReplaceAll(argument, "_", "-")
	for _, spelling := range []string{name, strings.TrimSuffix(name, "s")} {
		if flag := flags.Lookup(spelling); flag != nil && flag.Changed {
			return flag
		}
	}
	return nil
}
