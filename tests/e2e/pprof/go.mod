module loupe.dev/readers/pprof

go 1.24.0

require github.com/google/pprof v0.0.0-20250820193118-f64d9cf942d6
