// Command toolkit gives AI assistants a durable, local, honest memory and
// workbench over the Model Context Protocol.
package main

import (
	"os"

	"toolkit/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv}))
}
