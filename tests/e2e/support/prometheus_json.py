# SPDX-License-Identifier: Apache-2.0
"""prometheus_json.py text|openmetrics: reads metrics with Prometheus' own client library and prints them as JSON. Run by
Debian's Python, which has that library (python3-prometheus-client): another one on the PATH may not."""

import json
import sys

from prometheus_client import parser
from prometheus_client.openmetrics import parser as openmetrics

PARSERS = {"text": parser, "openmetrics": openmetrics}


def exemplar_of(sample):
    return sample.exemplar and {"labels": sample.exemplar.labels, "value": sample.exemplar.value}


def main():
    families = PARSERS[sys.argv[1]].text_string_to_metric_families(sys.stdin.read())
    json.dump({family.name: [{"name": s.name, "labels": s.labels, "value": s.value, "exemplar": exemplar_of(s)}
                             for s in family.samples] for family in families}, sys.stdout)


main()
