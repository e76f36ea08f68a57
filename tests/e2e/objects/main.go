// SPDX-License-Identifier: Apache-2.0

// An object store: versitygw's own S3 server over a folder, without what its command has besides (Azure, ScoutFS, plugins), which
// takes longer to compile. Usage: objects ADDRESS FOLDER [LOG], with ROOT_ACCESS_KEY and ROOT_SECRET_KEY in the environment. LOG has a line for each
// request.
package main

import (
	"log"
	"os"

	"github.com/versity/versitygw/auth"
	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/s3api"
	"github.com/versity/versitygw/s3api/middlewares"
	"github.com/versity/versitygw/s3log"
)

const connectionsMax = 1000 // and requests at a time

func main() {
	address, folder := os.Args[1], os.Args[2]
	key, secret := os.Getenv("ROOT_ACCESS_KEY"), os.Getenv("ROOT_SECRET_KEY")
	store, err := posix.New(folder, meta.XattrMeta{}, posix.PosixOpts{})
	if err != nil {
		log.Fatal(err)
	}
	accounts, err := auth.New(&auth.Opts{RootAccount: auth.Account{Access: key, Secret: secret, Role: auth.RoleAdmin}})
	if err != nil {
		log.Fatal(err)
	}
	var requests s3log.AuditLogger
	if len(os.Args) > 3 {
		if requests, err = s3log.InitFileLogger(os.Args[3]); err != nil {
			log.Fatal(err)
		}
	}
	root := middlewares.RootUserConfig{Access: key, Secret: secret}
	server, err := s3api.New(store, root, "us-east-1", accounts, requests, nil, nil, nil, s3api.WithQuiet(),
		s3api.WithConcurrencyLimiter(connectionsMax, connectionsMax))
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(server.ServeMultiPort([]string{address}))
}
