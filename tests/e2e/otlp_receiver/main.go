// SPDX-License-Identifier: Apache-2.0

// A receiver of OTLP that reads what comes with the OpenTelemetry Collector's own library.
//
//	otlp_receiver
//
// Prints its port, then a line of JSON for each export: {"path": .., "status": .., "headers": .., "metrics": [..],
// "profiles": [..]}. The first export of each signal is answered with 503 and Retry-After, the second is taken but for one item,
// all others are taken. It ends with its standard input.
package main

import (
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pprofile"
	metricsv1 "go.opentelemetry.io/proto/slim/otlp/collector/metrics/v1"
	profilesv1 "go.opentelemetry.io/proto/slim/otlp/collector/profiles/v1development"
	"google.golang.org/protobuf/proto"
)

type point struct {
	Resource   map[string]any `json:"resource"`
	Scope      string         `json:"scope"`
	Name       string         `json:"name"`
	Unit       string         `json:"unit"`
	Attributes map[string]any `json:"attributes"`
	Cumulative bool           `json:"cumulative"`
	Monotonic  bool           `json:"monotonic"`
	Start      int64          `json:"start"`
	Time       int64          `json:"time"`
	Count      uint64         `json:"count"`
	Sum        float64        `json:"sum"`
	Scale      int32          `json:"scale"`
	Zero       uint64         `json:"zero"`
	ZeroBelow  float64        `json:"zero_below"`
	Offset     int32          `json:"offset"`
	Buckets    []uint64       `json:"buckets"`
}

// A profile, with the sums of its samples by trace; "" is for those without a link.
type profile struct {
	Resource map[string]any   `json:"resource"`
	Type     string           `json:"type"`
	Period   string           `json:"period"`
	Samples  int              `json:"samples"`
	Sums     map[string]int64 `json:"sums"`
}

type export struct {
	Path     string      `json:"path"`
	Status   int         `json:"status"`
	At       int64       `json:"at"` // ms
	Headers  http.Header `json:"headers"`
	Metrics  []point     `json:"metrics"`
	Profiles []profile   `json:"profiles"`
}

func points(from pmetric.Metrics) []point {
	found := []point{}
	for _, resource := range from.ResourceMetrics().All() {
		for _, scope := range resource.ScopeMetrics().All() {
			for _, metric := range scope.Metrics().All() {
				of := point{Resource: resource.Resource().Attributes().AsRaw(), Scope: scope.Scope().Name(), Name: metric.Name(),
					Unit: metric.Unit()}
				found = append(found, pointsOf(metric, of)...)
			}
		}
	}
	return found
}

func pointsOf(metric pmetric.Metric, of point) []point {
	found := []point{}
	if metric.Type() == pmetric.MetricTypeSum {
		of.Cumulative = metric.Sum().AggregationTemporality() == pmetric.AggregationTemporalityCumulative
		of.Monotonic = metric.Sum().IsMonotonic()
		for _, one := range metric.Sum().DataPoints().All() {
			of.Attributes, of.Count = one.Attributes().AsRaw(), uint64(one.IntValue())
			of.Start, of.Time = int64(one.StartTimestamp()), int64(one.Timestamp())
			found = append(found, of)
		}
	} else if metric.Type() == pmetric.MetricTypeExponentialHistogram {
		of.Cumulative = metric.ExponentialHistogram().AggregationTemporality() == pmetric.AggregationTemporalityCumulative
		for _, one := range metric.ExponentialHistogram().DataPoints().All() {
			of.Attributes, of.Count, of.Sum = one.Attributes().AsRaw(), one.Count(), one.Sum()
			of.Start, of.Time = int64(one.StartTimestamp()), int64(one.Timestamp())
			of.Scale, of.Zero, of.ZeroBelow = one.Scale(), one.ZeroCount(), one.ZeroThreshold()
			of.Offset, of.Buckets = one.Positive().Offset(), one.Positive().BucketCounts().AsRaw()
			found = append(found, of)
		}
	}
	return found
}

func named(text pcommon.StringSlice, of pprofile.ValueType) string {
	return text.At(int(of.TypeStrindex())) + "/" + text.At(int(of.UnitStrindex()))
}

func profiles(from pprofile.Profiles) []profile {
	found := []profile{}
	dictionary := from.Dictionary()
	text := dictionary.StringTable()
	for _, resource := range from.ResourceProfiles().All() {
		for _, scope := range resource.ScopeProfiles().All() {
			for _, one := range scope.Profiles().All() {
				of := profile{Resource: resource.Resource().Attributes().AsRaw(), Type: named(text, one.SampleType()),
					Period: named(text, one.PeriodType()), Samples: one.Samples().Len(), Sums: map[string]int64{}}
				for _, sample := range one.Samples().All() {
					trace := ""
					if sample.LinkIndex() != 0 {
						id := dictionary.LinkTable().At(int(sample.LinkIndex())).TraceID()
						trace = hex.EncodeToString(id[:])
					}
					for _, value := range sample.Values().All() {
						of.Sums[trace] += value
					}
				}
				found = append(found, of)
			}
		}
	}
	return found
}

type receiver struct {
	mutex sync.Mutex
	count map[string]int
	out   *json.Encoder
}

func read(request *http.Request, into *export) ([]byte, error) {
	unpacked, err := gzip.NewReader(request.Body)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, err
	}
	// The server of the Collector reads an export in the same way, by packages that import gRPC, which takes longer to compile
	// than all else here.
	var answer proto.Message
	switch request.URL.Path {
	case "/base/v1/metrics":
		var found pmetric.Metrics
		if found, err = (&pmetric.ProtoUnmarshaler{}).UnmarshalMetrics(body); err == nil {
			into.Metrics = points(found)
		}
		answer = &metricsv1.ExportMetricsServiceResponse{PartialSuccess: &metricsv1.ExportMetricsPartialSuccess{
			RejectedDataPoints: 1, ErrorMessage: "one point is odd"}}
	case "/base/v1development/profiles":
		var found pprofile.Profiles
		if found, err = (&pprofile.ProtoUnmarshaler{}).UnmarshalProfiles(body); err == nil {
			into.Profiles = profiles(found)
		}
		answer = &profilesv1.ExportProfilesServiceResponse{PartialSuccess: &profilesv1.ExportProfilesPartialSuccess{
			RejectedProfiles: 1, ErrorMessage: "one profile is odd"}}
	default:
		return nil, fmt.Errorf("nothing is at %s", request.URL.Path)
	}
	if err != nil {
		return nil, err
	}
	return proto.Marshal(answer)
}

func (r *receiver) ServeHTTP(to http.ResponseWriter, request *http.Request) {
	one := export{Path: request.URL.Path, Status: 200, At: time.Now().UnixMilli(), Headers: request.Header}
	partly, err := read(request, &one)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.count[one.Path]++
	to.Header().Set("Content-Type", "application/x-protobuf")
	switch {
	case err != nil:
		log.Print(err)
		one.Status = 400
	case r.count[one.Path] == 1:
		to.Header().Set("Retry-After", "1")
		one.Status = 503
	}
	to.WriteHeader(one.Status)
	if r.count[one.Path] == 2 {
		_, _ = to.Write(partly)
	}
	if err := r.out.Encode(one); err != nil {
		log.Fatal(err)
	}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	log.Fatal(http.Serve(listener, &receiver{count: map[string]int{}, out: json.NewEncoder(os.Stdout)}))
}
