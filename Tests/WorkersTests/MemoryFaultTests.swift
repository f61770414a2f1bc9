import Recipes
import TestSupport
import Workers

/// Workers in which the nth memory allocation of a job fails.
@Suite(.needs(Need("a C compiler", file: "/usr/bin/cc"))) struct MemoryFaultTests {
  private let folder = TemporaryFolder(inMemory: true)
  private let pool: WorkerPool

  init() throws {
    let library = folder.path(of: "no_memory.so")
    let source = Checkout.root.appending(path: "script/no_memory.c").path
    let words = ["cc", "-O2", "-shared", "-fPIC", "-o", library, source]
    try #require(try RunningProgram(words).ending().status == 0)
    let program = try folder.program(
      """
      #!/bin/sh
      export LD_PRELOAD='\(library)' SITEGEN_TEST_MEMORY='\(folder.path(of: "page"))'
      exec '\(BuiltProduct.worker)' "$@"
      """)
    pool = WorkerPool(program: program, width: 1, environment: [:])
    try folder.write([UInt8](repeating: 0, count: 32), to: "page")
  }

  /// Makes `count` allocations fail in each job from now on, starting with allocation `number`.
  private func disturb(_ number: Int, count: Int) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path(of: "page")))
    let bytes = [number, count].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
    try file.write(contentsOf: bytes)
  }

  private static let sources: [Data] = {
    let pixel = TestPicture.gradient(width: 20, height: 16)
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><circle r='4'/></svg>"
    return [
      TestPicture.png(width: 20, height: 16, pixel: pixel),
      TestPicture.jpeg(width: 20, height: 16, pixel: pixel),
      TestPicture.webp(width: 20, height: 16, pixel: pixel), Data(drawing.utf8),
    ] + Inspection.Format.samples.map(\.file)
  }()

  /// Fails the allocations selected by `choose`; each image must be correct or missing.
  private func disturb(_ request: RenderRequest, counts: [Int], choose: (Int) -> [Int]) throws {
    let expected = try pool.result(of: request).get()
    #expect(expected.allSatisfy { (try? $0.get()) != nil })
    // A worker's first job allocates more, because it fills caches.
    #expect(pool.result(of: request) == .success(expected))
    let page = try folder.read("page")
    let requests = Int(page[16]) + Int(page[17]) << 8
    #expect(requests > 50)
    var failures = 0
    for number in choose(requests) {
      for count in counts {
        try disturb(number, count: count)
        let result = pool.result(of: request)
        for (outcome, wanted) in zip((try? result.get()) ?? [], expected) {
          if case .success = outcome { #expect(outcome == wanted, "request \(number)") }
        }
        #expect(result != .failure(.hung), "request \(number)")
        if result != .success(expected) { failures += 1 }
        // A failure must not affect the next job.
        try disturb(0, count: 0)
        #expect(pool.result(of: request) == .success(expected), "after request \(number)")
      }
    }
    #expect(failures > 0)
  }

  /// I18: without memory, a worker exits or rejects the picture, and never renders a wrong one.
  @Test(arguments: sources) func `a failed allocation never changes a picture`(file: Data) throws {
    let inspection = try Inspection(inspecting: file)
    let recipes = OutputFormat.allCases.map { output in
      var recipe = Samples.recipe(side: 16, output)
      if !output.hasAlpha { recipe.effects = [.matte(.white)] }
      return recipe
    }
    let reduction = inspection.reduction(for: recipes[0].frame)
    var random = SeededRandom(seed: UInt64(file.count))
    try disturb(
      RenderRequest(
        source: .encoded(inspection, reduction: reduction), payload: file, recipes: recipes),
      counts: [1, .max / 2]
    ) { requests in
      Extent.isAll
        ? Array(stride(from: 1, through: requests, by: 20))
        : (0..<3).map { _ in 1 + random.next(upTo: requests) }
    }
  }

  /// A picture with few colours, which is encoded losslessly.
  private static let flat: RenderRequest = {
    var pixels: [UInt8] = []
    for place in 0..<1_600 {
      let (column, row) = (UInt8(place % 40 / 8), UInt8(place / 320))
      pixels += [column * 40, column * 40, row * 40, 255]
    }
    let recipe = Samples.recipe(side: 40, .webp)
    return RenderRequest(source: .raster(recipe.size), payload: Data(pixels), recipes: [recipe])
  }()

  /// libwebp may report success but return a corrupt file.
  @Test func `a failed allocation never corrupts a WebP`() throws {
    try disturb(Self.flat, counts: [1]) { Array(1...$0) }
  }

  @Test(arguments: [1, 37]) func `encoding a WebP ignores a stray errno`(step: Int) throws {
    // A picture with many colours is encoded lossily, but its alpha losslessly.
    let pixels = (0..<6_400).map { UInt8(truncatingIfNeeded: $0 * $0 * step / 7) }
    let recipe = Samples.recipe(side: 40, .webp)
    let noise = RenderRequest(
      source: .raster(recipe.size), payload: Data(pixels), recipes: [recipe])
    for request in [Self.flat, noise] {
      try disturb(0, count: 0)
      let expected = try pool.result(of: request).get()
      #expect(expected.allSatisfy { (try? $0.get()) != nil })
      try disturb(1, count: -1)
      #expect(pool.result(of: request) == .success(expected))
    }
  }
}
