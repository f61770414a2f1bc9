import Diagnostics
import Documents
import Recipes

/// Reads the lists that `users: { from: … }` names, one after the other.
struct ListReader {
  private let wanted: PersonFields
  private let files: ManifestReader.Files
  private let allowOutside: Bool
  private let allowShrink: Bool
  private let network: NetworkSettings
  private var people: PersonReader
  /// Records of all lists so far.
  private var count = 0
  /// What was read, in words.
  private var kinds: Set<String> = []

  init(
    _ wanted: PersonFields, files: ManifestReader.Files, allowOutside: Bool, allowShrink: Bool,
    network: NetworkSettings
  ) {
    self.wanted = wanted
    self.files = files
    self.allowOutside = allowOutside
    self.allowShrink = allowShrink
    self.network = network
    people = PersonReader(wanted)
  }

  /// Reads a file, all files that a pattern matches, or a folder of pictures or Markdown files.
  mutating func read(_ field: Field, _ users: inout UserReader) {
    guard var name = users.fields.text(field) else { return }
    let manifest = users.fields.file
    defer {
      users.fields.file = manifest
      users.fields.isTabular = false
      users.fields.isForgiving = false
    }
    users.startList()
    switch name.contains("://") ? AvatarSource.Kind(source: name) : nil {
    case .remote(.url(let url)): return read(at: url, field, manifest, &users)
    // It may have a password in it.
    case .faulty(let rejection):
      return users.fields.report(
        .badAddress, "the address of the list cannot be used", field, note: rejection.detail)
    default: break
    }
    while name.hasSuffix("/"), name.utf8.count > 1 { name.removeLast() }
    let last = parts(of: name).name
    let isPattern = name.contains { $0 == "*" || $0 == "?" }
    if !isPattern, Syntax(fileName: name) != nil {
      return read(name, field, manifest, isOneOfMany: false, &users)
    }
    // What lies in folders below is meant by `**` alone.
    let isFolder = !isPattern || last == "**"
    let start = name.hasPrefix("/") ? "/" : ""
    do throws(ManifestReader.Refusal) {
      var search = ListSearch(files: files, allowOutside: allowOutside)
      let folders = name.split(separator: "/").map(String.init)
      try search.find(start, folders[...], isFolder: !isPattern)
      // `authors/ada/_index.md`, as in Hugo.
      let mayBeBundles = !isPattern && search.found.isEmpty
      for page in ["index.md", "_index.md"] where mayBeBundles {
        let pattern = folders.filter { $0 != "." } + ["*", page]
        try search.find(start, pattern[...], isFolder: false)
      }
      var names = search.found.map(\.text)
        .filter { ![parts(of: manifest).name, ManifestSchema.fileName].contains($0) }
        .sorted {
          let (left, right) = ($0.lowercased(), $1.lowercased())
          return left == right ? $0.utf8.lexicographicallyPrecedes($1.utf8) : left < right
        }
      let lists = names.filter { Syntax(fileName: $0).map { $0 != .markdown } ?? false }
      if isFolder, let list = lists.first {
        let other =
          names.first { $0.isPictureName || Syntax(fileName: $0) == .markdown } ?? lists.last
        let ending = list.lastIndex(of: ".").map { String(list[$0...]) } ?? ""
        let all =
          lists.count > 1 && lists.allSatisfy { $0.hasSuffix(ending) }
          ? ", or all of them, as in \(parts(of: list).folder)*\(ending)" : ""
        return users.fields.report(
          .unknownValue, "in the folder are lists, such as \(list.quoted)", field,
          note: other.flatMap { $0 == list ? nil : "and \($0.quoted)" },
          help: "name what is wanted, as in \(list)\(all)")
      }
      // Pictures beside pages belong to them, unless these are only words beside pictures.
      let pictures = names.filter(\.isPictureName)
      if pictures.count < names.count { names.removeAll(where: \.isPictureName) }
      // The last person may have left.
      if names.isEmpty {
        let place = name == "." ? "the folder" : name.quoted
        users.fields.report(
          .warning, .usersUnreadable,
          !isFolder
            ? "no file is called like \(place)" : "no picture and no Markdown file is in \(place)",
          at: field.node.position, field.path, help: ListReader.help)
      }
      guard names.count <= ManifestLimits.userFiles else {
        return users.fields.report(
          .tooMany, "\(names.count) files are too many, allowed are \(ManifestLimits.userFiles)",
          field)
      }
      let before = users.users.count
      for name in names {
        if name.isPictureName {
          read(picture: name, manifest, &users)
        } else {
          read(name, field, manifest, isOneOfMany: true, &users)
        }
      }
      guard !names.contains(where: \.isPictureName), users.users.count == before else { return }
      for name in pictures { read(picture: name, manifest, &users) }
    } catch {
      guard !isPattern else { return report(error, name, field, manifest, &users) }
      users.fields.report(
        .unknownValue, "\(name.quoted) is no list of users", field,
        note: name.hasSuffix(".toml") ? "TOML is not read" : error.cause,
        help: ListReader.help)
    }
  }

