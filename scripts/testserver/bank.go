package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"toolkit/internal/plaidtest"
)

// serveBank serves the bank of internal/plaidtest on this machine. It prints its address
// on standard error, with a public token to begin with, and fills each new connection
// with so many purchases.
func serveBank(purchases int) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	bank := plaidtest.New()
	bank.Fill(func(n int) []plaidtest.Transaction { return makePurchases(n, purchases) })
	fmt.Fprintf(os.Stderr, "{\"url\":\"http://%s\",\"client_id\":%q,\"secret\":%q,\"public_token\":%q}\n", listener.Addr(), plaidtest.ClientID, plaidtest.Secret, bank.PublicToken())
	server := &http.Server{Handler: bank, ReadHeaderTimeout: time.Minute}
	return server.Serve(listener)
}

// makePurchases returns purchases at a few shops over the days of a year.
func makePurchases(connection, purchases int) []plaidtest.Transaction {
	shops := []string{"Platypus Grocers", "Otter Books", "Heron Ferries", "Lakeside Bakery Inc."}
	all := make([]plaidtest.Transaction, purchases)
	for i := range all {
		day := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, i%365)
		all[i] = plaidtest.Purchase(fmt.Sprintf("tx-%d-%d", connection, i), day.Format(time.DateOnly), shops[i%len(shops)], float64(i)+0.99)
	}
	return all
}
