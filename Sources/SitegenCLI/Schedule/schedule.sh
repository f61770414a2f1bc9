# Installs, shows or removes a scheduled job. `sitegen schedule` sets these variables: action, name, scope
# (user or system), owner (the user who runs system-wide builds), scheduler (systemd or cron), mark, service,
# timer, line, and folders (those that a build writes to, one per line).
set -eu
units=/etc/systemd/system
[ "$scope" = system ] || units=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user

fail() { printf '%s\n' "sitegen: error: cannot $action $name: $1" >&2; exit 2; }
ctl() { if [ "$scope" = system ]; then systemctl "$@"; else systemctl --user "$@"; fi; }
crontab_lines() {
  if [ "$scope" = system ]; then cat "/etc/cron.d/$name" 2>/dev/null || true
  else crontab -l 2>/dev/null || true
  fi
}
# Replaces this job's line.
change_crontab() {
  others=$(crontab_lines | grep -v " # sitegen schedule: $name\$" || true)
  all=$(printf '%s\n%s\n' "$others" "$1" | grep . || true)
  if [ "$scope" = user ] && [ -z "$all" ]; then crontab -r
  elif [ "$scope" = user ]; then printf '%s\n' "$all" | crontab -
  elif [ -n "$all" ]; then printf '%s\n' "$all" >"/etc/cron.d/$name"
  else rm -f "/etc/cron.d/$name"
  fi
}
# Prints the installed job with this name, if any.
job() {
  if [ "$scheduler" = cron ]; then crontab_lines | grep " # sitegen schedule: $name\$" || true
  elif [ "$(head -n 1 "$units/$name.service" 2>/dev/null)" = "$mark" ]; then cat "$units/$name.service"
  fi
}
remove() {
  if [ "$scheduler" = cron ]; then change_crontab ""
  else
    [ ! -e "$units/$name.timer" ] || ctl disable --now "$name.timer"
    rm -f "$units/$name.service" "$units/$name.timer"
    ctl daemon-reload
  fi
}
# Prints when the job last ran, and its result.
last_run() {
  case $2 in
    0) end=success ;;
    1) end="some pictures failed" ;;
    2) end="invalid manifest or options" ;;
    3) end="machine failure" ;;
    75) end="another build was running" ;;
    15 | 143) end="stopped by a signal" ;;
    *) end="unknown status" ;;
  esac
  echo "last run: $1, exit status $2 ($end)"
}
# Creates the folders that a build writes to, owned by the user who runs it.
make_folders() {
  printf '%s' "$folders" | while IFS= read -r folder; do
    [ ! -d "$folder" ] || continue
    mkdir -p "$folder"
    [ "$scope" = user ] || chown -h "$owner:" "$folder"
  done
}
show() { ctl show --property="$1" --value "$name.service"; }
# Prints the file to which a crontab line writes the exit status: the command's last word, quoted for the shell,
# with % escaped as \% for cron. Quotes in paths are written as '\'', so no other `>'` can match.
record_of() {
  printf '%s\n' "${1% # sitegen schedule: *}" |
    LC_ALL=C sed -nE "s/.*; echo \\\$\? >'(([^']|'\\\\'')*)'\$/\1/; t found
      d
      :found
      s/\\\\%/%/g; s/'\\\\''/'/g; p"
}
# Prints the part of a job's command that names the site and its folders.
site() { sed -n "s/.*[\"']build[\"'] \(.*\) [\"']--quiet[\"'].*/\1/p"; }

if [ "$scheduler" = systemd ]; then
  for kind in service timer; do
    [ ! -e "$units/$name.$kind" ] || [ "$(head -n 1 "$units/$name.$kind")" = "$mark" ] ||
      fail "sitegen did not write $units/$name.$kind"
  done
fi
[ "$action" = install ] || [ -n "$(job)" ] || fail "it is not installed"

case $action-$scheduler in
  install-cron)
    make_folders
    change_crontab "$line"
    ;;
  install-systemd)
    make_folders
    mkdir -p "$units"
    printf '%s' "$service" >"$units/$name.service"
    printf '%s' "$timer" >"$units/$name.timer"
    ctl daemon-reload
    ctl enable --now "$name.timer"
    [ "$scope" = system ] || echo "to run builds while you are logged out: loginctl enable-linger"
    ;;
  status-cron)
    entry=$(job)
    printf '%s\n' "$entry"
    record=$(record_of "$entry")
    code=
    if [ -f "$record" ] && [ ! -L "$record" ]; then code=$(head -c 3 "$record" | tr -dc 0-9); fi
    if [ -z "$record" ]; then echo "last run: unknown; reinstall the job"
    elif [ -n "$code" ]; then last_run "$(date -r "$record" '+%F %T')" "$code"
    else echo "last run: none yet"
    fi
    echo "cron mails the build's output"
    ;;
  status-systemd)
    ctl list-timers --all --no-pager "$name.timer"
    started=$(show ExecMainStartTimestamp)
    result=$(show Result)
    if [ "$(show ActiveState)" = activating ]; then echo "last run: still running, since $started"
    elif [ -z "$started" ]; then echo "last run: none since the machine started"
    elif [ "$result" = success ] || [ "$result" = exit-code ]; then
      last_run "$started" "$(show ExecMainStatus)"
    else echo "last run: $started, failed: $result"
    fi
    ctl status --no-pager --lines=10 "$name.service" || true
    ;;
  remove-*) remove ;;
esac

if [ "$action" = install ]; then
  if [ "$scope" = system ]; then
    echo "installed for the whole machine; the builds run as $owner"
  elif [ "$(id -u)" = 0 ]; then
    echo "installed for root, so the builds run as root; to run them as the site's owner: --system --as USER"
  fi
fi

# Removes the job that an earlier version installed for this site: its name lacks the hash.
if [ "$action" = install ]; then
  name=${name%-*}
  earlier=$(job | site)
  if [ -n "$earlier" ] && [ "$earlier" = "$(printf '%s\n' "${line:-$service}" | site)" ]; then
    remove
  fi
fi