  private static let help =
    "the name ends in .csv, .tsv, .json, .jsonl, .yaml, .vcf or .md, or is a folder of pictures or "
    + ".md files"

  /// Tells what was not found in any list, and if asked what was taken for what.
  mutating func finish(_ users: inout UserReader, from field: Field, explains: Bool) {
    people.finish(&users.fields)
    guard explains, !kinds.isEmpty, !users.users.isEmpty else { return }
    let count = users.users.count == 1 ? "1 person" : "\(users.users.count) people"
    users.fields.report(
      .note, .usersGuess,
      "\(count) from \(kinds.sorted().joined(separator: ", "))"
        + (people.guess.map { ": " + $0 } ?? ""),
      at: field.node.position, field.path,
      help: people.guess.map { _ in "where it is wrong, say what is what in `fields`" })
  }

  /// A person with this picture, and the name that it has.
  private mutating func read(
    picture path: String, _ manifest: String, _ users: inout UserReader
  ) {
    users.fields.isForgiving = true
    users.fields.file = parts(of: manifest).folder + path
    kinds.insert("pictures")
    people.page = Page(path: path, isMarkdown: false)
    // Before a colon would stand a scheme.
    let avatar = Node(.scalar(Scalar("./" + path, style: .quoted)), at: .wholeFile)
    let entry = Entry(key: "avatar", keyPosition: .wholeFile, value: avatar)
    users.read(Node(.mapping([entry]), at: .wholeFile), index: count, through: &people)
    count += 1
  }

  /// A list on the network, or the one that was kept where this one cannot be used.
  private mutating func read(
    at url: String, _ field: Field, _ manifest: String, _ users: inout UserReader
  ) {
    let place = WebURL.spelling(of: url)
    do throws(ManifestReader.Refusal) {
      let list = try files.fetch(url, network)
      func trial(_ bytes: [UInt8]) -> (lists: ListReader, users: UserReader) {
        var (lists, users) = (self, users)
        lists.people.outside = nil
        lists.people.isFetched = true
        users.fetched = UserReader.Fetched(base: url)
        let syntax = Syntax(fileName: String(url.prefix { $0 != "?" })) ?? Syntax(sniffing: bytes)
        lists.read(
          parts(of: place).name, syntax, as: place, field, manifest, isOneOfMany: false, &users
        ) { () throws(ManifestReader.Refusal) in
          guard bytes.first(where: { $0 > 0x20 }) != UInt8(ascii: "<") else {
            throw ManifestReader.Refusal(
              "it is a page, and no list", help: "name the address of the file itself")
          }
          return bytes
        }
        lists.people.isFetched = false
        return (lists, users)
      }
      let errors = users.fields.diagnostics.count(.error)
      var new = trial(list.bytes)
      var isGood = new.users.fields.diagnostics.count(.error) == errors
      var told = list.staleness.map { ("cannot fetch", $0) }
      if let former = list.former.map(trial), let people = former.users.fetched?.ids {
        let lost = people.subtracting(new.users.fetched?.ids ?? []).count
        if !isGood {
          let problem = new.users.fields.diagnostics.sorted.first { $0.severity == .error }
          told = ("cannot read", problem?.message ?? "")
          new = former
        } else if lost * 2 > people.count, !allowShrink {
          (new, isGood) = (former, false)
          new.users.fields.file = manifest
          new.users.fields.report(
            .warning, .usersShrunk,
            "\(lost) of \(people.count) people are gone from \(place); the earlier list is used",
            at: field.node.position, field.path,
            help: "if they have left, build with --allow-shrink")
        }
      }
      list.settle(isGood)
      (self, users) = new
      users.fetched = nil
      guard let told else { return }
      users.fields.file = manifest
      users.fields.report(
        .warning, .sourceStale, "\(told.0) \(place); the list of an earlier time is used",
        at: field.node.position, field.path, note: told.1)
    } catch {
      report(error, place, field, manifest, &users)
    }
  }

  private mutating func read(
    _ name: String, _ field: Field, _ manifest: String, isOneOfMany: Bool,
    _ users: inout UserReader
  ) {
    guard let syntax = Syntax(fileName: name) else { return }
    // Pictures of a list that lies elsewhere lie there, too.
    people.outside = name.hasPrefix("../") || name.hasPrefix("/") ? parts(of: name).folder : nil
    read(
      name, syntax, as: parts(of: manifest).folder + name, field, manifest,
      isOneOfMany: isOneOfMany, &users
    ) { [files, allowOutside] () throws(ManifestReader.Refusal) in
      try files.open(name, allowOutside)
    }
  }

