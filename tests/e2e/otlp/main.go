// SPDX-License-Identifier: Apache-2.0

// Reads OTLP profiles with the OpenTelemetry Collector's library, and prints them as JSON with the texts of the dictionary.
//
//	otlp FILE
//
// Fails if a message has a field that the schema lacks, if an index is not in the dictionary, if the first item of a list is
// not the empty one, or if two items of a list are equal.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"
	schemas "go.opentelemetry.io/proto/slim/otlp/profiles/v1development"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

type sample struct {
	Value      int64          `json:"value"`
	Time       uint64         `json:"time"`
	Frames     []string       `json:"frames"` // the topmost last
	Lines      []int64        `json:"lines"`
	Trace      string         `json:"trace"`
	Span       string         `json:"span"`
	Attributes map[string]any `json:"attributes"`
}

type profile struct {
	Type     string   `json:"type"`
	Period   string   `json:"period_type"`
	PeriodNs int64    `json:"period"`
	Begin    uint64   `json:"begin"`
	End      uint64   `json:"end"`
	Samples  []sample `json:"samples"`
}

type jvm struct {
	Attributes map[string]any `json:"attributes"`
	Scope      string         `json:"scope"`
	Profiles   []profile      `json:"profiles"`
}

type reader struct{ of pprofile.ProfilesDictionary }

// at fails unless a list has the index.
func at(kind string, index int32, count int) int {
	if index < 0 || int(index) >= count {
		log.Fatalf("%s %d of %d", kind, index, count)
	}
	return int(index)
}

func (r reader) text(index int32) string {
	return r.of.StringTable().At(at("string", index, r.of.StringTable().Len()))
}

func (r reader) valueType(of pprofile.ValueType) string {
	return r.text(of.TypeStrindex()) + "/" + r.text(of.UnitStrindex())
}

func (r reader) stack(index int32, out *sample) {
	locations := r.of.StackTable().At(at("stack", index, r.of.StackTable().Len())).LocationIndices()
	for i := locations.Len() - 1; i >= 0; i-- {
		location := r.of.LocationTable().At(at("location", locations.At(i), r.of.LocationTable().Len()))
		at("mapping", location.MappingIndex(), r.of.MappingTable().Len())
		if location.Lines().Len() != 1 {
			log.Fatalf("location %d has %d lines", locations.At(i), location.Lines().Len())
		}
		line := location.Lines().At(0)
		function := r.of.FunctionTable().At(at("function", line.FunctionIndex(), r.of.FunctionTable().Len()))
		out.Frames = append(out.Frames, r.text(function.NameStrindex()))
		out.Lines = append(out.Lines, line.Line())
	}
}

func (r reader) sample(of pprofile.Sample) sample {
	if of.Values().Len() != 1 || of.TimestampsUnixNano().Len() != 1 {
		log.Fatalf("%d values and %d timestamps", of.Values().Len(), of.TimestampsUnixNano().Len())
	}
	out := sample{Value: of.Values().At(0), Time: of.TimestampsUnixNano().At(0), Attributes: map[string]any{}}
	r.stack(of.StackIndex(), &out)
	link := r.of.LinkTable().At(at("link", of.LinkIndex(), r.of.LinkTable().Len()))
	out.Trace, out.Span = link.TraceID().String(), link.SpanID().String()
	for _, index := range of.AttributeIndices().All() {
		attribute := r.of.AttributeTable().At(at("attribute", index, r.of.AttributeTable().Len()))
		key := r.text(attribute.KeyStrindex())
		if _, has := out.Attributes[key]; has || key == "" {
			log.Fatalf("attribute %q twice, or without a key", key)
		}
		out.Attributes[key] = attribute.Value().AsRaw()
	}
	return out
}

