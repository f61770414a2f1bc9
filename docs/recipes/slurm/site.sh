#!/bin/bash
#SBATCH --job-name=sitegen-site --output=%x-%j.log --open-mode=append
#SBATCH --ntasks=1 --cpus-per-task=4 --mem=8G --time=04:00:00
# Publishes the site in $SITE/output; renders only images that are missing from the store.
set -u
if [ -n "$BUCKET" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  STORE=$work/store
  mkdir "$STORE"
  rclone copy "$BUCKET" "$work" --include "/*-of-$SHARDS.tar"
  for archive in "$work"/*.tar; do tar -x -f "$archive" -C "$STORE" && rm "$archive"; done
fi
status=0
sitegen build "$SITE" --store "$STORE" --jobs "$SLURM_CPUS_PER_TASK" || status=$?
# 1: the site is published, but some pictures failed.
[ $status -le 1 ] || exit $status
