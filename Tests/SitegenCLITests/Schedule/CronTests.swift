import TestSupport

/// Runs Debian's cron with private crontabs instead of the system's.
@Suite(.timeLimit(.minutes(10))) struct CronTests {
  @Test(.onlyInAll, .needs(.root))
  func `cron runs the installed line twice and picks up a change`() throws {
    let site = SiteFolder(inMemory: false)
    try site.write(users: [("before", ["color:#ff0000"])])
    let script = """
      set -eu
      for folder in /run /etc/cron.d /var/spool/cron; do mount -t tmpfs none "$folder"; done
      mount --bind /dev/null /etc/crontab
      mkdir -m 1730 /var/spool/cron/crontabs
      "$0" schedule install --every 1m --manifest content/manifest.json --cache "a b%/cache"
      cron -f &
      cron=$!
      trap 'kill $cron' EXIT
      until_is() { n=0; until grep -qs "$1" output/assets.json; do n=$((n + 1)); [ $n -lt 150 ]; sleep 1; done; }
      until_is before
      sed -i s/before/after/ content/manifest.json
      until_is after
      "$0" schedule status
      "$0" schedule remove
      ! crontab -l | grep -q sitegen
      """
    let run = try RunningProgram(
      ["unshare", "--mount", "sh", "-c", script, BuiltProduct.sitegen], in: site.path)
    #expect(try run.ending(within: 600).status == 0)
    #expect(try site.assets().users["after"] != nil)
    #expect(site.folder.exists("a b%/cache"))
  }
}
