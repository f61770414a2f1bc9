#!/bin/bash
# Renders the shards on the machines in the file `hosts`, then publishes the site from this machine.
set -uo pipefail
export SITE="${SITE:-/shared/team}"            # the folder with manifest.yaml and the pictures
export STORE="${STORE:-/shared/sitegen-store}" # an existing folder
export SHARDS="${SHARDS:-20}"
# For hosts without a shared folder, a path for rclone such as remote:bucket/store. See README.md.
export BUCKET="${BUCKET:-}"

shard() {
  # Use a local cache: if the connection to a host breaks, the same shard may run twice at the same time.
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  if [ -n "$BUCKET" ]; then
    # Upload each shard's store as one object: many small ones cost more than rendering.
    STORE=$work/store archive=$PARALLEL_SEQ-of-$SHARDS.tar
    mkdir "$STORE"
    rclone copy "$BUCKET" "$work" --include "/$archive"
    [ ! -e "$work/$archive" ] || tar -x -f "$work/$archive" -C "$STORE"
  fi
  sitegen build "$SITE" --store "$STORE" --shard "auto/$SHARDS" --cache "$work/cache"
  status=$?
  # 1: some pictures failed, and would fail again. The shard is done.
  [ $status -le 1 ] || exit $status
  if [ -n "$BUCKET" ]; then
    sitegen prune --store "$STORE" --max-age 30
    tar -c -f "$work/$archive" -C "$STORE" . && rclone copy "$work/$archive" "$BUCKET"
  fi
}
export -f shard

# Run one shard at a time on each host, because sitegen uses all cores.
seq "$SHARDS" | parallel -N0 --sshloginfile "${HOSTS:-hosts}" --jobs 1 --retries 3 --tag \
  --joblog shards.log --env shard --env SITE --env STORE --env SHARDS --env BUCKET shard ||
  echo "some shards failed (see shards.log); their images are rendered here" >&2

if [ -n "$BUCKET" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  STORE=$work/store
  mkdir "$STORE"
  rclone copy "$BUCKET" "$work" --include "/*-of-$SHARDS.tar"
  for archive in "$work"/*.tar; do tar -x -f "$archive" -C "$STORE" && rm "$archive"; done
fi
sitegen build "$SITE" --store "$STORE"
