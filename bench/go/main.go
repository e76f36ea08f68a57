// SPDX-License-Identifier: Apache-2.0

// Reads a recording with grafana's jfr-parser, which decodes the event types that profilers write and
// passes over the others.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/grafana/jfr-parser/parser"
)

func main() {
	content, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	reader := parser.NewParser(content, parser.Options{})
	count := 0
	for {
		_, err := reader.ParseEvent()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		count++
	}
	fmt.Println(count, "events")
}
