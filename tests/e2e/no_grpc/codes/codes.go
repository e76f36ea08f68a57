// SPDX-License-Identifier: Apache-2.0

// Package codes has the code that generated code names.
package codes

type Code uint32

const Unimplemented Code = 12
