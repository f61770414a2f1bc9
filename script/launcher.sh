#!/bin/sh
# Runs sitegen from this file's folder, wherever it is. If system libraries are missing, it lists them.
lib=$(dirname "$(readlink -f "$0")")/lib
missing=$(for program in sitegen sitegen-worker; do
  LD_TRACE_LOADED_OBJECTS=1 "$lib/$program"
done | sed -n 's/^[[:space:]]*\([^ ]*\) => not found$/\1/p' | sort -u | paste -s -d ' ')
if [ -n "$missing" ]; then
  echo "sitegen: error: cannot start: missing system libraries: $missing" >&2
  echo "  help: as root: apt install $(cat "$lib/packages")" >&2
  exit 3
fi
exec "$lib/sitegen" "$@"
