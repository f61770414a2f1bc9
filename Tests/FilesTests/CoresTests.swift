import Files
import Glibc
import Testing

struct CoresTests {
  func cores(of cores: Int = 8, _ files: [String: String]) -> Int {
    Cores.allowed(of: cores) { files[$0] }
  }

  @Test func `without cgroups, the core count comes from the CPU affinity`() {
    #expect(cores([:]) == 8)
    #expect(cores(of: 0, [:]) == 1)
    #expect((1...sysconf(Int32(_SC_NPROCESSORS_CONF))).contains(Cores.allowed()))
  }

  @Test(arguments: [
    ("max 100000\n", 8), ("200000 100000\n", 2), ("150000 100000\n", 2), ("10000 100000\n", 1),
    ("1 100000\n", 1), ("100001 100000\n", 2), ("5000000 100000\n", 8), ("garbage", 8), ("", 8),
    ("100000 0\n", 8),
  ])
  func `a fractional CPU quota is rounded up`(text: String, expected: Int) {
    let files = ["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/cpu.max": text]
    #expect(cores(files) == expected)
  }

  @Test func `parent cgroups can lower the CPU quota`() {
    let files = [
      "/proc/self/cgroup": "0::/a/b.slice/c\n", "/sys/fs/cgroup/a/b.slice/c/cpu.max": "max 100000",
      "/sys/fs/cgroup/a/b.slice/cpu.max": "600000 100000",
      "/sys/fs/cgroup/a/cpu.max": "300000 100000",
    ]
    #expect(cores(files) == 3)
  }

  @Test func `a cgroup path may contain colons`() {
    let files = ["/proc/self/cgroup": "0::/a:b\n", "/sys/fs/cgroup/a:b/cpu.max": "100000 100000"]
    #expect(cores(files) == 1)
  }
}

struct MemoryTests {
  /// The limit is the smallest of the machine's memory and the limits of all parent cgroups.
  @Test(arguments: [
    ([:], 8000),
    (["/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/memory.max": "3000\n"], 3000),
    (["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "max\n"], 8000),
    (["/proc/self/cgroup": "0::/host\n", "/sys/fs/cgroup/memory.max": "9000\n"], 8000),
  ])
  func `the lowest memory limit applies`(files: [String: String], bytes: Int) {
    #expect(Memory.allowed(of: 8000) { files[$0] } == bytes)
  }
}
