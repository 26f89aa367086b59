// Command testserver serves on this machine what the product is tested against. It is no
// part of the product.
//
//	go run ./scripts/testserver bank [PURCHASES]   the bank of internal/plaidtest, also for trying the tools
//	go run ./scripts/testserver conformance        a server for the protocol's conformance suite
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
)

const defaultPurchases = 3

var errUsage = errors.New("usage: testserver bank [PURCHASES] | conformance")

func main() {
	err := run(os.Args[1:])
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "testserver:", err)
	if errors.Is(err, errUsage) {
		os.Exit(2)
	}
	os.Exit(1)
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "conformance":
		return serveConformance()
	case len(args) == 1 && args[0] == "bank":
		return serveBank(defaultPurchases)
	case len(args) == 2 && args[0] == "bank":
		purchases, err := strconv.Atoi(args[1])
		if err != nil {
			return errUsage
		}
		return serveBank(purchases)
	}
	return errUsage
}
