/// Texts for all ids, repeated in docs/reference (diagnostics.md, cli.md) and templates/README.md.
extension DiagnosticID {
  /// The meaning of each id, and advice for ids whose diagnostics lack their own help.
  package static let texts: [String: (meaning: String, advice: String?)] = {
    let rows = table.split(separator: "\n").map { $0.split(separator: " | ").map(String.init) }
    return Dictionary(
      uniqueKeysWithValues: rows.map { ($0[0], ($0[1], $0.count > 2 ? $0[2] : nil)) })
  }()

  package static func help(for id: String) -> String? {
    texts[id]?.advice.map { $0.prefix(1).lowercased() + $0.dropFirst().dropLast() }
  }

  private static let table = #"""
    version-missing | The manifest does not specify its format version. | Write `version: 1`, or use the sitegen release that it was written for.
    version-unknown | This version of sitegen does not support the manifest's format version. | Write `version: 1`, or use the sitegen release that it was written for.
    unknown-key | The key is unknown, or is not allowed in this mapping. | Correct the spelling; the help line names the nearest key.
    missing-key | A required key is missing or empty. | Add the key; a colour that begins with `#` needs quotes in YAML.
    not-supported | This version of sitegen does not support the key or value yet. | Remove the key or value, or use the alternative in the help line.
    wrong-type | A value has the wrong type for its key, such as text instead of a number. | Write the type that the message expects; numbers, `true` and `false` are not quoted.
    unknown-value | The key does not accept this word. | Use one of the words in the help line.
    out-of-range | A number is too small or too large, or a list is empty. | Choose a value in the range that the help line shows.
    too-many | A list contains more values than allowed. | List fewer values, or split the site.
    bad-text | A text value is too long or contains control characters. | Remove the control characters, including line breaks, or shorten the text.
    bad-color | A value is not a colour. | Write `#rgb`, `#rrggbb`, `rgb()`, `gray()` or a CSS name.
    empty-color | A colour is empty, perhaps because an unquoted `#` starts a comment. | Quote the colour, or remove the key.
    bad-language | The site's language is not a valid language tag. | Write a tag such as `en` or `pt-BR`.
    bad-name | A style name, button name or alias contains invalid characters, or a picture's file name does not contain a person's name. | Style names consist of `a-z`, `0-9` and `-`; aliases may also contain `_`. Names must not be blank or longer than 64 bytes.
    duplicate-name | Two styles or two buttons have the same name, or two users have the same alias. | Change one of the names.
    conflict | Two keys or values contradict each other. | Remove one of the two.
    unknown-theme | The theme does not exist. | Correct the spelling, or write a style sheet with this name.
    bad-network | An entry in `network` is neither an IP network nor a host name. | Write a network such as `10.0.0.0/8`, or a host name without a port or path.
    unknown-style | The manifest does not define this style. | Correct the spelling, or add a style with this name.
    style-cycle | Styles inherit from each other in a cycle. | Remove `from` from one of the styles.
    style-too-small | A style is smaller than 1 point, so nothing is drawn. | Make the style larger, or remove it.
    border-skipped | A border cannot be drawn at this size, so it is omitted. | Make the border narrower, or add `allowNonSquare: true` to it.
    jpeg-needs-background | JPEG does not support transparency, and the style does not set an opaque background. | Add `opaque: true` or an opaque `background`, or omit `jpeg`.
    badge-unreadable | A badge or mask picture cannot be read or used. | Check the path, which is relative to the manifest, or save the picture again.
    no-face-detector | A style looks for faces, but no face detector is installed. | Install the package in the help line, or use another focus.
    max-bytes-missed | Images exceed `maxBytes`, even at the lowest quality. | Allow more bytes, or make the style smaller.
    picture-same | Several people have the same picture, or pictures that look the same. | Give each person their own picture, or write `notices: { same: off }`.
    picture-small | A picture is smaller than the images rendered from it, so they look blurred. | Save a larger picture, omit the largest scale, or write `notices: { small: off }`.
    picture-faceless | A style looks for a face in a picture, but sitegen cannot find one. | Give the person a `focus`, or write `notices: { faceless: off }`.
    picture-truncated | A file ends early, so fine detail (the last scans of a progressive JPEG) or up to a tenth of the rows is missing. Each missing row is filled with a copy of the row above. | Save the picture again, or write `notices: { truncated: off }`.
    picture-unterminated | A file is complete except for its end marker. | Save the picture again, or write `notices: { unterminated: off }`.
    picture-textless | Text in an SVG is not rendered, because the font would depend on the machine. | Convert the text to paths (Inkscape: Path, Object to Path), or write `notices: { textless: off }`.
    export-needs-png | An export needs PNG files, but a style does not produce any. | Add `png` to the style's formats.
    low-contrast | The text on a button is hard to read in one of its states. | Use the colour in the help line, or a different `title` colour.
    sprite-too-large | A style's pictures are too large for a sprite sheet. | Make the style smaller, or omit its largest scale.
    poster-too-large | The poster has too many pixels for some of its PNG files. | Make the pictures smaller, or use `poster.svg`.
    no-users | The manifest does not list any users. | Add users, or allow an empty site with `--allow-empty`.
    users-unreadable | A list or folder in `users` cannot be opened or read. | Check the path, which is relative to the manifest, and the permissions; if a pattern matches other folders too, list only the ones that you want.
    users-guess | Shows how the columns of a list were interpreted. | If the result is wrong, set `fields` in the manifest.
    users-shrunk | More than half of the earlier people are missing, or the published people cannot be counted. If they are missing from a fetched list, sitegen uses the earlier list; otherwise, the build does not publish anything. | If people have left or their ids have changed, build once with `--allow-shrink`.
    shallow-clone | The clone lacks older commits, so contributors are missing or their counts are too low. | Run `git fetch --unshallow`; in GitHub Actions, set `fetch-depth: 0` for `actions/checkout`.
    bad-id | A user's id is blank or too long, or contains control characters. | Choose a short id that consists of visible characters.
    duplicate-id | Two users have the same id. | Change one of the ids; the note names the first user.
    bad-link | A link is not valid. | Start the link with `https://`, `http://` or `mailto:`, without spaces or a username.
    unknown-decoration | The styles do not define this decoration. | Correct the spelling, or give this name to a style's decoration.
    unknown-user | The id does not belong to any user. | Correct the spelling, or add a user with this id.
    source-unreadable | The picture file cannot be opened or read. | Check the path, which is relative to the manifest, and the permissions.
    path-outside-root | The picture's path points outside the manifest's folder. | Move the picture next to the manifest, or write `allowOutside: true`.
    not-a-regular-file | The picture's path points to a folder, a pipe or a device. | Use the path of a regular file.
    source-changed | The picture file kept changing during the build. | Build again when no other program is writing to it.
    source-empty | The picture file is empty. | Save the picture again, or use another one.
    unsupported-format | The file is not a picture in a supported format. | Save the picture as JPEG, PNG, WebP, GIF, AVIF, HEIC or SVG.
    truncated | The picture file is incomplete. | Save the picture again, or use another one.
    corrupt | The picture file is corrupt. | Save the picture again, or use another one.
    too-many-bytes | The picture file is too large, or an SVG's entities expand to too much data. | Save a smaller or simpler picture; the message names the limit.
    too-many-pixels | The picture has too many pixels, regardless of its file size. | Save a smaller or simpler picture; the message names the limit.
    too-many-scans | The JPEG contains too many scans. | Save a smaller or simpler picture; the message names the limit.
    too-many-chunks | The picture contains too many chunks. | Save a smaller or simpler picture; the message names the limit.
    decode-failed | The decoder rejected the picture. | Save the picture again, or use another one.
    decode-timeout | Decoding was stopped twice because it used too much CPU time. | Save a smaller picture, or try again with `--no-cache`.
    decode-memory | Decoding needed too much memory and was stopped. | Save a smaller picture, or allow more with `--memory`.
    decoder-hung | The decoder hung and was stopped. | Build again; if this persists, save the picture again.
    decoder-crashed | The process that decoded the picture crashed. | Use another picture; the next build tries this one again.
    render-failed | A step between decoding and encoding failed. | Choose a smaller size, or another format.
    encode-failed | The finished image could not be encoded in its format. | Choose a smaller size, or another format.
    no-initials | Neither the name nor the id contains a letter, a digit or an emoji. | Give the user a name, or another source.
    font-missing | A font needed for initials is not installed. | Run `script/bootstrap`, install the package in the note, or set `font`.
    font-unusable | A font cannot be read or used. | Set `font` to a TrueType or OpenType font next to the manifest.
    glyph-missing | The fonts do not cover one of the initials. | Set `font` to a font that contains the character, or run `script/bootstrap`.
    profile-ignored | The picture's colour profile is damaged, so its colours are treated as sRGB. | Save the picture again if its colours look wrong.
    no-avatar | The person has neither a picture nor a colour. | Add `avatar` or `background` if the person should have a picture.
    bad-address | The address of a picture or list is not valid, or is not allowed. | Write `https://` with a host and a path, or `gravatar:` and an email address; omit passwords.
    bad-data-address | A `data:` URL is invalid or too long. | Write `data:image/png;base64,` followed by Base64 data, up to 2 MiB in total.
    port-not-allowed | The URL's port is not allowed. | Use the usual port, or list it in `network: { ports: … }`.
    address-not-public | A URL or redirect leads to a non-public IP address. | If the host is yours, list it in `network: { allow: … }`.
    host-not-found | The host was not found. | Correct the spelling, or build again when DNS works.
    connection-failed | The connection to the host could not be established. | Build again later; the next build retries automatically.
    connection-cut | The connection ended before the picture was complete. | Build again later; the next build retries automatically.
    tls-failed | The host's certificate is not valid, or the host does not support a secure TLS version. | Fix the host's certificate, or set `SSL_CERT_FILE` to your own certificate authority.
    fetch-timeout | Fetching the picture timed out. | Build again later; the next build retries automatically.
    redirect-refused | The host redirects to a URL that is not allowed. | Use the final URL.
    too-many-redirects | The host redirects too often. | Use the final URL.
    not-found | The host does not have the picture. | Correct the URL; sitegen tries it again after a day, or with `--refresh`.
    http-refused | The host refused the request. | Use a public URL; for a list, you can also set `headers`.
    server-failed | The host cannot currently serve the picture. | Build again later; the next build retries automatically.
    bad-answer | The host's response is not valid. | Report the problem to the host's operator, or use a local copy of the picture.
    encoded-body | The host sent the picture in compressed form, which sitegen does not accept. | Report the problem to the host's operator, or use a local copy of the picture.
    host-given-up | The host failed repeatedly, so sitegen stopped sending requests to it. | Build again later; `report.json` lists the earlier failures.
    fetch-not-started | The network process could not start the request, or exited before the response arrived. | Build again; if this persists, remove the URL and report the problem.
    offline | The picture has never been fetched, and `--offline` prevents fetching it now. | Build once without `--offline`.
    source-stale | A picture or list cannot be fetched, or a picture file cannot be read or decoded. The last good version is used. | Save the file again; fetched sources may recover by themselves.
    manifest-unreadable | The manifest cannot be opened or read. | Check the name and the permissions, or name another file with `--manifest`.
    locked | Another build is running with the same output or cache. | Wait for it to end; a crashed build does not leave a lock behind.
    lock-lost | A lock, or a folder that contains one, was removed during the build, so another build may be running at the same time. | Build again; remove a cache or an output only while no build is running.
    output-not-ours | The output folder contains files that sitegen did not write, contains the manifest, or is a home folder. | Choose another `--output`, or share the folder with `--adopt`; home folders and folders with the manifest are always rejected.
    output-unsteady | Another program changed an output file while it was being published. | Stop that program, or choose another `--output`, and build again.
    cache-not-ours | The cache folder is the output folder or is inside it, contains another program's files, or is world-writable. | Set `--cache` to an empty or new folder; remove a cache that others may have changed.
    worker-cannot-start | A decoding process cannot be started. | Run `sitegen doctor` to see what this machine lacks.
    sandbox-incomplete | The kernel lacks a sandbox feature that `--require-sandbox` requires. | Use another kernel or container, or build without `--require-sandbox`.
    imagemagick-not-trusted | ImageMagick ignores the limits that sitegen sets. | Run `sitegen doctor` to see what this machine lacks.
    store-unsteady | Files written to the cache cannot be read back. | Check the disk; you can delete the cache's `store` folder at any time.
    store-unusable | The `--store` folder cannot be read or written, or contains damaged files. | Images that the store cannot provide are rendered locally; `--store-mode readwrite` replaces damaged files.
    machine-failed | An operation failed because of a disk or permission problem. | Fix the cause in the note and build again; the old site is intact.
    file-missing | One of the site's files is missing. | Build again.
    file-changed | One of the site's files is truncated or has changed since the build. | Run `sitegen build --no-cache`.
    file-foreign | The output contains a file that sitegen did not write. | Move the file elsewhere, or allow such files with `--adopt`.
    dead-link | A page links to a file or anchor that does not exist. | Run `sitegen build --no-cache`; if this persists, correct the template that contains the link.
    ledger-wrong | The ledger (`.sitegen-files`) is missing, damaged or inconsistent, or the last build did not finish. | Run `sitegen build`; if this persists, run `sitegen build --no-cache --adopt`.
    blob-damaged | A cached file does not match its hash. | Damaged files are never used. `sitegen build --no-cache` replaces those that the site needs.
    cache-damaged | A cache file is damaged: `index.sqlite`, `addresses.sqlite` or `upToDate`. | Run `sitegen build --no-cache`, which keeps the intact records if SQLite can still read them; if it happens again, the disk is faulty.
    picture-differs | A cached image was rendered again, and the result is different. | Run `sitegen build --no-cache`; if it happens again, the machine's disk or memory is faulty.
    site-unreadable | A folder to compare does not contain a readable `assets.json`. | Specify the output folder of a build.
    site-not-ours | An `assets.json` is truncated, or was not written by sitegen. | Build the site again.
    diff-not-ours | The folder for the comparison page is a site, or contains other files. | Set `--to` to an empty or new folder.
    document-empty | The file is empty, or contains only whitespace and comments.
    document-too-large | A list in JSON, YAML, TOML or Markdown is larger than 64 MiB.
    text-encoding | A file is in UTF-32, which is not supported. Or a table is neither UTF-8 nor UTF-16 with a byte order mark, so it is read as Windows-1252 or Windows-1250.
    text-invalid-utf8 | The file is not valid UTF-8.
    text-control-character | The file contains an invalid control character, such as NUL.
    document-too-deep | Mappings and sequences are nested too deeply.
    document-too-many-values | A document or record contains more values than allowed, or a list contains too many records.
    scalar-too-long | A text value is longer than allowed. `data:` URLs have a higher limit.
    duplicate-key | A mapping or CSV header contains the same key twice.
    json-syntax | The JSON is not valid at this point.
    json-unfinished | The JSON ends before its value is complete.
    json-trailing-comma | JSON does not allow a comma before a closing bracket.
    json-comment | JSON does not allow comments.
    json-word | A value is an unquoted word, but JSON allows only `true`, `false` and `null`.
    json-number | A number is not valid JSON, for example because of a leading zero.
    json-string | A JSON string contains a line break or tab, or is in single quotes.
    json-escape | A backslash in a JSON string does not start a valid escape sequence.
    json-surrogate | A `\u` escape is one half of a surrogate pair, but the other half is missing.
    json-trailing-text | The JSON value is complete, but more text follows.
    yaml-syntax | The YAML parser cannot read the file at this point.
    yaml-tag | A value has a tag such as `!!str`, which is not supported.
    yaml-merge-key | A mapping uses the merge key `<<`, which is not supported.
    yaml-alias-undefined | An alias refers to an anchor that is not defined before it.
    yaml-alias-cycle | An alias refers to a value that contains it.
    yaml-alias-too-many-copies | The document's aliases expand to more values than allowed.
    yaml-key | A mapping key is a list, a mapping or an alias instead of text.
    yaml-directive | The file contains a directive other than `%YAML`.
    yaml-many-documents | The file contains more than one YAML document.
    toml-syntax | The file is not valid TOML 1.0 at this point.
    front-matter | A Markdown file does not begin with a YAML block between two `---` lines.
    vcard-syntax | A vCard contains an unreadable line, or its `END:VCARD` line is missing.
    csv-quote | Text follows the closing quote of a cell.
    csv-quote-open | The closing quote of a cell is missing.
    csv-cell-count | A row has more or fewer cells than the header row.
    csv-header | The header row does not name any columns.
    workbook | An Excel workbook is damaged or encrypted, or the libraries that read it are missing.
    list-expected | A list of records was expected, but the file contains something else.
    record-not-mapping | A record in a list is not a mapping of keys to values.
    template-missing | A tag names a template that does not exist.
    template-unreadable | The file cannot be opened or read.
    template-outside | A name points outside the template folder, or contains invalid characters.
    template-too-large | The file is larger than 4 MiB.
    template-not-utf8 | The file is not valid UTF-8.
    template-unclosed-tag | `{{` without a matching `}}`.
    template-unclosed-section | A section, block or parent without a matching `{{/…}}`.
    template-mismatched-close | `{{/…}}` closes a section other than the innermost open one.
    template-unexpected-close | `{{/…}}` when no section is open.
    template-bad-delimiters | `{{=…=}}` without two delimiters.
    template-bad-name | A tag without a name, or with a name that contains spaces or an empty part.
    template-too-deep | More than 128 sections are open.
    template-recursion | Templates include each other endlessly.
    template-unknown-name | A warning: the name in a tag is not defined, so the tag produces no output.
    unknown-command | The first word is not a command. | Use the name in the help line; names cannot be abbreviated.
    unknown-option | The command does not have this option. | Use the name in the help line; names cannot be abbreviated.
    missing-value | The option needs a value. | Write `--name VALUE`, or `--name=VALUE` if the value begins with a dash.
    bad-value | An option's value is not valid. | Use a value that the message lists; flags do not take a value.
    missing-operand | An argument is missing, such as a folder. | See `sitegen help COMMAND`.
    unexpected-word | The command does not accept this argument. | See `sitegen help COMMAND`.
    folder-taken | The folder contains files that would be mixed with the example site. | Choose another folder.
    samples-unwritable | An example file could not be written. | Free some space, or choose a folder that you may write to.
    strict | There were warnings, and `--strict` treats them as errors. | Fix them, or build without `--strict`.
    port-taken | Another program is using the port, or every port that was tried. | Omit `--port`, stop the other program, or use `--port 0`.
    bad-host | The `--host` address is not assigned to this machine. | Use an address of this machine, `0.0.0.0` or `::`.
    cannot-serve | The system does not allow sitegen to listen on this port, or libmicrohttpd is missing. | See the note; the system's limits may be too low.
    served-to-others | With `--host`, other machines may be able to see the preview. | Omit `--host` unless others should see the site.
    """#
}
