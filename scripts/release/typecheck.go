package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

// checkTypes type-checks the program for other systems and machines, from source and with
// everything it imports. It finds what a build would find short of generating code, in a
// fraction of the time.
func checkTypes(targets []string) error {
	if len(targets) == 0 {
		return errors.New("name the targets, such as darwin/arm64")
	}
	failed := false
	for _, target := range targets {
		problems, checked, err := checkTypesForTarget(target)
		if err != nil {
			problems = append(problems, err.Error())
		}
		for _, p := range problems {
			fmt.Fprintf(os.Stderr, "%s: %s\n", target, p)
		}
		failed = failed || len(problems) > 0
		fmt.Fprintf(os.Stderr, "%s: %d packages checked\n", target, checked)
	}
	if failed {
		return errors.New("the program does not fit these systems")
	}
	return nil
}

// checkTypesForTarget loads the program for a target such as linux/arm64 and lists what is
// wrong with it.
func checkTypesForTarget(target string) (problems []string, checked int, err error) {
	system, machine, ok := strings.Cut(target, "/")
	if !ok {
		return nil, 0, fmt.Errorf("a target is SYSTEM/MACHINE")
	}
	roots, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedModule,
		Env: append(os.Environ(), "GOOS="+system, "GOARCH="+machine, "CGO_ENABLED=0"),
	}, ".")
	if err != nil {
		return nil, 0, err
	}
	packages.Visit(roots, nil, func(p *packages.Package) {
		checked++
		for _, e := range p.Errors {
			problems = append(problems, e.Error())
		}
	})
	if checked < 100 {
		problems = append(problems, "only a part of the program was found")
	}
	return problems, checked, nil
}
