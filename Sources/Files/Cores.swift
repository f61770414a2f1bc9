import CLinux
import Foundation
import Glibc

/// How many cores we may use.
package enum Cores {
  /// The cores that this process may run on, or fewer where a cgroup grants less time; at least 1.
  ///
  /// The corresponding C functions are `sched_getaffinity` and `sysconf`.
  package static func allowed() -> Int {
    let affinity = Int(linux_allowed_cores())
    let cores = affinity > 0 ? affinity : sysconf(Int32(_SC_NPROCESSORS_ONLN))
    return allowed(of: cores) { path in
      // The size of these files says nothing: the kernel writes them while they are read.
      FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// The same, from what the machine says about itself.
  ///
  /// Every group above ours limits us too. Inside a container the path may be the host's while only
  /// our own part is mounted, at the top; so the top is read as well.
  ///
  /// `cores` is their number without cgroups; `read` gives the text of a file. A part of a core
  /// counts as one.
  package static func allowed(of cores: Int, read: (String) -> String?) -> Int {
    var allowed = max(cores, 1)
    for line in (read("/proc/self/cgroup") ?? "").split(separator: "\n") {
      // 0::/path (version 2) or 4:cpu,cpuacct:/path (version 1)
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let controllers = fields[1].split(separator: ",")
      for group in groups(upFrom: fields[2]) {
        if fields[1].isEmpty {
          for mount in ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"] {
            allowed = min(allowed, quota(read(mount + group + "/cpu.max") ?? ""))
          }
        } else if controllers.contains("cpu") {
          for mount in ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/\(fields[1])"] {
            guard let quota = read(mount + group + "/cpu.cfs_quota_us"),
              let period = read(mount + group + "/cpu.cfs_period_us")
            else { continue }
            allowed = min(allowed, Cores.quota(quota + " " + period))
          }
        }
      }
    }
    return allowed
  }

  /// `/a/b`, `/a` and the top, which is empty.
  private static func groups(upFrom path: Substring) -> [String] {
    let parts = path.split(separator: "/")
    return (0...parts.count).reversed().map { count in
      parts.prefix(count).map { "/" + $0 }.joined()
    }
  }

  /// Reads `QUOTA PERIOD` in microseconds, where the quota is `max` or `-1` for no limit.
  private static func quota(_ text: String) -> Int {
    let words = text.split { $0 == " " || $0 == "\n" }
    guard words.count == 2, let quota = Int(words[0]), let period = Int(words[1]), quota > 0,
      period > 0
    else { return .max }
    return max((quota - 1) / period + 1, 1)
  }
}
