#!/bin/bash
#SBATCH --job-name=sitegen-shard --output=%x-%A_%a.log --open-mode=append
#SBATCH --ntasks=1 --cpus-per-task=2 --mem=3G --time=01:00:00 --requeue
# Renders one shard. submit.sh sets SITE, STORE, SHARDS and BUCKET.
set -uo pipefail
# A local cache: if Slurm loses contact with a node, it starts a shard a second time beside the first.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -n "$BUCKET" ]; then
  # In a bucket the store of each shard is one object, since many small ones cost more than rendering.
  STORE=$work/store archive=$SLURM_ARRAY_TASK_ID-of-$SHARDS.tar
  mkdir "$STORE"
  rclone copy "$BUCKET" "$work" --include "/$archive"
  [ ! -e "$work/$archive" ] || tar -x -f "$work/$archive" -C "$STORE"
fi

# Slurm does not repeat a job that fails.
for _ in 1 2 3; do
  sitegen build "$SITE" --store "$STORE" --shard "auto/$SHARDS" --cache "$work/cache" \
    --jobs "$SLURM_CPUS_PER_TASK"
  status=$?
  # 1: some pictures are broken. The site shows what a build shows then, so the shard is done.
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
