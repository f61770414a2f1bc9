package import Diagnostics
import Foundation

/// A build that systemd, cron or Kubernetes starts again and again: the texts that tell them so.
package struct ScheduledBuild: Sendable {
  package var name: String
  package var timing: Timing
  package var program: String
  /// What to build, and where: absolute paths.
  package var places: [String]
  /// The other options.
  package var flags: [String]
  package var folder: String
  /// Folders that the build writes to.
  package var writable: [String]
  /// Nil for a job of the user who installs it.
  package var user: String?
  /// Megabytes for the pictures that are worked on at once, as `--memory` says.
  package var memory: Int?

  package var command: [String] {
    [program, "build"] + places + ["--quiet", "--new-problems"] + flags
  }

  /// Units without it are not ours, and stay.
  static let mark = "# Written by `sitegen schedule`, which also removes it."

  package var service: String {
    """
    \(Self.mark)
    [Unit]
    Description=sitegen build in \(Self.plain(folder))
    \(user == nil ? "" : "Wants=network-online.target\nAfter=network-online.target\n")
    [Service]
    Type=oneshot
    \(user.map { "User=\($0)\n" } ?? "")ExecStart=\(command.map { Self.quoted($0, "$") }.joined(separator: " "))
    WorkingDirectory=\(Self.plain(folder))
    # Some pictures failed; another build runs. Both are told, and neither is the unit's failure.
    SuccessExitStatus=1 75
    Nice=10
    MemoryMax=\((memory ?? 2048) + 1024)M
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
    # The last four close the workers in; older versions of systemd leave them out.
    SystemCallFilter=@system-service seccomp
    SystemCallFilter=landlock_create_ruleset landlock_add_rule landlock_restrict_self

    """
  }

  package var timer: String {
    """
    \(Self.mark)
    [Unit]
    Description=When sitegen builds in \(Self.plain(folder))

    [Timer]
    \(timing.timer)

    [Install]
    WantedBy=timers.target

    """
  }

  /// A line of a crontab; one of `/etc/cron.d` also names the user.
  package func cronLine() throws(Diagnostic) -> String {
    let fields = [try timing.cron(), user, command.shellWords].compactMap(\.self)
    return Self.cronText(fields.joined(separator: " ")) + " # sitegen schedule: \(name)"
  }

  /// Texts of which one is in the command of each job whose site is at one of these paths.
  static func commands(naming paths: [String]) -> [String] {
    paths.flatMap { path in
      let option = "--manifest=\(path)"
      return [
        "\(quoted("build", "$")) \(quoted(path, "$")) ", " \(quoted(option, "$")) ",
      ]
        + [["build", path].shellWords + " ", " \(option.shellWord) "].map(cronText)
    }
  }

  /// cron takes `%` for the end of the command, even in quotes.
  private static func cronText(_ text: String) -> String {
    text.replacingOccurrences(of: "%", with: "\\%")
  }

  /// The site is the volume `site`; the image has the program.
  package func kubernetes() throws(Diagnostic) -> String {
    let pod = Pod(
      container: Pod.Container(
        name: "sitegen", words: ["build", "/site", "--quiet", "--new-problems"] + flags),
      memory: (memory ?? 2048) + 1024,
      volumes: [Pod.Volume(name: "site", path: "/site", claim: name.kubernetesName)])
    return """
      apiVersion: batch/v1
      kind: CronJob
      metadata:
        name: \(name.kubernetesName.yamlText)
      spec:
        schedule: "\(try timing.cron())"
        concurrencyPolicy: Forbid
        jobTemplate:
          spec:
            template:
              spec:
                \(pod.text.indented(10))

      """
  }

  // MARK: - Words of systemd

  private static func plain(_ text: String) -> String {
    text.replacingOccurrences(of: "%", with: "%%")
  }

  /// One word of a list; that of a command has variables, which begin with `$`.
  private static func quoted(_ word: String, _ sign: String = "") -> String {
    var text = ""
    for character in word {
      switch character {
      case "\\", "\"": text += "\\\(character)"
      case "%": text += "%%"
      case _ where String(character) == sign: text += sign + sign
      default: text.append(character)
      }
    }
    return "\"\(text)\""
  }
}
