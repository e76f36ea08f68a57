// SPDX-License-Identifier: Apache-2.0

// Package grpc declares what generated code names of gRPC, in place of google.golang.org/grpc, for programs that import this
// code and never call it: they speak HTTP or read files. The real package and what it imports take longer to compile than such
// a program and everything else in it.
package grpc

import "context"

const SupportPackageIsVersion7 = true

type (
	CallOption          any
	ClientConnInterface interface {
		Invoke(context.Context, string, any, any, ...CallOption) error
	}
	ServiceRegistrar interface{ RegisterService(*ServiceDesc, any) }
	ServiceDesc      struct {
		ServiceName           string
		HandlerType, Metadata any
		Methods               []MethodDesc
		Streams               []StreamDesc
	}
	MethodDesc struct {
		MethodName string
		Handler    func(any, context.Context, func(any) error, UnaryServerInterceptor) (any, error)
	}
	StreamDesc      struct{}
	UnaryServerInfo struct {
		Server     any
		FullMethod string
	}
	UnaryHandler           func(context.Context, any) (any, error)
	UnaryServerInterceptor func(context.Context, any, *UnaryServerInfo, UnaryHandler) (any, error)
)
