// SPDX-License-Identifier: Apache-2.0

// Package status makes the errors that generated code makes.
package status

import (
	"fmt"

	"google.golang.org/grpc/codes"
)

func Error(code codes.Code, message string) error { return fmt.Errorf("%d: %s", code, message) }

func Errorf(code codes.Code, format string, values ...any) error {
	return Error(code, fmt.Sprintf(format, values...))
}
