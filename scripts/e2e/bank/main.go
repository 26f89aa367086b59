// Command bank serves the bank of internal/plaidtest on this machine,
// for trying the tools and for end-to-end checks. It prints its address on
// standard error, with a public token to begin with, and fills each new
// connection with as many purchases as its argument says.
package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"toolkit/internal/plaidtest"
)

func main() {
	purchases := 3
	if len(os.Args) > 1 {
		n, err := strconv.Atoi(os.Args[1])
		if err != nil {
			fmt.Fprintln(os.Stderr, "usage: plaidstandin [PURCHASES]")
			os.Exit(2)
		}
		purchases = n
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	bank := plaidtest.New()
	bank.Fill(func(n int) []plaidtest.Transaction { return list(n, purchases) })
	fmt.Fprintf(os.Stderr, "{\"url\":\"http://%s\",\"client_id\":%q,\"secret\":%q,\"public_token\":%q}\n", listener.Addr(), plaidtest.ClientID, plaidtest.Secret, bank.PublicToken())
	server := &http.Server{Handler: bank, ReadHeaderTimeout: time.Minute}
	fmt.Fprintln(os.Stderr, server.Serve(listener))
	os.Exit(1)
}

// list are purchases at a few shops over the days of a year.
func list(connection, purchases int) []plaidtest.Transaction {
	shops := []string{"Platypus Grocers", "Otter Books", "Heron Ferries", "Lakeside Bakery Inc."}
	all := make([]plaidtest.Transaction, purchases)
	for i := range all {
		day := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, i%365)
		all[i] = plaidtest.Purchase(fmt.Sprintf("tx-%d-%d", connection, i), day.Format(time.DateOnly), shops[i%len(shops)], float64(i)+0.99)
	}
	return all
}
