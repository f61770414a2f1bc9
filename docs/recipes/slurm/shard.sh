#!/bin/bash
#SBATCH --job-name=sitegen-shard --output=%x-%A_%a.log --open-mode=append
#SBATCH --ntasks=1 --cpus-per-task=2 --mem=3G --time=01:00:00 --requeue
# Renders one shard. submit.sh sets SITE, STORE, SHARDS and BUCKET.
set -uo pipefail
# Use a local cache: if Slurm loses contact with a node, the same shard may run twice at the same time.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -n "$BUCKET" ]; then
  # Upload each shard's store as one object: many small ones cost more than rendering.
  STORE=$work/store archive=$SLURM_ARRAY_TASK_ID-of-$SHARDS.tar
  mkdir "$STORE"
  rclone copy "$BUCKET" "$work" --include "/$archive"
  [ ! -e "$work/$archive" ] || tar -x -f "$work/$archive" -C "$STORE"
fi

# Slurm does not retry failed jobs.
for _ in 1 2 3; do
  sitegen build "$SITE" --store "$STORE" --shard "auto/$SHARDS" --cache "$work/cache" \
    --jobs "$SLURM_CPUS_PER_TASK"
  status=$?
  # 1: some pictures failed, and would fail again. The shard is done.
  [ $status -gt 1 ] || break
done
[ $status -le 1 ] || exit $status

if [ -n "$BUCKET" ]; then
  sitegen prune --store "$STORE" --max-age 30
  tar -c -f "$work/$archive" -C "$STORE" . || exit
  for _ in 1 2 3; do
    rclone copy "$work/$archive" "$BUCKET" && exit
  done
  exit 3
fi
