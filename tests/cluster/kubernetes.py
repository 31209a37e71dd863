"""The manifests of docs/cluster are YAML, and jobs that Kubernetes would take as they are meant.  kubernetes.py SOURCE"""

import pathlib
import sys

try:
    import yaml
except ImportError:
    print("SKIPPED: python3-yaml is not installed")
    sys.exit(77)

folder = pathlib.Path(sys.argv[1]) / "docs" / "cluster"


def job(name):
    document = yaml.safe_load((folder / name).read_text())
    assert document["apiVersion"] == "batch/v1" and document["kind"] == "Job", name
    pod = document["spec"]["template"]["spec"]
    assert pod["restartPolicy"] == "Never", name
    # What is mounted is a volume that is there.
    volumes = {volume["name"] for volume in pod["volumes"]}
    for container in pod["containers"]:
        assert {mount["name"] for mount in container["volumeMounts"]} <= volumes, name
    return document["spec"], pod["containers"][0]


scan, container = job("kubernetes-scan.yaml")
assert scan["completionMode"] == "Indexed"
variables = {variable["name"]: variable for variable in container["env"]}
# Kubernetes gives a pod its index, but not how many there are.
assert variables["JOB_COMPLETIONS"]["value"] == str(scan["completions"])
assert "--shard auto" in container["args"][0] and "JOB_COMPLETION_INDEX" in container["args"][0]

_, container = job("kubernetes-merge.yaml")
assert "opdebug merge" in container["args"][0]
