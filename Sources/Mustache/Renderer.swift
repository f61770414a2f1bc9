import Bytes
import Diagnostics

struct Renderer {
  let templates: TemplateSet
  private(set) var output: [UInt8] = []

  private var template: Template
  /// The context stack; the innermost value comes last.
  private var values: [Value]
  /// The overrides from the open parent tags, outermost first; the outermost override wins.
  private var fillings: [Filling] = []
  private var indentation: [UInt8] = []
  /// The output offset at which an inline block began; indentation is not repeated there.
  private var startedLine = -1
  private var level = 0

  private struct Filling {
    let arguments: [Block]
    let template: Template
  }

  init(templates: TemplateSet, template: Template, value: Value) {
    self.templates = templates
    self.template = template
    values = [value]
    output.reserveCapacity(1 << 16)
  }

  mutating func write(_ nodes: [Node]) throws(Diagnostic) {
    for node in nodes {
      switch node {
      case .text(let range, let startsLine): writeText(range, startsLine: startsLine)
      case .lineStart: startLine()
      case .value(let path, let isEscaped): writeValue(path, isEscaped: isEscaped)
      case .section(let path, let content, isInverted: false): try writeSection(path, content)
      case .section(let path, let content, isInverted: true):
        if !(find(path)?.isTrue ?? false) { try descend(path.offset, content) }
      case .partial(let inclusion): try include(inclusion, arguments: [])
      case .parent(let inclusion, let arguments): try include(inclusion, arguments: arguments)
      case .block(let block): try writeBlock(block)
      }
    }
  }

  private mutating func writeText(_ range: Range<Int>, startsLine: Bool) {
    let text = template.source.bytes[range]
    guard !indentation.isEmpty else {
      output.append(contentsOf: text)
      return
    }
    if startsLine { startLine() }
    var start = text.startIndex
    while let newline = text[start...].firstIndex(of: Byte.newline), newline + 1 < text.endIndex {
      output.append(contentsOf: text[start...newline])
      output.append(contentsOf: indentation)
      start = newline + 1
    }
    output.append(contentsOf: text[start...])
  }

  private mutating func startLine() {
    if output.count != startedLine { output.append(contentsOf: indentation) }
  }

  private mutating func writeValue(_ path: Path, isEscaped: Bool) {
    switch find(path) {
    case .text(let text) where isEscaped: Markup.append(text, to: &output)
    case .text(let text): output.append(contentsOf: text.utf8)
    case .number(let number): output.append(contentsOf: String(number).utf8)
    case .bool(let bool): output.append(contentsOf: (bool ? "true" : "false").utf8)
    case .absent, .list, .record, nil: break
    }
  }

  /// Looks up the first key from the innermost context outwards, and the other keys in its value.
  private func find(_ path: Path) -> Value? {
    guard let first = path.keys.first else { return values.last }
    for outer in values.reversed() {
      guard case .record(let record) = outer, var value = record[first] else { continue }
      for key in path.keys.dropFirst() {
        guard case .record(let inner) = value, let next = inner[key] else { return nil }
        value = next
      }
      return value
    }
    return nil
  }

  private mutating func writeSection(_ path: Path, _ content: [Node]) throws(Diagnostic) {
    switch find(path) {
    case .list(let items):
      for item in items { try write(content, with: item, at: path.offset) }
    case let value?:
      if value.isTrue { try write(content, with: value, at: path.offset) }
    case nil: break
    }
  }

  private mutating func write(
    _ content: [Node], with value: Value, at offset: Int
  ) throws(Diagnostic) {
    values.append(value)
    try descend(offset, content)
    values.removeLast()
  }

  private mutating func include(_ inclusion: Inclusion, arguments: [Block]) throws(Diagnostic) {
    guard let included = find(inclusion) else { return }
    let outer = (template, indentation, fillings)
    indentation.append(contentsOf: template.source.bytes[inclusion.indentation])
    if !arguments.isEmpty { fillings.append(Filling(arguments: arguments, template: template)) }
    template = included
    try descend(inclusion.offset, included.nodes, from: outer.0)
    (template, indentation, fillings) = outer
  }

  /// Returns nil if a dynamic name refers to a template that is not loaded.
  private func find(_ inclusion: Inclusion) -> Template? {
    switch inclusion.target {
    case .fixed(let name): return templates[name]
    case .dynamic(let path):
      guard case .text(let name)? = find(path) else { return nil }
      return templates[name]
    }
  }

  /// Renders a block's override, or the block's default if it is not overridden.
  ///
  /// Only outer parent tags can override blocks inside the override.
  private mutating func writeBlock(_ block: Block) throws(Diagnostic) {
    for (index, filling) in fillings.enumerated() {
      guard let argument = filling.arguments.first(where: { $0.name == block.name }) else {
        continue
      }
      let outer = (template, indentation, fillings)
      indentation.append(contentsOf: template.source.bytes[block.indentation])
      fillings.removeSubrange(index...)
      template = filling.template
      if !block.startsLine {
        startedLine = output.count
      } else if !argument.startsLine {
        startLine()
      }
      try descend(argument.offset, argument.content)
      (template, indentation, fillings) = outer
      return
    }
    try descend(block.offset, block.content)
  }

  /// Renders nodes one level deeper; `offset` is a position in `caller` or the current template.
  private mutating func descend(
    _ offset: Int, _ nodes: [Node], from caller: Template? = nil
  ) throws(Diagnostic) {
    guard level < Limits.levels else {
      throw (caller ?? template).source.error(
        .templateRecursion, "more than \(Limits.levels) sections and templates are open here",
        at: offset, help: "does a template include itself?")
    }
    level += 1
    try write(nodes)
    level -= 1
  }
}

extension Value {
  fileprivate var isTrue: Bool {
    switch self {
    case .absent: false
    case .text(let text): !text.isEmpty
    case .bool(let bool): bool
    case .number(let number): number != 0
    case .list(let items): !items.isEmpty
    case .record: true
    }
  }
}
