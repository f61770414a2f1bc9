import CLinux
import Foundation
import Glibc

package enum Cores {
  /// The cores that this process may run on, or fewer if a cgroup grants less time; at least 1.
  package static func allowed() -> Int {
    let affinity = Int(linux_allowed_cores())
    let cores = affinity > 0 ? affinity : sysconf(Int32(_SC_NPROCESSORS_ONLN))
    return allowed(of: cores, read: ControlGroups.text)
  }

  /// `cores` is their number without cgroups; `read` returns the text of a file.
  package static func allowed(of cores: Int, read: (String) -> String?) -> Int {
    var allowed = max(cores, 1)
    for folder in ControlGroups.folders(of: "cpu", read: read) {
      if let limit = read(folder + "/cpu.max") { allowed = min(allowed, quota(limit)) }
      if let quota = read(folder + "/cpu.cfs_quota_us"),
        let period = read(folder + "/cpu.cfs_period_us")
      {
        allowed = min(allowed, Cores.quota(quota + " " + period))
      }
    }
    return allowed
  }

  /// Reads `QUOTA PERIOD` in microseconds; the quota `max` or `-1` is no limit.
  private static func quota(_ text: String) -> Int {
    let words = text.split { $0 == " " || $0 == "\n" }
    guard words.count == 2, let quota = Int(words[0]), let period = Int(words[1]), quota > 0,
      period > 0
    else { return .max }
    // A part of a core counts as one.
    return max((quota - 1) / period + 1, 1)
  }
}

package enum Memory {
  /// The bytes of the machine, or fewer if a cgroup grants less.
  package static func allowed() -> Int {
    let bytes = sysconf(Int32(_SC_PHYS_PAGES)) * Int(getpagesize())
    return allowed(of: bytes, read: ControlGroups.text)
  }

  package static func allowed(of bytes: Int, read: (String) -> String?) -> Int {
    ControlGroups.folders(of: "memory", read: read).reduce(bytes) { allowed, folder in
      // `max` and numbers near 2^63 are no limit.
      let limits = ["/memory.max", "/memory.limit_in_bytes"].compactMap { name in
        read(folder + name).flatMap { Int($0.split(separator: "\n").first ?? "") }
      }
      return min(allowed, limits.filter { $0 > 0 }.min() ?? allowed)
    }
  }
}

/// The groups of processes that the kernel limits together.
private enum ControlGroups {
  /// The folders that may hold the limits of a controller for this process, in both versions.
  ///
  /// Every group above ours limits us too. Inside a container the path may be the host's while only
  /// our own part is mounted, at the top; so the top is read as well.
  static func folders(of controller: Substring, read: (String) -> String?) -> [String] {
    var folders: [String] = []
    for line in (read("/proc/self/cgroup") ?? "").split(separator: "\n") {
      // 0::/path (version 2) or 4:cpu,cpuacct:/path (version 1)
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let mounts =
        fields[1].isEmpty
        ? ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"]
        : fields[1].split(separator: ",").contains(controller)
          ? ["/sys/fs/cgroup/\(controller)", "/sys/fs/cgroup/\(fields[1])"] : []
      let parts = fields[2].split(separator: "/")
      for count in (0...parts.count).reversed() {
        let group = parts.prefix(count).map { "/" + $0 }.joined()
        folders += mounts.map { $0 + group }
      }
    }
    return folders
  }

  /// The size of these files says nothing: the kernel writes them while they are read.
  static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }
}
