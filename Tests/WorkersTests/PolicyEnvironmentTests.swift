import Recipes
import TestSupport
import Workers

/// The worker sets its policy itself, independent of the environment.
struct PolicyEnvironmentTests {
  private static let denyAll = """
    <policymap><policy domain="coder" rights="none" pattern="*"/></policymap>
    """
  private static let allowAll = """
    <policymap><policy domain="coder" rights="read|write" pattern="*"/>
    <policy domain="module" rights="read|write" pattern="*"/>
    <policy domain="path" rights="read|write" pattern="*"/></policymap>
    """

  /// I20: a denying, broken, empty or missing policy and a permissive home folder have no effect.
  @Test(arguments: [
    ("MAGICK_CONFIGURE_PATH", denyAll), ("MAGICK_CONFIGURE_PATH", "<policymap><pol"),
    ("MAGICK_CONFIGURE_PATH", ""), ("MAGICK_CONFIGURE_PATH", nil),
    ("MAGICK_CONFIGURE_PATH", allowAll), ("HOME", allowAll), ("XDG_CONFIG_HOME", allowAll),
  ])
  func `a policy from the environment has no effect`(variable: String, policy: String?) throws {
    let bench = Bench()
    let home = "\(bench.folder)/home"
    // ImageMagick looks in these subfolders of the home folder.
    for name in ["", "/ImageMagick", "/.config/ImageMagick", "/.magick"] {
      if let policy { _ = try bench.write(policy, to: "home\(name)/policy.xml") }
    }
    try expectNoEffect(of: variable, home, on: bench)
  }

  /// I20: limits in the environment, which ImageMagick would apply, have no effect.
  @Test(arguments: [
    ("MAGICK_MEMORY_LIMIT", "1KB"), ("MAGICK_WIDTH_LIMIT", "1"), ("MAGICK_CODER_MODULE_PATH", "/"),
  ])
  func `a limit from the environment has no effect`(variable: String, value: String) throws {
    try expectNoEffect(of: variable, value, on: Bench())
  }

  private func expectNoEffect(of variable: String, _ value: String, on bench: Bench) throws {
    // The pool does not pass these variables on, so a wrapper script sets them.
    let program = try bench.write(
      """
      #!/bin/sh
      export \(variable)='\(value)'
      exec '\(BuiltProduct.worker)' "$@"
      """, to: "sitegen", executable: true)
    let pool = WorkerPool(program: program, width: 1)
    let request = Samples.raster(recipes: Samples.recipes())
    let plain = bench.pool()
    #expect(try pool.render(request) { false } == plain.render(request) { false })
    #expect(try pool.fingerprint().text == plain.fingerprint().text)
    let drawing = Data("<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>".utf8)
    let outcomes = try pool.render(Samples.png(drawing, side: 8)) { false }
    guard case .failure? = outcomes.first else {
      Issue.record("an SVG was rendered as a PNG")
      return
    }
  }

  /// I20: a worker that cannot write its policy reports it and renders nothing.
  @Test func `a worker that cannot write its policy does not render`() throws {
    let bench = Bench()
    // Writing to files fails, but does not end the process.
    let program = try bench.write(
      """
      #!/bin/sh
      trap '' XFSZ
      ulimit -f 0
      exec '\(BuiltProduct.worker)' "$@"
      """, to: "sitegen", executable: true)
    let pool = WorkerPool(program: program, width: 1)
    guard case .failure(.refused(let reason)) = pool.result(of: Samples.raster()) else {
      Issue.record("expected the worker not to start")
      return
    }
    #expect(reason.contains("policy.xml"))
  }
}
