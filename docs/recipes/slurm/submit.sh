#!/bin/sh
# Submits an array job for the shards, and a job that then publishes the site.
set -eu
export SITE="${SITE:-/shared/team}"            # the folder with manifest.yaml and the pictures
export STORE="${STORE:-/shared/sitegen-store}" # an existing folder
export SHARDS="${SHARDS:-200}"
# For nodes without a shared folder, a path for rclone such as remote:bucket/store. See README.md.
export BUCKET="${BUCKET:-}"

here=$(dirname "$0")
shards=$(sbatch --parsable --array="1-$SHARDS%50" "$here/shard.sh")
# afterany: if a shard fails, the last build renders its images.
site=$(sbatch --parsable --dependency="afterany:${shards%%;*}" "$here/site.sh")
echo "submitted job ${shards%%;*} (shards) and job ${site%%;*} (site)"
