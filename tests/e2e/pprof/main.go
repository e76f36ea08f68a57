// SPDX-License-Identifier: Apache-2.0

// Reads a profile with pprof's own package, checks that it is valid, and prints it as JSON: for each sample
// its frames from the root on, its values and its labels.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/google/pprof/profile"
)

type sample struct {
	Frames  []string            `json:"frames"`
	Lines   []int64             `json:"lines"`
	Values  []int64             `json:"values"`
	Labels  map[string][]string `json:"labels"`
	Numbers map[string][]int64  `json:"numbers"`
}

type output struct {
	Types    []string `json:"types"`
	Default  string   `json:"default"`
	Time     string   `json:"time"`
	Duration int64    `json:"duration"`
	Samples  []sample `json:"samples"`
}

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	read, err := profile.Parse(file)
	if err != nil {
		log.Fatal(err)
	}
	if err := read.CheckValid(); err != nil {
		log.Fatal(err)
	}
	out := output{Default: read.DefaultSampleType, Time: fmt.Sprint(read.TimeNanos), Duration: read.DurationNanos}
	for _, t := range read.SampleType {
		out.Types = append(out.Types, t.Type+"/"+t.Unit)
	}
	for _, s := range read.Sample {
		printed := sample{Values: s.Value, Labels: s.Label, Numbers: s.NumLabel}
		for i := len(s.Location) - 1; i >= 0; i-- {
			for _, line := range s.Location[i].Line {
				printed.Frames = append(printed.Frames, line.Function.Name)
				printed.Lines = append(printed.Lines, line.Line)
			}
		}
		out.Samples = append(out.Samples, printed)
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		log.Fatal(err)
	}
}
