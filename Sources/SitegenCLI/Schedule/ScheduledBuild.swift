import Diagnostics

struct ScheduledBuild {
  var timing: Timing
  var command: [String]
  var folder: String
  /// The folders that the build writes to; the second is the cache.
  var writable: [String]
  /// The user who runs the builds; nil for the user who installs the job.
  var user: String?
  /// The workers' memory limit in megabytes.
  var memory: Int

  /// The first line of generated units; sitegen changes only units that begin with it.
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
    # 1: some pictures failed; 75: another build is running. Neither is a unit failure.
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
    # The workers' sandbox needs the last four calls; older systemd versions block them.
    SystemCallFilter=@system-service seccomp
    SystemCallFilter=landlock_create_ruleset landlock_add_rule landlock_restrict_self

    """
  }

  var timer: String {
    """
    \(Self.mark)
    [Unit]
    Description=Timer for sitegen builds in \(Self.escaped(folder))

    [Timer]
    \(timing.timer)

    [Install]
    WantedBy=timers.target

    """
  }

  /// Returns the line for a crontab, or for a file in `/etc/cron.d`, which also names the user.
  ///
  /// cron does not record exit statuses, so the command writes its status to the cache.
  func cronLine(_ name: String) throws(Diagnostic) -> String {
    func quoted(_ word: String) -> String { "'\(word.replacing("'", with: "'\\''"))'" }
    let words = command.map(quoted).joined(separator: " ")
    let line = "\(words); echo $? >\(quoted("\(writable[1])/last-scheduled"))"
    // cron treats `%` as the end of the command, even in quotes.
    let fields = [try timing.cron(), user, line.replacing("%", with: "\\%")].compactMap(\.self)
    return fields.joined(separator: " ") + " # sitegen schedule: \(name)"
  }

  private static func escaped(_ text: String) -> String { text.replacing("%", with: "%%") }

  /// Quotes a word for a unit file and doubles `sign`, which must be `$` for a command.
  private static func quoted(_ word: String, _ sign: String = "") -> String {
    var text = escaped(word).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    if !sign.isEmpty { text = text.replacing(sign, with: sign + sign) }
    return "\"\(text)\""
  }
}
