/// Texts of all ids, repeated in docs/reference (diagnostics.md, cli.md) and templates/README.md.
extension DiagnosticID {
  /// The meaning and the advice, a sentence each; nil if each diagnostic has its own help.
  package static let texts: [String: (meaning: String, advice: String?)] = {
    let rows = table.split(separator: "\n").map { $0.split(separator: " | ").map(String.init) }
    return Dictionary(
      uniqueKeysWithValues: rows.map { ($0[0], ($0[1], $0.count > 2 ? $0[2] : nil)) })
  }()

  package static func help(for id: String) -> String? {
    texts[id]?.advice.map { $0.prefix(1).lowercased() + $0.dropFirst().dropLast() }
  }

  private static let table = #"""
    version-missing | The manifest does not say which version of its format it is. | Write `version: 1`, or use the sitegen that it was made for.
    version-unknown | The manifest is of a version that this sitegen does not read. | Write `version: 1`, or use the sitegen that it was made for.
    unknown-key | The key is unknown here. | Correct the spelling; the help line names the nearest key.
    missing-key | A key that cannot be left out is missing or empty. | Add the key; a colour that begins with `#` needs quotes in YAML.
    not-supported | A key or value is known, but this version cannot do it yet. | Remove it, or use what the help line names.
    wrong-type | A value has the wrong type for its key, such as text for a number. | Write the kind that the message expects; numbers, `true` and `false` have no quotes.
    unknown-value | A word is not one of those that the key takes. | Use one of the words that the help line names.
    out-of-range | A number is too small or too large, or a list is empty. | Choose a value in the range of the help line.
    too-many | A list has more values than allowed. | Name fewer, or split the site.
    bad-text | A text contains control characters, or is too long. | Remove the characters, line breaks included, or shorten the text.
    bad-color | A text is not a colour. | Write `#rgb`, `#rrggbb`, `rgb()`, `gray()` or a CSS name.
    empty-color | A colour is empty, perhaps since a `#` without quotes begins a comment. | Put the colour in quotes, or remove the key.
    bad-language | The language of the site is not a language tag. | Write a tag such as `en` or `pt-BR`.
    bad-name | The name of a style or button, or an alias, has characters that it may not have, or the name of a picture is not a person's. | Styles are named with `a-z`, `0-9` and `-`, aliases also with `_`; no name is blank or longer than 64 bytes.
    duplicate-name | Two styles or two buttons have the same name, or two users the same alias. | Give one of them another name.
    conflict | Two keys or values contradict each other. | Remove one of them.
    unknown-theme | The theme does not exist. | Correct the spelling, or write a style sheet of this name.
    bad-network | An entry of `network` is neither a network nor a host name. | Write a network such as `10.0.0.0/8`, or a name without port and path.
    unknown-style | No style has this name. | Correct the spelling, or add a style with this name.
    style-cycle | Styles inherit from each other in a cycle. | Remove `from` from one of them.
    style-too-small | A style smaller than 1 point in one direction draws nothing. | Make it larger, or remove it.
    border-skipped | A border cannot be drawn at this size and is left out. | Make the border narrower, or add `allowNonSquare: true` to it.
    jpeg-needs-background | JPEG cannot be transparent, and the style does not set a background. | Add `opaque: true` or an opaque `background`, or leave `jpeg` out.
    badge-unreadable | The picture of a badge or mask cannot be read or used. | Check the name, which is relative to the manifest, or save the picture again.
    no-face-detector | A style looks for faces, and this machine cannot. | Install the package that the help line names, or use another focus.
    max-bytes-missed | Images are larger than `maxBytes` allows, at any quality. | Allow more bytes, or make the style smaller.
    picture-same | Several people have the same picture, or one that looks the same. | Give each their own, or write `notices: { same: off }`.
    picture-small | A picture is smaller than the images made of it, which look blurred. | Save it larger, leave out the largest scale, or write `notices: { small: off }`.
    picture-faceless | A style looks for a face in a picture, and there is none. | Give the person a `focus`, or write `notices: { faceless: off }`.
    picture-truncated | A file ends early: up to a tenth of the rows are missing and repeat the last one, or a later scan is missing. | Save the picture again, or write `notices: { truncated: off }`.
    picture-unterminated | A file lacks only its last few bytes, which mark its end. | Save the picture again, or write `notices: { unterminated: off }`.
    picture-textless | Text in an SVG is not drawn, because its font would depend on the machine. | Turn the text into paths (Inkscape: Path, Object to Path), or write `notices: { textless: off }`.
    export-needs-png | An export is made of PNG files, and a style has none. | Add `png` to the formats of the style.
    low-contrast | The words on a button cannot be read well in one of its states. | Use the colour that the help line names, or another `title`.
    sprite-too-large | Pictures of a style are larger than a sheet of sprites may be. | Make the style smaller, or leave out its largest scale.
    poster-too-large | The poster has too many pixels for PNG files of all sizes. | Make its pictures smaller, or use `poster.svg`.
    no-users | The manifest does not list any users. | Add users, or allow it with `--allow-empty`.
    users-unreadable | A list or folder that `users` names cannot be opened or read. | Check the name, which is relative to the manifest, and the permissions; instead of a pattern, name the folders that you want.
    users-guess | This is how the columns of a list were read. | If that is wrong, set `fields` in the manifest.
    users-shrunk | More than half the people are gone, or cannot be counted: of a fetched list the earlier one is used, else nothing is published. | If they have left, or their ids have changed, build once with `--allow-shrink`.
    shallow-clone | The clone lacks older commits, so contributors are missing or have too few. | Run `git fetch --unshallow`; in GitHub Actions give `actions/checkout` `fetch-depth: 0`.
    bad-id | The id of a user is blank, too long, or contains control characters. | Choose a shorter, visible id.
    duplicate-id | Two users have the same id. | Give one of them another id; the note names the first.
    bad-link | A link is not valid. | Start it with `https://`, `http://` or `mailto:`, without spaces, and without a user before the host.
    unknown-decoration | No decoration has this name. | Correct the spelling, or give a decoration of a style this name.
    unknown-user | No user has this id. | Correct the spelling, or add a user with this id.
    source-unreadable | The file of a picture cannot be opened or read. | Check the name, which is relative to the manifest, and the permissions.
    path-outside-root | The path of a picture leads out of the manifest's folder. | Move the picture beside the manifest, or write `allowOutside: true`.
    not-a-regular-file | The path of a picture leads to a folder, a pipe or a device. | Name a file.
    source-changed | The file of a picture kept changing during the build. | Build again when nothing writes to it.
    source-empty | The picture's file is empty. | Save the picture again, or use another.
    unsupported-format | The file is not a picture in a supported format. | Save the picture as JPEG, PNG, WebP, GIF, AVIF, HEIC or SVG.
    truncated | The picture ends before it is complete. | Save the picture again, or use another.
    corrupt | The picture is corrupt. | Save the picture again, or use another.
    too-many-bytes | The file of a picture is too large, or the entities of an SVG expand to too much. | Save a smaller or simpler picture; the message names the limit.
    too-many-pixels | The picture has too many pixels, whatever the size of its file. | Save a smaller or simpler picture; the message names the limit.
    too-many-scans | The JPEG has too many scans. | Save a smaller or simpler picture; the message names the limit.
    too-many-chunks | The picture has too many parts. | Save a smaller or simpler picture; the message names the limit.
    decode-failed | The decoder refused the picture. | Save the picture again, or use another.
    decode-timeout | Decoding took too much processor time, twice, and was stopped. | Save a smaller picture, or try it again with `--no-cache`.
    decode-memory | Decoding took too much memory, or would take it, and was stopped. | Save a smaller picture, or allow more with `--memory`.
    decoder-hung | The decoder did nothing for a while and was stopped. | Build again; if it stays, save the picture again.
    decoder-crashed | The process that decoded the picture died. | Use another picture; it is tried again in the next build.
    render-failed | A step between decoding and encoding failed. | Choose a smaller size, or another format.
    encode-failed | The finished image could not be written in its format. | Choose a smaller size, or another format.
    no-initials | Neither the name nor the id has a letter, a digit or an emoji. | Give the user a name, or another source.
    font-missing | A font that the initials need is not installed. | Run `script/bootstrap`, install the package that the note names, or use `font`.
    font-unusable | A font cannot be read, or cannot be drawn from. | Name a TrueType or OpenType font beside the manifest with `font`.
    glyph-missing | No font has a letter of the initials. | Name a font that has it with `font`, or run `script/bootstrap`.
    profile-ignored | The colour profile of a picture is damaged, and its colours are read as sRGB. | Save the picture again, if its colours look wrong.
    no-avatar | Neither a picture nor a colour was named. | Add `avatar` or `background` if the person should have a picture.
    bad-address | The URL of a picture cannot be fetched. | Write `https://` with a host and a path, or `gravatar:` and a mail address; no password.
    bad-data-address | A `data:` address is not written as it must be, or is too long. | Write `data:image/png;base64,` and then the bytes, at most 2 MiB in all.
    port-not-allowed | The port of a URL is not allowed. | Use the usual port, or list it in `network: { ports: … }`.
    address-not-public | A host name resolves to an address that is not public. | If it is one of your own, list it in `network: { allow: … }`.
    host-not-found | The host was not found. | Correct the spelling, or build again when names can be looked up.
    connection-failed | Cannot connect to the host. | Build again later; the next build tries again by itself.
    connection-cut | The connection ended before the picture did. | Build again later; the next build tries again by itself.
    tls-failed | The host could not prove who it is, or speaks no TLS that is safe. | Fix the certificate of the host, or set `SSL_CERT_FILE` to your own certificate authority.
    fetch-timeout | Fetching the picture timed out. | Build again later; the next build tries again by itself.
    redirect-refused | The host redirects to a URL that is not allowed. | Use the final URL.
    too-many-redirects | The host redirects too often. | Use the final URL.
    not-found | The host does not have the picture. | Correct the address; it is tried again after a day, or with `--refresh`.
    http-refused | The host refused the request. | Name an address that everybody may read, or send `headers` with the list.
    server-failed | The host cannot give the picture now. | Build again later; the next build tries again by itself.
    bad-answer | The response of the host is not valid. | Tell the host's operator, or copy the picture.
    encoded-body | The host compressed the picture, which sitegen does not accept. | Tell the host's operator, or copy the picture.
    host-given-up | The host failed again and again, so sitegen stopped asking it. | Build again later; `report.json` says what went wrong before.
    fetch-not-started | The process that fetches could not start the request, or ended before the answer came. | Build again; if it ends again, leave the address out and report it.
    offline | The picture was never fetched, and `--offline` forbids it. | Build once without `--offline`.
    source-stale | A picture or a list cannot be fetched, or a picture's file cannot be read or decoded; the last good version is used. | Save the file again; what is fetched may come back by itself.
    manifest-unreadable | The manifest cannot be opened or read. | Check the name and the permissions, or name another with `--manifest`.
    locked | Another build is running with the same output or cache. | Wait for it to end; a build that died leaves no lock behind.
    lock-lost | Somebody removed a lock, or a folder with one, while the build was running, so another build may be running too. | Build again; remove a cache or an output only while no build is running.
    output-not-ours | The output has files that sitegen did not write, or it is a home folder, or contains the manifest. | Choose another `--output`, or share a folder with those files by `--adopt`; homes and folders with the manifest are never taken.
    output-unsteady | Another program changed a file of the output while it was being published. | End that program, or choose another `--output`, and build again.
    cache-not-ours | The cache folder is the output or inside it, has files of another program, or can be written to by all users. | Name an empty folder with `--cache`, or one that does not exist; remove a cache that others may have changed.
    worker-cannot-start | A process that decodes pictures cannot be started. | Ask `sitegen doctor` what this machine lacks.
    sandbox-incomplete | The kernel lacks a sandbox feature that `--require-sandbox` demands. | Use another kernel or container, or build without `--require-sandbox`.
    imagemagick-not-trusted | ImageMagick ignores the limits that sitegen sets. | Ask `sitegen doctor` what this machine lacks.
    store-unsteady | Files that were written to the cache cannot be read back. | Check the disk; its `store` can be deleted at any time.
    store-unusable | The folder of `--store` cannot be read or written, or files in it are damaged. | The missing images are made here; `--store-mode readwrite` replaces damaged files.
    machine-failed | The disk or its rights did not allow what had to be done. | Fix the cause in the note and build again; the old site is intact.
    file-missing | A file of the site is not there. | Build again.
    file-changed | A file of the site is truncated or has changed since it was built. | Run `sitegen build --no-cache`.
    file-foreign | The output has a file that sitegen did not write. | Move it away, or keep such files with `--adopt`.
    dead-link | A page leads to a file or a place that is not there. | Run `sitegen build --no-cache`; if it stays, correct the template that has the link.
    ledger-wrong | The list of the site's files, `.sitegen-files`, is missing, damaged, or contradicts itself, or the last build did not finish. | Run `sitegen build`; if it stays, `sitegen build --no-cache --adopt`.
    blob-damaged | A cached file does not match its hash. | Nothing: such bytes are never used. `sitegen build --no-cache` removes those that the site needs.
    cache-damaged | A file in which the cache keeps its records is damaged: `index.sqlite`, `addresses.sqlite` or `upToDate`. | Run `sitegen build --no-cache`, which keeps the sound records of a file that SQLite can still read; if it comes back, the disk is faulty.
    picture-differs | The cache has other bytes for a picture than rendering it makes. | Run `sitegen build --no-cache`; if it comes back, the disk or the memory of the machine is faulty.
    site-unreadable | A folder to compare does not have a readable `assets.json`. | Name the output folder of a build.
    site-not-ours | An `assets.json` is truncated, or was not written by sitegen. | Build the site again.
    diff-not-ours | The folder for a page of differences is a site, or has other files. | Name an empty folder with `--to`, or one that does not exist.
    document-empty | The file is empty, or contains only blanks and comments.
    document-too-large | The file has more bytes than a document or a list may have.
    text-encoding | The file starts with the byte order mark of UTF-32, or a table is not valid UTF-8; read are UTF-8, UTF-16 with its mark, and tables in Windows-1252 or Windows-1250.
    text-invalid-utf8 | The file is not valid UTF-8.
    text-control-character | The file contains a raw control character, such as NUL, that no text needs.
    document-too-deep | Mappings and sequences are nested deeper than any manifest needs.
    document-too-many-values | The document, or one record of a list, contains more values than allowed, or the list has more records.
    scalar-too-long | One text is longer than allowed; texts that start with `data:` may be longer than others.
    duplicate-key | A mapping, or a CSV header, names the same key twice.
    json-syntax | This is not valid JSON here.
    json-unfinished | The JSON ends before its value is complete.
    json-trailing-comma | A comma before a closing bracket, which JSON does not allow.
    json-comment | JSON does not allow comments.
    json-word | A value is a word, but JSON knows only `true`, `false` and `null`.
    json-number | A number is not written as JSON wants it, for example with a leading zero.
    json-string | A JSON string contains a line break or tab, or uses the wrong quotes.
    json-escape | A backslash in a JSON string does not begin an escape.
    json-surrogate | A `\u` escape names one half of a surrogate pair without the other.
    json-trailing-text | More text follows after the JSON value is complete.
    yaml-syntax | The YAML parser cannot read the file here.
    yaml-tag | A value carries a tag such as `!!str`, and tags are not supported.
    yaml-merge-key | A mapping uses the merge key `<<`, which is not supported.
    yaml-alias-undefined | An alias names an anchor that no value before it has.
    yaml-alias-cycle | An alias refers to a value that contains it.
    yaml-alias-too-many-copies | The aliases of the document copy more values than allowed.
    yaml-key | A key of a mapping is a list, a mapping or an alias instead of text.
    yaml-directive | The file contains a directive other than `%YAML`.
    yaml-many-documents | The file contains more than one YAML document.
    toml-syntax | The file cannot be read as TOML 1.0 here.
    front-matter | A Markdown file does not begin with YAML between two lines of `---`.
    vcard-syntax | A vCard contains an unreadable line, or its end is missing.
    csv-quote | Text follows the closing quote of a cell.
    csv-quote-open | A quoted cell is never closed.
    csv-cell-count | A row has more or fewer cells than the header row.
    csv-header | No cell of the header row has a name.
    workbook | An Excel workbook is damaged or encrypted, or the libraries that read it are missing.
    list-expected | A list was expected, one record after the other, but the file contains something else.
    record-not-mapping | A record of a list is not a mapping of keys to values.
    template-missing | A tag names a template that does not exist.
    template-unreadable | The file cannot be opened or read.
    template-outside | A name leads out of the templates' folder, or has characters that no name has.
    template-too-large | The file is larger than 4 MiB.
    template-not-utf8 | The file is not valid UTF-8.
    template-unclosed-tag | `{{` without its `}}`.
    template-unclosed-section | A section, block or parent without its `{{/…}}`.
    template-mismatched-close | `{{/…}}` closes another section than the one that is open.
    template-unexpected-close | `{{/…}}` where nothing is open.
    template-bad-delimiters | `{{=…=}}` without two words.
    template-bad-name | A tag without a name, or a name with blanks or an empty part.
    template-too-deep | More than 128 sections are open.
    template-recursion | Templates include each other without end.
    template-unknown-name | A warning: no value has this name, so the tag writes nothing.
    unknown-command | The first word is not a command. | Use the name that the help line suggests; names are never shortened.
    unknown-option | The command does not have this option. | Use the name that the help line suggests; names are never shortened.
    missing-value | An option is missing its value. | Write `--name VALUE`; a value that begins with a dash, `--name=VALUE`.
    bad-value | The value of an option is not valid. | Use a value that the message names; an option without one takes none.
    missing-operand | An argument is missing, such as a folder. | See `sitegen help COMMAND`.
    unexpected-word | The command does not take this argument. | See `sitegen help COMMAND`.
    folder-taken | Samples would be written among files that are there already. | Name another folder.
    samples-unwritable | A file of the samples could not be written. | Make room, or choose a folder that you may write to.
    strict | There were warnings, and `--strict` treats them as errors. | Fix them, or build without `--strict`.
    port-taken | Another program listens on the port, or on every port that was tried. | Leave `--port` out, end the other program, or use `--port 0`.
    bad-host | The address of `--host` does not belong to this machine. | Name an address of this machine, `0.0.0.0` or `::`.
    cannot-serve | The system does not allow listening on this port. | See the note; the limits of the system may be too low.
    served-to-others | With `--host` the preview may be seen from other machines. | Leave `--host` out unless others should see the site.
    """#
}