func (r reader) profile(of pprofile.Profile) profile {
	out := profile{Type: r.valueType(of.SampleType()), Period: r.valueType(of.PeriodType()), PeriodNs: of.Period(),
		Begin: uint64(of.Time()), End: uint64(of.Time()) + of.DurationNano()}
	for _, one := range of.Samples().All() {
		out.Samples = append(out.Samples, r.sample(one))
	}
	return out
}

func (r reader) jvm(of pprofile.ResourceProfiles) jvm {
	if of.ScopeProfiles().Len() != 1 {
		log.Fatalf("%d scopes", of.ScopeProfiles().Len())
	}
	scope := of.ScopeProfiles().At(0)
	out := jvm{Attributes: of.Resource().Attributes().AsRaw(), Scope: scope.Scope().Name()}
	for _, one := range scope.Profiles().All() {
		out.Profiles = append(out.Profiles, r.profile(one))
	}
	return out
}

// once fails unless the first item is the empty one and all items differ.
func once(kind string, count int, item func(int) string, empty string) {
	seen := map[string]int{}
	for i := range count {
		text := item(i)
		if other, has := seen[text]; has {
			log.Fatalf("%s %d and %d are equal: %s", kind, other, i, text)
		}
		seen[text] = i
	}
	if count == 0 || item(0) != empty {
		log.Fatalf("%s 0 is not empty", kind)
	}
}

func show(value pcommon.Value) string { return fmt.Sprintf("%v %v", value.Type(), value.AsRaw()) }

func (r reader) check() {
	d := r.of
	once("string", d.StringTable().Len(), d.StringTable().At, "")
	once("mapping", d.MappingTable().Len(), func(i int) string { return fmt.Sprint(d.MappingTable().At(i).FilenameStrindex()) }, "0")
	once("function", d.FunctionTable().Len(), func(i int) string { return fmt.Sprint(d.FunctionTable().At(i).NameStrindex()) }, "0")
	once("location", d.LocationTable().Len(), func(i int) string {
		text := "lines"
		for _, line := range d.LocationTable().At(i).Lines().All() {
			text += fmt.Sprint(" ", line.FunctionIndex(), ":", line.Line())
		}
		return text
	}, "lines")
	once("stack", d.StackTable().Len(), func(i int) string { return fmt.Sprint(d.StackTable().At(i).LocationIndices().AsRaw()) }, "[]")
	once("link", d.LinkTable().Len(), func(i int) string {
		return d.LinkTable().At(i).TraceID().String() + " " + d.LinkTable().At(i).SpanID().String()
	}, " ")
	once("attribute", d.AttributeTable().Len(), func(i int) string {
		one := d.AttributeTable().At(i)
		return fmt.Sprint(one.KeyStrindex(), " ", show(one.Value()))
	}, fmt.Sprint(0, " ", show(pcommon.NewValueEmpty())))
}

// known fails if a message, or one in it, has fields that its schema lacks.
func known(message protoreflect.Message) {
	if len(message.GetUnknown()) > 0 {
		log.Fatalf("%s has unknown fields", message.Descriptor().FullName())
	}
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.Message() == nil:
		case field.IsList():
			for i := range value.List().Len() {
				known(value.List().Get(i).Message())
			}
		default:
			known(value.Message())
		}
		return true
	})
}

func main() {
	log.SetFlags(0)
	bytes, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	schema := &schemas.ProfilesData{}
	if err := proto.Unmarshal(bytes, schema); err != nil {
		log.Fatal(err)
	}
	known(schema.ProtoReflect())
	// pprofileotlp, which has this reader, too, imports gRPC, which takes longer to compile than all else here.
	profiles, err := (&pprofile.ProtoUnmarshaler{}).UnmarshalProfiles(bytes)
	if err != nil {
		log.Fatal(err)
	}
	r := reader{profiles.Dictionary()}
	r.check()
	jvms := []jvm{}
	for _, one := range profiles.ResourceProfiles().All() {
		jvms = append(jvms, r.jvm(one))
	}
	if err := json.NewEncoder(os.Stdout).Encode(jvms); err != nil {
		log.Fatal(err)
	}
}
