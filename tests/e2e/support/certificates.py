# SPDX-License-Identifier: Apache-2.0
"""What tests/support/certificates.sh makes; own.pem and own.key are the collector's."""

import os
import shutil
import ssl
import subprocess

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support", "certificates.sh")


class Certificates:
    def __init__(self, folder, own):
        os.mkdir(folder)
        subprocess.run([SCRIPT, folder], check=True)
        self.folder = folder
        self.trusted = "ca.pem"  # by who asks over HTTPS
        self.use(own)

    def path(self, name):
        return os.path.join(self.folder, name)

    def use(self, name, place="own"):
        """Has name.pem and name.key in the place of place.pem and place.key, one after the other."""
        for suffix in "pem", "key":
            shutil.copy(self.path(f"{name}.{suffix}"), self.path("next"))
            os.rename(self.path("next"), self.path(f"{place}.{suffix}"))

    def context(self):
        """Of a client that knows the authority; the collector's address is no name in some of these certificates."""
        context = ssl.create_default_context(cafile=self.path(self.trusted))
        context.check_hostname = False
        return context

    def serial(self, name):
        text = subprocess.run(["openssl", "x509", "-noout", "-serial", "-in", self.path(f"{name}.pem")], check=True,
                              stdout=subprocess.PIPE).stdout.decode()
        return text.strip().removeprefix("serial=")
