#!/bin/bash
# Self-play in four parts: sbatch selfplay.sh OPTIONS, the options of pontifex selfplay.
#SBATCH --array=1-4
#SBATCH --cpus-per-task=4
#SBATCH --requeue
exec pontifex selfplay "$@" --threads "$SLURM_CPUS_PER_TASK" \
    --shard "$SLURM_ARRAY_TASK_ID/4" --output "part-$SLURM_ARRAY_TASK_ID.games"
