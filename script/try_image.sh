#!/usr/bin/env bash
# Builds a site in an image with Podman, as a user that does not exist in the image. `script/package try-image`
# runs this script in a private mount namespace.
#
#   script/try_image.sh ARCHIVE FOLDER
set -euo pipefail
archive=$1 folder=$2
site=$folder/site
# Without this, Podman refuses to run on machines that have both cgroup hierarchies.
umount -R /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup
podman=(podman --storage-driver overlay --root "$folder/storage" --runroot "$folder/runs")
clean() {
  "${podman[@]}" kill --all >/dev/null 2>&1 || true
  umount -R "$folder/storage" 2>/dev/null || true
}
trap clean EXIT
"${podman[@]}" load -q -i "$archive" >/dev/null
echo "loaded as $("${podman[@]}" images --format '{{.Repository}}:{{.Tag}}, {{.Size}}')"
size=$("${podman[@]}" image inspect --format '{{.Size}}' sitegen)
if [ "$size" -gt 350000000 ]; then
  echo "script/package: the image is $size bytes, more than 350 MB" >&2
  exit 1
fi
# Set the limits, because Podman would raise them.
limits=(--ulimit nofile=1024:1024 --ulimit nproc=4096:4096 --cgroups disabled)
closed=(--network none --read-only --read-only-tmpfs=false --cap-drop ALL --security-opt no-new-privileges)
run() { "${podman[@]}" run --rm "${limits[@]}" "${closed[@]}" --user "$owner" -v "$site:/site" "${more[@]}" sitegen "$@"; }
# Both users are unknown in the image; the second is its default user.
for owner in 12345:12345 1000:1000; do
  more=(--unsetenv HOME)
  rm -rf "$site"
  mkdir "$site"
  chown "$owner" "$site"
  run doctor >"$folder/doctor"
  grep -E '^(sandbox|fetcher|fonts|faces)' "$folder/doctor"
  # Check all fonts and the face detector's data.
  ! sed -n '/^fonts/,/^limits/p' "$folder/doctor" | grep -E '^.{12}no '
  run init --quiet .
  start=$(date +%s%N)
  run build
  echo "user $owner: $((($(date +%s%N) - start) / 1000000)) ms, including the container start"
  # Podman fails if its output is closed early, as by `grep -q` in a pipe.
  run build >"$folder/again"
  grep -q " 0 files written" "$folder/again"
  test -s "$site/output/index.html"
  [ -z "$(find "$site" ! -user "${owner%:*}")" ]
  # In CI, the image's shell runs the commands of a job.
  more=(--entrypoint sh)
  run -euc 'test -z "$(command -v swift)"; sitegen version'
  # The first process in a container receives only signals for which it has a handler.
  more=(--detach --name waiting)
  run build --every 1h >/dev/null
  for second in {1..30}; do
    "${podman[@]}" kill --signal TERM waiting >/dev/null 2>&1 || true
    "${podman[@]}" container exists waiting || break
    sleep 1
  done
  ! "${podman[@]}" container exists waiting
  echo "user $owner: stopped after $second signals"
done
