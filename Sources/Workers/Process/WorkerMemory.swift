import CLinux

/// How a worker's allocator keeps and returns memory.
enum WorkerMemory {
  static func configure() {
    _ = linux_mallopt(Int32(LINUX_M_ARENA_MAX), 1)
    _ = linux_mallopt(Int32(LINUX_M_MMAP_THRESHOLD), 4 << 20)
    _ = linux_mallopt(Int32(LINUX_M_TRIM_THRESHOLD), 16 << 20)
  }

  static func giveBack() {
  }
}
