#!/usr/bin/env bash
# Checks docs/cluster/kubernetes.yaml against the published schemas, and runs the command
# of its container once for each index.
#
#     tests/cluster/kubernetes.sh target/release/pontifex
#
# Needs python3 with venv; kubernetes-validate is installed below target/.
set -euo pipefail

pontifex=$(realpath "$1")
cd "$(dirname "$0")/../.."
manifest=$PWD/docs/cluster/kubernetes.yaml tools=$PWD/target/kubernetes
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

[ -x "$tools/bin/kubernetes-validate" ] || {
    python3 -m venv "$tools"
    "$tools/bin/pip" install -q --disable-pip-version-check kubernetes-validate==1.37.0
}
"$tools/bin/kubernetes-validate" --strict -k 1.37 "$manifest"

# Prints a part of the job's container.
container() {
    "$tools/bin/python" - "$manifest" "$1" <<'PYTHON'
import sys, yaml
job = next(d for d in yaml.safe_load_all(open(sys.argv[1])) if d["kind"] == "Job")
spec = job["spec"]
print({"parts": spec["completions"], "args": spec["template"]["spec"]["containers"][0]["args"][0]}[sys.argv[2]])
PYTHON
}

mkdir "$dir/bin"
ln -s "$pontifex" "$dir/bin/pontifex"
export PATH=$dir/bin:$PATH
cd "$dir"
cat > tournament.toml <<'CONF'
board = 6
playouts = 20
games = 16
engine = [{ name = "new", cmd = "builtin" }, { name = "old", cmd = "builtin" }]
CONF
for index in $(seq 0 $(($(container parts) - 1))); do
    JOB_COMPLETION_INDEX=$index sh -c "$(container args)" > "$index.log" 2>&1
done
pontifex match --merge shard-*.jsonl --json 2>&1 | grep '^{"games":16,'
