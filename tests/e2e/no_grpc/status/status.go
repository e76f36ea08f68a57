// SPDX-License-Identifier: Apache-2.0

// Package status makes the errors that generated code makes.
package status

import (
	"fmt"

	"google.golang.org/grpc/codes"
)

func Errorf(code codes.Code, format string, values ...any) error {
	return fmt.Errorf("%d: %s", code, fmt.Sprintf(format, values...))
}