  /// One of many files costs a warning where it cannot be read, since the others stay.
  private mutating func read(
    _ name: String, _ syntax: Syntax, as file: String, _ field: Field, _ manifest: String,
    isOneOfMany: Bool, _ users: inout UserReader,
    open: () throws(ManifestReader.Refusal) -> [UInt8]
  ) {
    let isTree = syntax == .json || syntax == .yaml
    let isPage = syntax == .markdown
    kinds.insert(syntax.name)
    people.page = isPage ? Page(path: name, isMarkdown: true) : nil
    if isPage, isOneOfMany, parts(of: name).name.isBundle {
      let picture = picture(in: parts(of: name).folder)
      people.page?.besides = picture
    }
    users.fields.file = file
    users.fields.isTabular = syntax == .csv || syntax == .tsv
    users.fields.isForgiving = true
    let start = count
    do {
      let bytes = try open()
      var records = RecordReader(bytes, syntax: syntax, file: file, limits: .people)
      do {
        guard !isTree || wanted.at == nil && !isOneOfMany else {
          throw Diagnostic(.error, .listExpected, "")
        }
        while let record = try records.next() {
          users.fields.hasSemicolons = record.cellSeparator == UInt8(ascii: ";")
          // Names alone are people too.
          let named = record.node.namedRecord
          for problem in named == nil ? record.problems : [] {
            users.report(problem, index: count)
          }
          if let node = record.isBroken ? named : record.node {
            users.read(node, index: count, through: &people)
          }
          count += 1
        }
      } catch let error as Diagnostic
        where error.id == DiagnosticID.listExpected.rawValue && isTree && count == start
      {
        // The list lies somewhere in the document, which is then read as a whole.
        let document = try Document(
          reading: bytes, syntax: syntax, file: file, limits: .people)
        for var problem in document.problems {
          problem.severity = .warning
          users.fields.diagnostics.add(problem)
        }
        if isOneOfMany, wanted.at == nil, document.root.isMapping {
          people.page = Page(path: name, isMarkdown: false)
        }
        for node in try document.people(at: wanted.at, isOne: isOneOfMany) {
          users.read(node.namedRecord ?? node, index: count, through: &people)
          count += 1
        }
      }
      if !isOneOfMany { people.noteNearMisses(&users.fields) }
    } catch var error as Diagnostic {
      if isOneOfMany || isPage { error.severity = .warning }
      users.fields.diagnostics.add(error)
    } catch {
      users.fields.isForgiving = isOneOfMany
      report(error as? ManifestReader.Refusal, name, field, manifest, &users)
    }
  }

  /// Of a bundle of files its only picture, or the one that says so.
  private func picture(in folder: String) -> String? {
    let names = (try? files.list(folder.isEmpty ? "." : folder, allowOutside)) ?? []
    let pictures = names.filter { $0.isPictureName && !$0.hasPrefix(".") }
    return (pictures.count == 1 ? pictures : pictures.filter { $0.hasPrefix("avatar.") }).first
      .map { folder + $0 }
  }

  private func report(
    _ refusal: ManifestReader.Refusal?, _ name: String, _ field: Field, _ manifest: String,
    _ users: inout UserReader
  ) {
    users.fields.file = manifest
    users.fields.report(
      .usersUnreadable, "cannot read \(name.shortened)", field,
      note: refusal?.cause, help: refusal?.help ?? "paths are relative to the manifest")
  }
}

/// A file that is one person.
struct Page {
  let path: String
  let isMarkdown: Bool

  var isPicture: Bool { path.isPictureName }

  /// What the page may mean where it names no picture.
  var besides: String?

  /// The file's name without its ending, of a bundle that of its folder.
  var name: String {
    var (folder, name) = parts(of: path)
    if isMarkdown, name.isBundle, !folder.isEmpty {
      folder.removeLast()
      return parts(of: folder).name
    }
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  /// A picture beside the file, if it is named so; others are named as in all lists.
  func picture(_ text: String) -> String {
    let isBeside = text.hasPrefix("./") || text.hasPrefix("../")
    guard isBeside || isMarkdown && !text.contains("/"),
      case .file? = AvatarSource.Kind(source: text)
    else { return text }
    return parts(of: path).folder + (text.hasPrefix("./") ? String(text.dropFirst(2)) : text)
  }
}

/// The folder with its slash at the end, empty for a bare name, and what is behind it.
func parts(of path: String) -> (folder: String, name: String) {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
  let next = path.utf8.index(after: slash)
  return (String(path[..<next]), String(path[next...]))
}

extension String {
  /// Whether it ends as names of pictures do.
  package var isPictureName: Bool {
    let ending = lastIndex(of: ".").map { self[$0...].dropFirst().lowercased() } ?? ""
    return Inspection.Format.endings.contains(ending)
  }
}

extension DocumentLimits {
  /// Beside what we read there may be whole lives.
  fileprivate static var people: DocumentLimits {
    var limits = DocumentLimits.standard
    limits.scalarBytes = 64 << 10
    return limits
  }
}

extension UserReader {
  /// A record of somebody else's list.
  fileprivate mutating func read(_ node: Node, index: Int, through people: inout PersonReader) {
    let path = NodePath.item(index, of: .key("users", in: .root))
    guard let person = people.person(node, &fields, path) else { return }
    read(person.node, index: index, hasOwnID: person.isNamed, hasMailID: person.hasMailID)
  }
}
