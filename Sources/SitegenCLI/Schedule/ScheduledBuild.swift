import Diagnostics

/// A build that systemd or cron starts repeatedly: its units and its crontab line.
struct ScheduledBuild {
  var timing: Timing
  /// With absolute paths.
  var command: [String]
  var folder: String
  /// The folders that the build writes to; the second is the cache.
  var writable: [String]
  /// Nil for a job of the user who installs it.
  var user: String?
  /// The value of `--memory`, in megabytes.
  var memory: Int

  /// Units without this first line were not written by sitegen, and stay.
  static let mark = "# Written by `sitegen schedule`, which also removes it."

  var service: String {
    """
    \(Self.mark)
    [Unit]
    Description=sitegen build in \(Self.escaped(folder))
    \(user == nil ? "" : "Wants=network-online.target\nAfter=network-online.target\n")
    [Service]
    Type=oneshot
    \(user.map { "User=\($0)\n" } ?? "")ExecStart=\(command.map { Self.quoted($0, "$") }.joined(separator: " "))
    WorkingDirectory=\(Self.escaped(folder))
    # 1: some pictures failed; 75: another build is running. Neither is a failure of the unit.
    SuccessExitStatus=1 75
    Nice=10
    MemoryMax=\(memory + 1024)M
    NoNewPrivileges=true
    ProtectSystem=strict
    ProtectHome=read-only
    ReadWritePaths=\(writable.map { Self.quoted($0) }.joined(separator: " "))
    PrivateTmp=true
    PrivateDevices=true
    ProtectClock=true
    ProtectControlGroups=true
    ProtectHostname=true
    ProtectKernelLogs=true
    ProtectKernelModules=true
    ProtectKernelTunables=true
    CapabilityBoundingSet=
    AmbientCapabilities=
    LockPersonality=true
    MemoryDenyWriteExecute=true
    RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
    RestrictNamespaces=true
    RestrictRealtime=true
    RestrictSUIDSGID=true
    SystemCallArchitectures=native
    # The workers' sandbox needs the last four; older versions of systemd block them.
    SystemCallFilter=@system-service seccomp
    SystemCallFilter=landlock_create_ruleset landlock_add_rule landlock_restrict_self

    """
  }

  var timer: String {
    """
    \(Self.mark)
    [Unit]
    Description=Times of the builds in \(Self.escaped(folder))

    [Timer]
    \(timing.timer)

    [Install]
    WantedBy=timers.target

    """
  }

  /// A line of a crontab; a line of `/etc/cron.d` also names the user.
  ///
  /// cron keeps no record of a run, so the line writes the exit status into the cache.
  func cronLine(_ name: String) throws(Diagnostic) -> String {
    func quoted(_ word: String) -> String { "'\(word.replacing("'", with: "'\\''"))'" }
    let words = command.map(quoted).joined(separator: " ")
    let line = "\(words); echo $? >\(quoted("\(writable[1])/last-scheduled"))"
    // cron takes `%` for the end of the command, even in quotes.
    let fields = [try timing.cron(), user, line.replacing("%", with: "\\%")].compactMap(\.self)
    return fields.joined(separator: " ") + " # sitegen schedule: \(name)"
  }

  private static func escaped(_ text: String) -> String { text.replacing("%", with: "%%") }

  /// One word of a list in a unit; in a command, `$` begins a variable.
  private static func quoted(_ word: String, _ sign: String = "") -> String {
    var text = escaped(word).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    if !sign.isEmpty { text = text.replacing(sign, with: sign + sign) }
    return "\"\(text)\""
  }
}
