"""Writes the SBOM of a Debian package as SPDX 2.3 in JSON. It lists the package, the Swift libraries in it, and
all packages that it depends on, as installed on this machine (dpkg-query).

    python3 script/sbom.py FILE.deb [ADMINDIR] >FILE.spdx.json

With ADMINDIR, the folder /var/lib/dpkg in a root file system, it lists all packages installed there.
"""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

FIELDS = ["Package", "Version", "Architecture", "Maintainer", "Depends", "Pre-Depends", "Provides", "db:Status-Status"]


def ask(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def installed(options):
    """Returns the installed packages by name, and the names that they provide."""
    shown = "".join(f"${{{field}}}\t" for field in FIELDS) + "\n"
    packages, provided = {}, {}
    for line in ask("dpkg-query", *options, "-W", "-f", shown).splitlines():
        package = dict(zip(FIELDS, line.split("\t")))
        if package["db:Status-Status"] == "installed":
            packages[package["Package"]] = package
            for name in alternatives(package["Provides"]):
                provided.setdefault(name[0], package["Package"])
    return packages, provided


def alternatives(field):
    """Returns, for each dependency, the names that satisfy it."""
    return [re.findall(r"(?:^|\|) *([a-z0-9][a-z0-9.+-]*)", part.strip()) for part in field.split(",") if part.strip()]


def closure(fields, packages, provided):
    """Returns all direct and indirect dependencies, and the names of the direct ones."""
    found, direct, waiting = {}, [], [(True, fields)]
    while waiting:
        is_direct, field = waiting.pop()
        for names in alternatives(field):
            known = [packages.get(name) or packages.get(provided.get(name)) for name in names]
            package = next((package for package in known if package), None)
            if not package:
                if is_direct:
                    sys.exit(f"script/sbom.py: not installed: {' | '.join(names)}")
                continue
            name = package["Package"]
            direct += [name] if is_direct else []
            if name not in found:
                found[name] = package
                waiting.append((False, f"{package['Pre-Depends']},{package['Depends']}"))
    return found, direct


def entry(name, version, supplier, **more):
    return {
        "SPDXID": identifier(name),
        "name": name,
        "versionInfo": version,
        "supplier": supplier,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": "NOASSERTION",
        "copyrightText": "NOASSERTION",
        **more,
    }


def identifier(name):
    return "SPDXRef-Package-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def supplier(maintainer):
    match = re.fullmatch(r"(.*?) *<(.+)>", maintainer)
    return f"Organization: {match[1]} ({match[2]})" if match else "NOASSERTION"


def debian(package, release):
    name, version = package["Package"], package["Version"].replace("+", "%2B").replace(":", "%3A")
    url = f"pkg:deb/debian/{name.replace('+', '%2B')}@{version}?arch={package['Architecture']}&distro=debian-{release}"
    reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": url}
    return entry(name, package["Version"], supplier(package["Maintainer"]), externalRefs=[reference])


def main(path, *admindir):
    file = pathlib.Path(path)
    own = dict(line.split(": ", 1) for line in ask("dpkg-deb", "-f", path, "Package", "Version", "Maintainer", "Depends").splitlines())
    packages, provided = installed([f"--admindir={folder}" for folder in admindir])
    found, direct = closure(own["Depends"], packages, provided)
    if admindir:
        found = {name: package for name, package in packages.items() if name != "sitegen"}
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    release = own["Version"].rsplit("~deb", 1)[-1]
    swift = re.search(r"Swift version (\S+)", ask("swift", "--version"))[1]
    created = int(os.environ.get("SOURCE_DATE_EPOCH") or file.stat().st_mtime)
    sitegen = entry(
        "sitegen", own["Version"], supplier(own["Maintainer"]), packageFileName=file.name,
        checksums=[{"algorithm": "SHA256", "checksumValue": digest}], licenseDeclared="Apache-2.0")
    runtime = entry(
        "swift-runtime", swift, "Organization: Swift.org", downloadLocation="https://www.swift.org/install/",
        licenseDeclared="Apache-2.0 WITH Swift-exception",
        comment="the standard library and Foundation, linked into the programs, and ICU, as a separate library")
    openssl = entry(
        "openssl-libcrypto", ask("dpkg-query", "-W", "-f", "${Version}", "libssl-dev"), "NOASSERTION",
        licenseDeclared="Apache-2.0", comment="SHA-256, linked into the programs")
    links = [("SPDXRef-DOCUMENT", "DESCRIBES", sitegen["SPDXID"])]
    links += [(sitegen["SPDXID"], "STATIC_LINK", linked["SPDXID"]) for linked in (runtime, openssl)]
    links += [(sitegen["SPDXID"], "DEPENDS_ON", identifier(name)) for name in sorted(set(direct))]
    document = {
        "spdxVersion": "SPDX-2.3",
        "SPDXID": "SPDXRef-DOCUMENT",
        "dataLicense": "CC0-1.0",
        "name": file.stem,
        "documentNamespace": f"https://sitegen.invalid/spdx/{file.stem}-{digest}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(created)),
            "creators": ["Tool: sitegen-script/sbom.py"],
        },
        "packages": [sitegen, runtime, openssl] + [debian(found[name], release) for name in sorted(found)],
        "relationships": [
            {"spdxElementId": first, "relationshipType": kind, "relatedSpdxElement": second} for first, kind, second in links
        ],
    }
    json.dump(document, sys.stdout, indent=1, ensure_ascii=False)
    print()


main(*sys.argv[1:])
