# Installs, shows or removes a schedule. `sitegen schedule` gives: action, name, scope (user or
# system), mark, service, timer, line, and the folders that a build writes to, one on each line.
set -eu
end=" # sitegen schedule: $name"
units=/etc/systemd/system
[ "$scope" = system ] || units=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user

fail() { echo "sitegen: error: $1" >&2; exit 2; }
ctl() { if [ "$scope" = system ]; then systemctl "$@"; else systemctl --user "$@"; fi; }
lines() {
  if [ "$scope" = system ]; then cat "/etc/cron.d/$name" 2>/dev/null || true
  else crontab -l 2>/dev/null || true
  fi
}
# The crontab without our line, and with another one.
change() {
  others=$(lines | grep -v "$end\$" || true)
  all=$(printf '%s\n%s\n' "$others" "$1" | grep . || true)
  if [ "$scope" = user ]; then printf '%s\n' "$all" | crontab -
  elif [ -n "$all" ]; then printf '%s\n' "$all" >"/etc/cron.d/$name"
  else rm -f "/etc/cron.d/$name"
  fi
}
# Whether units of ours are there; those of others stay.
ours() {
  for kind in service timer; do
    [ -e "$units/$name.$kind" ] || return 1
    [ "$(head -n 1 "$units/$name.$kind")" = "$mark" ] ||
      fail "$units/$name.$kind is not ours; choose another --name"
  done
}

if [ ! -d "${systemd_runs:-/run/systemd/system}" ]; then
  [ "$action" = install ] || lines | grep -q "$end\$" || fail "there is no schedule called $name"
  case $action in
    install)
      printf '%s' "$folders" | while read -r folder; do mkdir -p "$folder"; done
      change "$line"
      ;;
    status) lines | grep "$end\$" && echo "cron keeps no record; it mails what a build prints" ;;
    remove) change "" ;;
  esac
  exit 0
fi

case $action in
  install)
    ours || true
    printf '%s' "$folders" | while read -r folder; do mkdir -p "$folder"; done
    mkdir -p "$units"
    printf '%s' "$service" >"$units/$name.service"
    printf '%s' "$timer" >"$units/$name.timer"
    ctl daemon-reload
    ctl enable --now "$name.timer"
    [ "$scope" = system ] || echo "to run while you are logged out too: loginctl enable-linger"
    ;;
  status)
    ours || fail "there is no schedule called $name"
    ctl list-timers --all --no-pager "$name.timer"
    ctl status --no-pager --lines=10 "$name.service" || true
    ;;
  remove)
    ours || fail "there is no schedule called $name"
    ctl disable --now "$name.timer"
    rm "$units/$name.service" "$units/$name.timer"
    ctl daemon-reload
    ;;
esac
