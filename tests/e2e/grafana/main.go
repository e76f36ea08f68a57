// SPDX-License-Identifier: Apache-2.0

// Shows what grafana's jfr-parser reads of recordings: the events of the types that it knows, with their threads,
// and the profiles that Pyroscope makes of them.
//
//	grafana RECORDING...
//
// Prints a line of JSON for each: the views, each of which counts by key, and why it cannot make those that it cannot.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"github.com/grafana/jfr-parser/parser"
	"github.com/grafana/jfr-parser/parser/types"
	"github.com/grafana/jfr-parser/parser/types/def"
	"github.com/grafana/jfr-parser/pprof"
)

type counts map[string]int64

type reading struct {
	File     string
	Views    map[string]counts
	Problems map[string]string
}

func main() {
	out := json.NewEncoder(os.Stdout)
	for _, file := range os.Args[1:] {
		content, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		read := reading{file, map[string]counts{}, map[string]string{}}
		read.add("events", func() error { return events(content, read.view("events")) })
		read.add("pprof", func() error { return profiles(content, read.view("pprof")) })
		if err := out.Encode(read); err != nil {
			log.Fatal(err)
		}
	}
}

func (r *reading) view(name string) counts {
	r.Views[name] = counts{}
	return r.Views[name]
}

func (r *reading) add(name string, read func() error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			r.Problems[name] = fmt.Sprint("panic: ", panicked)
		}
	}()
	if err := read(); err != nil {
		r.Problems[name] = err.Error()
	}
}

// events counts by type, thread and state of the thread.
func events(content []byte, found counts) error {
	p := parser.NewParser(content, parser.Options{})
	for {
		id, err := p.ParseEvent()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		found[event(p, id)]++
	}
}

func event(p *parser.Parser, id def.TypeID) string {
	switch id {
	case p.TypeMap.T_EXECUTION_SAMPLE:
		sample := &p.ExecutionSample
		return "jdk.ExecutionSample" + thread(p, sample.SampledThread) + state(p, sample.State)
	case p.TypeMap.T_WALL_CLOCK_SAMPLE:
		sample := &p.WallClockSample
		return "profiler.WallClockSample" + thread(p, sample.SampledThread) + state(p, sample.State)
	case p.TypeMap.T_ALLOC_IN_NEW_TLAB:
		return "jdk.ObjectAllocationInNewTLAB" + thread(p, p.ObjectAllocationInNewTLAB.EventThread)
	case p.TypeMap.T_ALLOC_OUTSIDE_TLAB:
		return "jdk.ObjectAllocationOutsideTLAB" + thread(p, p.ObjectAllocationOutsideTLAB.EventThread)
	case p.TypeMap.T_ALLOC_SAMPLE:
		return "jdk.ObjectAllocationSample" + thread(p, p.ObjectAllocationSample.EventThread)
	case p.TypeMap.T_MONITOR_ENTER:
		return "jdk.JavaMonitorEnter" + thread(p, p.JavaMonitorEnter.EventThread)
	case p.TypeMap.T_THREAD_PARK:
		return "jdk.ThreadPark" + thread(p, p.ThreadPark.EventThread)
	case p.TypeMap.T_LIVE_OBJECT:
		return "profiler.LiveObject" + thread(p, p.LiveObject.EventThread)
	case p.TypeMap.T_ACTIVE_SETTING:
		return "jdk.ActiveSetting " + p.ActiveSetting.Name + "=" + p.ActiveSetting.Value
	default:
		return "of another type"
	}
}

func thread(p *parser.Parser, ref types.ThreadRef) string {
	index, ok := p.Threads.IDMap[ref]
	if !ok {
		return " -"
	}
	found := p.Threads.Thread[index]
	return fmt.Sprintf(" %s/%s/%d/%d", found.JavaName, found.OsName, found.JavaThreadId, found.OsThreadId)
}

func state(p *parser.Parser, ref types.ThreadStateRef) string {
	found := p.GetThreadState(ref)
	if found == nil {
		return " -"
	}
	return " " + found.Name
}

// profiles sums the values of each stack of each profile, as Pyroscope gets them.
func profiles(content []byte, found counts) error {
	input := &pprof.ParseInput{StartTime: time.Unix(0, 0), EndTime: time.Unix(1, 0), SampleRate: 100}
	parsed, err := pprof.ParseJFR(content, input, nil)
	if err != nil {
		return err
	}
	for _, profile := range parsed.Profiles {
		made := profile.Profile
		for _, sample := range made.Sample {
			var stack strings.Builder
			for _, id := range sample.LocationId {
				line := made.Location[id-1].Line[0]
				name := made.StringTable[made.Function[line.FunctionId-1].Name]
				fmt.Fprintf(&stack, ";%s:%d", name, line.Line)
			}
			for i, value := range sample.Value {
				kind := made.StringTable[made.SampleType[i].Type]
				found[profile.Metric+" "+kind+stack.String()] += value
			}
		}
	}
	return nil
}
