// SPDX-License-Identifier: Apache-2.0

// Package codes has the codes that generated code names.
package codes

type Code uint32

const (
	InvalidArgument Code = 3
	Unimplemented   Code = 12
)
