/// What the author of a template is told.
extension Parser {
  func checkDepth(_ tag: Tag) throws(MustacheError) {
    guard frames.count > Limits.nesting else { return }
    throw source.error(
      "template-too-deep", "more than \(Limits.nesting) sections are open here",
      at: tag.range.lowerBound, help: "move a part into a template of its own")
  }

  func check(_ tag: Tag, closes frame: Frame) throws(MustacheError) {
    let label = abridged(try tag.label(in: source))
    if case .root = frame.kind {
      throw source.error(
        "template-unexpected-close", "{{/\(label)}} closes nothing", at: tag.range.lowerBound,
        help: "remove it, or open {{#\(label)}} before it")
    }
    guard try tag.label(in: source) == frame.label else {
      let open = abridged(frame.label)
      let (line, column) = source.place(of: frame.range.lowerBound)
      throw source.error(
        "template-mismatched-close", "{{/\(label)}} stands where \(open) is to be closed",
        at: tag.range.lowerBound, note: "\(open) was opened at \(source.file):\(line):\(column)",
        help: "write {{/\(open)}} first")
    }
  }

  func checkAllAreClosed() throws(MustacheError) {
    guard frames.count > 1 else { return }
    let open = frames[frames.count - 1]
    throw source.error(
      "template-unclosed-section", "\(abridged(open.label)) is never closed",
      at: open.range.lowerBound, help: "close it with {{/\(abridged(open.label))}}")
  }

  func checkIsNew(_ argument: Frame) throws(MustacheError) {
    let twin = frames[frames.count - 1].arguments.first { $0.name == argument.label }
    guard let twin else { return }
    let (line, column) = source.place(of: twin.offset)
    throw source.error(
      "template-duplicate-block", "the block \(abridged(argument.label)) is filled twice",
      at: argument.range.lowerBound, note: "first at \(source.file):\(line):\(column)",
      help: "keep one of the two")
  }
}
