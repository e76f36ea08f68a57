# SPDX-License-Identifier: Apache-2.0
"""kubernetes_objects.py VERSION...: reads a JSON list of texts in YAML, and prints one with a list of the objects of each. All but
those of WITHOUT_SCHEMA have to be right by the strict schemas of each of these versions of Kubernetes. It needs the modules of
support/pypi.py's HELM and SCHEMAS."""

import functools
import json
import sys

import yaml
from kubernetes_validate import utils

WITHOUT_SCHEMA = {"ServiceMonitor"}


def main():
    utils.importlib_resources.files = functools.lru_cache(None)(utils.importlib_resources.files)  # 17,000 names, for each schema anew
    utils.schema_contents = functools.lru_cache(None)(utils.schema_contents)  # megabytes, for each object anew
    utils.all_versions = functools.lru_cache(None)(utils.all_versions)
    found = [[one for one in yaml.load_all(text, yaml.CSafeLoader) if one] for text in json.load(sys.stdin)]
    different = {json.dumps(one): one for objects in found for one in objects if one["kind"] not in WITHOUT_SCHEMA}
    for one in different.values():
        for version in sys.argv[1:]:
            try:
                utils.validate(one, version, strict=True)
            except utils.ValidationError as problem:
                sys.exit(f"{one['kind']}, Kubernetes {version}: {problem.message}")
    json.dump(found, sys.stdout)


main()
