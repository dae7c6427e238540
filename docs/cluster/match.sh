#!/bin/bash
# A match in four parts: sbatch match.sh OPTIONS, the options of pontifex match.
#SBATCH --array=1-4
#SBATCH --cpus-per-task=2
#SBATCH --requeue
exec pontifex match "$@" --concurrency "$SLURM_CPUS_PER_TASK" \
    --shard "$SLURM_ARRAY_TASK_ID/4" --journal "shard-$SLURM_ARRAY_TASK_ID.jsonl"
