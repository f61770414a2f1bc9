import CLinux
import Foundation
import Glibc

package enum Cores {
  /// Returns the number of cores that CPU affinity and cgroup quotas allow, at least 1.
  package static func allowed() -> Int {
    let affinity = Int(linux_allowed_cores())
    let cores = affinity > 0 ? affinity : sysconf(Int32(_SC_NPROCESSORS_ONLN))
    return allowed(of: cores, read: ControlGroups.text)
  }

  package static func allowed(of cores: Int, read: (String) -> String?) -> Int {
    ControlGroups.limits("cpu.max", read).reduce(max(cores, 1)) { allowed, limit in
      // The format is `QUOTA PERIOD` in microseconds, or `max PERIOD`.
      let fields = limit.split(separator: " ").map { Int($0) ?? 0 }
      guard fields.count == 2, fields[0] > 0, fields[1] > 0 else { return allowed }
      return min(allowed, (fields[0] - 1) / fields[1] + 1)
    }
  }
}

package enum Memory {
  package static func allowed() -> Int {
    let bytes = sysconf(Int32(_SC_PHYS_PAGES)) * Int(getpagesize())
    return allowed(of: bytes, read: ControlGroups.text)
  }

  package static func allowed(of bytes: Int, read: (String) -> String?) -> Int {
    ControlGroups.limits("memory.max", read).compactMap { Int($0) }.filter { $0 > 0 }
      .reduce(bytes, min)
  }
}

private enum ControlGroups {
  /// Returns the limits that this process's cgroup and its parents set for a resource.
  ///
  /// The root cgroup is always included. In a container, `/proc/self/cgroup` may contain the host's
  /// path, but the container's cgroup is mounted as the root.
  static func limits(_ name: String, _ read: (String) -> String?) -> [String] {
    let lines = (read("/proc/self/cgroup") ?? "").split(separator: "\n")
    guard let path = lines.first(where: { $0.hasPrefix("0::") })?.dropFirst(3) else { return [] }
    let parts = path.split(separator: "/")
    return (0...parts.count).compactMap { count in
      let group = parts.prefix(count).map { "/" + $0 }.joined()
      return read("/sys/fs/cgroup\(group)/\(name)")?.split(separator: "\n").first.map(String.init)
    }
  }

  /// Reads a file regardless of the reported size, which is 0 for kernel-generated files.
  static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }
}
