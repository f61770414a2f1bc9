# Installs, shows or removes a schedule. `sitegen schedule` gives: action, name, others (names that a
# job on this site may have instead; empty if --name is given), scope (user or system), mark, commands
# (texts of which a job on this site has one; empty for any site), service, timer, line, and the
# folders that a build writes to, one on each line.
set -eu
units=/etc/systemd/system
[ "$scope" = system ] || units=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user
systemd=
[ ! -d "${systemd_runs:-/run/systemd/system}" ] || systemd=1

fail() { echo "sitegen: error: $1" >&2; exit 2; }
ctl() { if [ "$scope" = system ]; then systemctl "$@"; else systemctl --user "$@"; fi; }
lines() {
  if [ "$scope" = system ]; then cat "/etc/cron.d/$1" 2>/dev/null || true
  else crontab -l 2>/dev/null || true
  fi
}
# The crontab without the line of this job, and with another one.
change() {
  others=$(lines "$1" | grep -v " # sitegen schedule: $1\$" || true)
  all=$(printf '%s\n%s\n' "$others" "$2" | grep . || true)
  if [ "$scope" = user ]; then printf '%s\n' "$all" | crontab -
  elif [ -n "$all" ]; then printf '%s\n' "$all" >"/etc/cron.d/$1"
  else rm -f "/etc/cron.d/$1"
  fi
}
# The line of a job that names its site; empty if there is no such job.
job() {
  if [ -z "$systemd" ]; then lines "$1" | grep " # sitegen schedule: $1\$" || true
  elif [ -e "$units/$1.timer" ] && [ "$(head -n 1 "$units/$1.service" 2>/dev/null)" = "$mark" ]; then
    grep '^ExecStart=' "$units/$1.service" || true
  fi
}
builds_this_site() { job "$1" | grep -qF "$commands"; }
drop() {
  if [ -z "$systemd" ]; then change "$1" ""
  else
    ctl disable --now "$1.timer"
    rm "$units/$1.service" "$units/$1.timer"
    ctl daemon-reload
  fi
}

if [ -n "$systemd" ]; then
  for kind in service timer; do
    [ ! -e "$units/$name.$kind" ] || [ "$(head -n 1 "$units/$name.$kind")" = "$mark" ] ||
      fail "cannot $action $name: sitegen did not write $units/$name.$kind
  help: choose another --name"
  done
fi
# The other jobs on this site.
old=
if [ -n "$others" ]; then
  for other in $others; do ! builds_this_site "$other" || old="${old:+$old }$other"; done
elif [ -n "$(job "$name")" ] && ! builds_this_site "$name"; then
  fail "cannot $action $name: it builds another site
  help: type \`sitegen schedule $action --name $name FOLDER\` with that site's folder, or another --name"
fi
if [ "$action" != install ] && [ -z "$(job "$name")" ]; then
  [ -n "$old" ] || fail "cannot $action $name: it is not installed"
  name=${old%% *}
  old=${old#"$name"}
fi

case $action in
  install)
    printf '%s' "$folders" | while read -r folder; do mkdir -p "$folder"; done
    if [ -z "$systemd" ]; then change "$name" "$line"
    else
      mkdir -p "$units"
      printf '%s' "$service" >"$units/$name.service"
      printf '%s' "$timer" >"$units/$name.timer"
      ctl daemon-reload
      ctl enable --now "$name.timer"
      [ "$scope" = system ] || echo "to run while you are logged out too: loginctl enable-linger"
    fi
    ;;
  status)
    if [ -z "$systemd" ]; then
      job "$name"
      echo "cron keeps no record; it mails what a build prints"
    else
      ctl list-timers --all --no-pager "$name.timer"
      ctl status --no-pager --lines=10 "$name.service" || true
    fi
    ;;
  remove) drop "$name" ;;
esac
# A site has at most one job.
[ "$action" = status ] || for other in $old; do drop "$other"; done
