import Bytes
import CWorkbook
import Diagnostics

/// An Excel workbook (Office Open XML): a ZIP archive of XML files.
@safe package final class Workbook {
  package static let libraryHelp =
    "install them: apt install libzip4 libexpat1 (on Debian 13, libzip5 instead of libzip4)"

  let limits: DocumentLimits
  private let file: String
  private var functions = workbook_functions()
  private var archive: OpaquePointer?
  private var parser: OpaquePointer?
  /// The number of bytes that may still be inflated; sizes in the archive are not trusted.
  private var inflatable: Int
  var failure: Diagnostic?

  /// Package relationships; `kind` is the last component of the relationship type.
  var parts: [(id: String, kind: Substring, path: String)] = []
  var sheets: [(name: String, isHidden: Bool, id: String)] = []
  var strings: [String] = []
  var rows: [[CSVRows.Cell]] = []
  var merged: (line: Int, cells: String)?
  var maxRows: Int?
  /// The number of cells, including gaps between them, and the total size of their texts.
  var size = (cells: 0, bytes: 0)
  var line = 0
  var column = 0
  var kind: String?
  var text: [UInt8] = []
  var keepsText = false
  var isPhonetic = false

  init(_ bytes: [UInt8], file: String, limits: DocumentLimits) throws(Diagnostic) {
    (self.file, self.limits, inflatable) = (file, limits, limits.listBytes)
    guard !bytes.isEmpty else { throw .empty(file: file) }
    guard bytes.count <= limits.bytes else { throw problem("is larger than \(limits.bytes) bytes") }
    // An encrypted workbook is an OLE file.
    if bytes.starts(with: [0xD0, 0xCF]),
      bytes.contains("EncryptedPackage".utf16.flatMap { [UInt8($0), 0] })
    {
      throw problem(
        "is password-protected",
        help:
          "in Excel: File > Info > Protect Workbook > Encrypt with Password, and clear the field")
    }
    if let reason = unsafe workbook_load(&functions) {
      throw problem("cannot be read: \(unsafe String(cString: reason))", help: Self.libraryHelp)
    }
    unsafe archive = workbook_open(&functions, bytes, bytes.count)
    guard unsafe archive != nil else {
      throw problem(
        "is not an .xlsx file", help: "in Excel: File > Save As > Excel Workbook (.xlsx)")
    }
  }

  deinit { if let archive = unsafe archive { unsafe functions.zip_discard(archive) } }

  package static func missingLibrary() -> String? {
    var functions = workbook_functions()
    return unsafe workbook_load(&functions).map { unsafe String(cString: $0) }
  }

  func problem(_ reason: String, help: String? = nil) -> Diagnostic {
    Diagnostic(.workbook, "the workbook \(reason)", file: file, at: nil, help: help)
  }

  func read(_ path: String) throws(Diagnostic) {
    guard let entry = unsafe workbook_open_file(&functions, archive, path) else {
      throw problem("is damaged: \(path.quoted) is missing")
    }
    defer { _ = unsafe functions.zip_fclose(entry) }
    guard let parser = unsafe workbook_parser(&functions) else { throw problem("exhausted memory") }
    unsafe self.parser = parser
    defer {
      unsafe functions.XML_ParserFree(parser)
      unsafe self.parser = nil
    }
    unsafe functions.XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe functions.XML_SetElementHandler(parser) { book, name, attributes in
      unsafe Workbook.of(book).start(Workbook.localName(name), Workbook.values(attributes))
    } _: { book, name in
      unsafe Workbook.of(book).end(Workbook.localName(name))
    }
    unsafe functions.XML_SetCharacterDataHandler(parser) { book, text, count in
      unsafe Workbook.of(book).add(UnsafeRawBufferPointer(start: text, count: Int(count)))
    }
    // Reject a DOCTYPE, because the entities that it declares could expand without limit.
    unsafe functions.XML_SetStartDoctypeDeclHandler(parser) { book, _, _, _, _ in
      unsafe Workbook.of(book).fail("is rejected: it contains a DOCTYPE")
    }
    // Expat reparses an unfinished tag with each chunk, so use large chunks.
    var piece = [CChar](repeating: 0, count: 1 << 20)
    var count = 0
    repeat {
      count = unsafe Int(functions.zip_fread(entry, &piece, UInt64(piece.count)))
      guard count >= 0 else { throw problem("is damaged: cannot inflate \(path.quoted)") }
      inflatable -= count
      guard inflatable >= 0 else { throw problem("inflates to over \(limits.listBytes) bytes") }
      let status = unsafe functions.XML_Parse(parser, piece, Int32(count), count == 0 ? 1 : 0)
      if let failure { throw failure }
      guard status == XML_STATUS_OK else {
        throw problem("is damaged: cannot parse \(path.quoted)")
      }
    } while count > 0
  }

  func fail(_ reason: String) {
    if failure == nil { failure = problem(reason) }
    if let parser = unsafe parser { _ = unsafe functions.XML_StopParser(parser, 0) }
  }

  private func add(_ piece: UnsafeRawBufferPointer) {
    guard keepsText, failure == nil else { return }
    unsafe text += piece
    if text.count > limits.dataScalarBytes { fail("contains text that is too long") }
  }

  private static func of(_ book: UnsafeMutableRawPointer?) -> Workbook {
    guard let book = unsafe book else { preconditionFailure("expat did not pass the workbook") }
    return unsafe Unmanaged<Workbook>.fromOpaque(book).takeUnretainedValue()
  }

  private static func localName(_ name: UnsafePointer<CChar>?) -> String {
    let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
    return name.utf8.lastIndex(of: Byte.colon).map { String(name[$0...].dropFirst()) } ?? name
  }

  private static func values(
    _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) -> [String: String] {
    var values: [String: String] = [:]
    var next = unsafe attributes
    while let pair = unsafe next, let name = unsafe pair[0], let value = unsafe pair[1] {
      unsafe values[localName(name)] = String(cString: value)
      unsafe next = pair + 2
    }
    return values
  }
}
