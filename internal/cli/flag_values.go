package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"toolkit/tools"
)

// rangeError says what a flag takes that was given something else.
type rangeError string

func (e rangeError) Error() string { return string(e) }

// addWholeNumber adds a flag that takes a whole number from least to most. What it points to stays 0 where the flag is
// not given.
func addWholeNumber[T int | int64](f *pflag.FlagSet, to *T, name string, least, most T, usage string) {
	wanted := fmt.Sprintf("a whole number from %d to %d", least, most)
	if most > 1<<30 {
		wanted = fmt.Sprintf("a whole number from %d", least)
	}
	f.Func(name, usage, func(text string) error {
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil || T(v) < least || T(v) > most {
			return rangeError(wanted)
		}
		*to = T(v)
		return nil
	})
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
