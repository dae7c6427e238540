#!/bin/bash
# Answers the queries of a file; each task takes every fourth of them:
# sbatch analysis.sh QUERIES OPTIONS, the options of pontifex engine-json.
#SBATCH --array=1-4
#SBATCH --cpus-per-task=4
#SBATCH --requeue
task=$SLURM_ARRAY_TASK_ID
exec pontifex engine-json "${@:2}" --analysis-threads "$SLURM_CPUS_PER_TASK" \
    < <(sed -n "$task~4p" "$1") > "answers-$task.jsonl"
