module loupe.dev/bench

go 1.21

require github.com/grafana/jfr-parser v0.9.3

require golang.org/x/text v0.14.0 // indirect
