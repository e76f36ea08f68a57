module loupe.dev/readers/grafana

go 1.24.0

require github.com/grafana/jfr-parser v0.15.0

require (
	github.com/grafana/pyroscope/api v0.4.0 // indirect
	golang.org/x/text v0.22.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)
