import Glibc

/// How many descriptors this process may have open.
package enum DescriptorLimit {
  /// Makes it as many as the system allows us.
  ///
  /// The usual 1024 are for programs that use `select`, which we do not. What we start inherits it.
  ///
  /// The corresponding C functions are `getrlimit` and `setrlimit`.
  ///
  /// - Returns: How many it is now.
  package static func raise() -> Int {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limits = rlimit()
    guard unsafe getrlimit(resource, &limits) == 0 else { return 1024 }
    let before = limits.rlim_cur
    if before < limits.rlim_max {
      limits.rlim_cur = limits.rlim_max
      if unsafe setrlimit(resource, &limits) != 0 { limits.rlim_cur = before }
    }
    return Int(clamping: limits.rlim_cur)
  }
}
