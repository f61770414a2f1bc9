package import Bytes
package import Manifest
package import Recipes

/// One source, and the images that are wanted of it.
package struct Job: Sendable {
  package var source: Source
  /// The number of a source of users.
  package var number = 0
  /// The variants of styles in which users want it, ascending.
  package var variants: [Int] = []
  /// What the site wants of it.
  package var siteImages: [SiteImage] = []
  /// Of every image of the variants, then of the site.
  package var recipes: [Recipe] = []
  /// The render keys, in the order of the recipes.
  package var keys: [Digest] = []

  package init(_ source: Source, number: Int = 0, variants: [Int] = []) {
    self.source = source
    self.number = number
    self.variants = variants
  }

  package var slots: [SlotID] { variants.map { SlotID(source: number, variant: $0) } }
}

/// What must be there in the end: pure bookkeeping, nothing outside is touched.
package struct Plan: Sendable {
  /// One for each source, in the order of the first who need it.
  package private(set) var jobs: [Job] = []
  /// Images that are wanted, before equal ones are made one.
  package private(set) var wanted = 0

  /// Plans for the users who are pending; the others have what they need.
  ///
  /// `variants` gets the variants that these users turn out to need.
  package init(
    _ assignment: SourceAssignment, users: [User], variants: inout StyleVariants,
    sources: SourceSet
  ) {
    var indices: [Int: Int] = [:]
    /// Of sources whose users do not all want the same.
    var mixed: [Int: Set<Int>] = [:]
    for user in assignment.pending {
      guard let source = assignment.assignments[user].source else { continue }
      let own = variants.add(users[user], sources.sources[source])
      wanted += own.reduce(0) { $0 + variants.plan(of: $1).picture.count }
      if let index = indices[source] {
        if jobs[index].variants != own {
          mixed[index, default: Set(jobs[index].variants)].formUnion(own)
        }
      } else {
        indices[source] = jobs.count
        jobs.append(Job(sources.sources[source], number: source, variants: own.sorted()))
      }
    }
    for (index, variants) in mixed { jobs[index].variants = variants.sorted() }
  }

  /// Plans images of the site.
  package init(_ siteImages: [SiteImage]) {
    var indices: [Digest: Int] = [:]
    wanted = siteImages.count
    for siteImage in siteImages {
      let index = indices[siteImage.source.digest] ?? jobs.count
      if index == jobs.count {
        indices[siteImage.source.digest] = index
        jobs.append(Job(siteImage.source))
      }
      jobs[index].siteImages.append(siteImage)
    }
  }
}
