#!/bin/bash
# Renders the shards on the machines in the file `hosts`, and then publishes the site from this one.
set -uo pipefail
export SITE="${SITE:-/shared/team}"            # the folder with manifest.yaml and the pictures
export STORE="${STORE:-/shared/sitegen-store}" # an existing folder
export SHARDS="${SHARDS:-20}"
# For hosts without a shared folder, a path for rclone such as remote:bucket/store. See README.md.
export BUCKET="${BUCKET:-}"

shard() {
  # A local cache: a shard whose host is lost starts again on another one.
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  if [ -n "$BUCKET" ]; then
    # In a bucket the store of each shard is one object, since many small ones cost more than rendering.
    STORE=$work/store archive=$PARALLEL_SEQ-of-$SHARDS.tar
    mkdir "$STORE"
    rclone copy "$BUCKET" "$work" --include "/$archive"
    [ ! -e "$work/$archive" ] || tar -x -f "$work/$archive" -C "$STORE"
  fi
  sitegen build "$SITE" --store "$STORE" --shard "auto/$SHARDS" --cache "$work/cache"
  status=$?
  # 1: some pictures are broken. The site shows what a build shows then, so the shard is done.
  [ $status -le 1 ] || exit $status
  if [ -n "$BUCKET" ]; then
    sitegen prune --store "$STORE" --max-age 30
    tar -c -f "$work/$archive" -C "$STORE" . && rclone copy "$work/$archive" "$BUCKET"
  fi
}
export -f shard

# One shard at a time on each host, since sitegen uses all cores.
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
