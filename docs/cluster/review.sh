#!/bin/bash
# Reviews the files of a list, one name per line; each task takes every fourth of them:
# sbatch review.sh LIST OPTIONS, the options of pontifex review.
#SBATCH --array=1-4
#SBATCH --cpus-per-task=4
#SBATCH --requeue
task=$SLURM_ARRAY_TASK_ID
mapfile -t games < <(sed -n "$task~4p" "$1")
[ ${#games[@]} -gt 0 ] || exit 0
exec pontifex review "${games[@]}" "${@:2}" --json --threads "$SLURM_CPUS_PER_TASK" \
    --cache "reviews-$task.cache" > "reviews-$task.jsonl"
