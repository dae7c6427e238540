#!/usr/bin/env bash
# The recipes of docs/cluster on a Slurm of one node, which this script starts and ends.
#
#     tests/cluster/slurm.sh target/release/pontifex
#
# A match and self-play run twice, the second time with a task killed in mid-game and
# requeued: the games and the statistics must be the same. Reviews and analyses must be
# those of a run without Slurm. Needs slurmctld, slurmd and munged, but neither root nor
# running services.
set -euo pipefail

pontifex=$(realpath "$1")
cd "$(dirname "$0")/../.."
recipes=$PWD/docs/cluster
dir=$(mktemp -d)
export SLURM_CONF=$dir/slurm.conf PATH=$dir/bin:/usr/sbin:$PATH
trap finish EXIT
trap 'exit 1' INT TERM HUP

# Ends everything that has this cluster's environment: daemons and tasks.
finish() {
    local pid some=true
    exec 2> /dev/null
    while $some; do
        some=false
        for pid in $(grep -lsz "^SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ | cut -d/ -f3); do
            kill -KILL "$pid" && some=true
        done
    done
    wait
    rm -rf "$dir"
}

fail() {
    echo "$0: $*" >&2
    tail -n 3 $(ls -t "$dir"/*.log "$dir"/*/*.log | head -n 5) >&2
    exit 1
}

# Waits until a command succeeds, two minutes at most.
await() {
    local end=$((SECONDS + 120))
    until "$@"; do
        [ $SECONDS -lt $end ] || fail "gave up waiting: $*"
        sleep 0.1
    done
}

start() {
    local port=$((20000 + RANDOM % 10000)) munge=$dir/munge
    mkdir "$dir"/{bin,state,spool}
    ln -s "$pontifex" "$dir/bin/pontifex"
    head -c 128 /dev/urandom > "$munge.key"
    chmod 400 "$munge.key"
    munged --foreground --force --key-file="$munge.key" --socket="$munge.socket" \
        --pid-file="$munge.pid" --seed-file="$munge.seed" > "$munge.log" 2>&1 &
    cat > "$SLURM_CONF" <<CONF
ClusterName=pontifex
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthInfo=socket=$munge.socket
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
NodeName=localhost NodeAddr=127.0.0.1 CPUs=4
PartitionName=all Nodes=localhost Default=YES
CONF
    await test -S "$munge.socket"
    slurmctld -D > /dev/null 2>&1 &
    slurmd -D -N localhost > /dev/null 2>&1 &
    await idle
}

idle() { [ "$(sinfo -h -o %T 2>/dev/null)" = idle ]; }

# Submits a recipe from a new folder and prints the job: submit FOLDER RECIPE OPTIONS...
submit() {
    mkdir -p "$dir/$1"
    sbatch --parsable --chdir "$dir/$1" --output %a.log --cpus-per-task 1 "$recipes/$2" "${@:3}"
}

state() { scontrol -o show job "$1" 2>/dev/null | grep -o 'JobState=[A-Z]*' | sort -u; }

ended() { [ -z "$(squeue -h -j "$1" 2>/dev/null)" ]; }

# Waits for a job; all its tasks must have succeeded.
completed() {
    await ended "$1"
    [ "$(state "$1")" = JobState=COMPLETED ] || fail "job $1: $(state "$1")"
}

# Kills a task when its file has at least as many bytes as given, and requeues it:
# disturb TASK FILE BYTES COUNT. COUNT prints what the file then holds.
disturb() {
    await grown "$2" "$3"
    # Without --batch, Slurm sends SIGTERM first.
    scancel --signal=KILL --batch "$1"
    await failed "$1"
    echo "    killed task ${1#*_} after $("$4" "$2")"
    scontrol requeue "$1"
    # Slurm would wait for two minutes. It needs a moment to end the killed task.
    scontrol update "jobid=$1" StartTime=now+3
}

grown() { [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -ge "$2" ]; }
failed() { [ "$(state "$1")" = JobState=FAILED ]; }

games_in_journal() { echo "$(grep -c '"round"' "$1") of 8 games"; }
games_in_file() { echo "$(games_of "$1") of 8 games"; }
searches_in_cache() { echo "$(wc -l < "$1") searches"; }

# The statistics and the games of a match, without dates and times.
match_results() {
    pontifex match --merge "$dir/$1"/shard-*.jsonl --json --records "$dir/$1/all.sgf" 2>/dev/null |
        sed -E 's/"(seconds|median_overhead|worst_overhead)":[^,]*,//g'
    pontifex convert "$dir/$1/all.sgf" --to moves | grep -vE '^# (date|[0-9.]+ s$)'
}

games_of() { pontifex fit "$@" --measure | sed -n 's/ games$//p;q'; }

# Compares the files of both runs: same WHAT WHOLE DISTURBED.
same() {
    cmp "$2" "$3" || fail "$1: the disturbed run differs"
    echo "    same $1: $(sha256sum < "$2" | cut -c 1-12) $(sha256sum < "$3" | cut -c 1-12)"
}

start
match=(match.sh --config "$dir/tournament.toml")
cat > "$dir/tournament.toml" <<'CONF'
board = 8
playouts = 800
games = 32

[[engine]]
name = "new"
cmd = "builtin"

[[engine]]
name = "old"
cmd = "builtin"
playouts = 400
CONF

echo "match"
completed "$(submit match "${match[@]}")"
job=$(submit match-killed "${match[@]}")
disturb "${job}_3" "$dir/match-killed/shard-3.jsonl" 3000 games_in_journal
completed "$job"
for run in match match-killed; do
    match_results "$run" > "$dir/$run.txt"
    echo "    $run: $(head -n 1 "$dir/$run.txt")"
done
same "games and statistics" "$dir"/match{,-killed}.txt

echo "self-play"
selfplay=(selfplay.sh --board 8 --games 32 --full 800 --quick 200)
completed "$(submit selfplay "${selfplay[@]}")"
job=$(submit selfplay-killed "${selfplay[@]}")
disturb "${job}_2" "$dir/selfplay-killed/part-2.games" 1500 games_in_file
completed "$job"
for run in selfplay selfplay-killed; do
    echo "    $run: $(games_of "$dir/$run"/part-*.games) games"
done
for part in 1 2 3 4; do
    same "file of part $part" "$dir"/selfplay{,-killed}/part-$part.games
done

echo "reviews"
mkdir "$dir/games"
pontifex match --merge "$dir"/match/shard-*.jsonl --records "$dir/games" > "$dir/games.log" 2>&1
ls "$dir"/games/*.sgf | head -n 12 > "$dir/list"
job=$(submit reviews review.sh "$dir/list" --playouts 100)
disturb "${job}_4" "$dir/reviews/reviews-4.cache" 30000 searches_in_cache
completed "$job"
# The last line of each run is a table of its own games.
xargs pontifex review --playouts 100 --json < "$dir/list" | grep -v '^{"table"' | sort > "$dir/reviews.txt"
sort "$dir"/reviews/*.jsonl | grep -v '^{"table"' > "$dir/reviews-array.txt"
same "$(wc -l < "$dir/reviews.txt") reviews" "$dir"/reviews{,-array}.txt

echo "analyses"
while read -r game; do
    moves=$(pontifex convert "$game" --to moves | grep -v '^#' | sed 's/.*/"&"/' | paste -sd,)
    echo "{\"id\":\"$(basename "$game")\",\"rules\":{\"board\":8,\"pie\":\"off\"}," \
        "\"moves\":[$moves],\"analyzeTurns\":[4,8,12],\"maxPlayouts\":100}"
done < "$dir/list" > "$dir/queries"
completed "$(submit answers analysis.sh "$dir/queries")"
pontifex engine-json < "$dir/queries" | sort > "$dir/answers.txt"
sort "$dir"/answers/*.jsonl > "$dir/answers-array.txt"
same "$(wc -l < "$dir/answers.txt") answers" "$dir"/answers{,-array}.txt
