// SPDX-License-Identifier: Apache-2.0

// Calls a procedure of Pyroscope's API with Pyroscope's own client.
//
//	pyroscope URL TOKEN json|proto
//
// Reads a line of JSON for each call, {"procedure": .., "request": ..}, and prints its answer: {"answer": ..} or
// {"code": .., "message": ..}. TOKEN may be empty.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"

	"connectrpc.com/connect"
	querierv1 "github.com/grafana/pyroscope/api/gen/proto/go/querier/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/querier/v1/querierv1connect"
	typesv1 "github.com/grafana/pyroscope/api/gen/proto/go/types/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

type call struct {
	Procedure string
	Request   json.RawMessage
}

type said struct {
	Answer  json.RawMessage `json:"answer,omitempty"`
	Code    string          `json:"code,omitempty"`
	Message string          `json:"message,omitempty"`
}

type withToken struct{ token string }

func (t withToken) RoundTrip(request *http.Request) (*http.Response, error) {
	if t.token != "" {
		request.Header.Set("Authorization", "Bearer "+t.token)
	}
	return http.DefaultTransport.RoundTrip(request)
}

// ask makes a call by a method of the client.
func ask[In, Out any](text json.RawMessage, method func(context.Context, *connect.Request[In]) (*connect.Response[Out], error)) (said, error) {
	in := new(In)
	if err := protojson.Unmarshal(text, any(in).(proto.Message)); err != nil {
		return said{}, err
	}
	out, err := method(context.Background(), connect.NewRequest(in))
	var failed *connect.Error
	if errors.As(err, &failed) {
		return said{Code: failed.Code().String(), Message: failed.Message()}, nil
	}
	if err != nil {
		return said{}, err
	}
	answer, err := protojson.Marshal(any(out.Msg).(proto.Message))
	return said{Answer: answer}, err
}

func answer(client querierv1connect.QuerierServiceClient, one call) (said, error) {
	switch one.Procedure {
	case "ProfileTypes":
		return ask[querierv1.ProfileTypesRequest, querierv1.ProfileTypesResponse](one.Request, client.ProfileTypes)
	case "LabelNames":
		return ask[typesv1.LabelNamesRequest, typesv1.LabelNamesResponse](one.Request, client.LabelNames)
	case "LabelValues":
		return ask[typesv1.LabelValuesRequest, typesv1.LabelValuesResponse](one.Request, client.LabelValues)
	case "Series":
		return ask[querierv1.SeriesRequest, querierv1.SeriesResponse](one.Request, client.Series)
	case "SelectSeries":
		return ask[querierv1.SelectSeriesRequest, querierv1.SelectSeriesResponse](one.Request, client.SelectSeries)
	case "SelectMergeStacktraces":
		return ask[querierv1.SelectMergeStacktracesRequest, querierv1.SelectMergeStacktracesResponse](one.Request, client.SelectMergeStacktraces)
	case "SelectMergeSpanProfile":
		return ask[querierv1.SelectMergeSpanProfileRequest, querierv1.SelectMergeSpanProfileResponse](one.Request, client.SelectMergeSpanProfile)
	case "SelectHeatmap":
		return ask[querierv1.SelectHeatmapRequest, querierv1.SelectHeatmapResponse](one.Request, client.SelectHeatmap)
	case "Diff":
		return ask[querierv1.DiffRequest, querierv1.DiffResponse](one.Request, client.Diff)
	case "GetProfileStats":
		return ask[typesv1.GetProfileStatsRequest, typesv1.GetProfileStatsResponse](one.Request, client.GetProfileStats)
	}
	return said{}, fmt.Errorf("unknown procedure %s", one.Procedure)
}

func main() {
	options := []connect.ClientOption{}
	if os.Args[3] == "json" {
		options = append(options, connect.WithProtoJSON())
	}
	client := querierv1connect.NewQuerierServiceClient(&http.Client{Transport: withToken{os.Args[2]}}, os.Args[1], options...)
	lines := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		one := call{}
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			log.Fatal(err)
		}
		found, err := answer(client, one)
		if err == nil {
			err = out.Encode(found)
		}
		if err != nil {
			log.Fatalf("%s: %v", one.Procedure, err)
		}
	}
}
