/// Valid and invalid certificates from a test authority, created once per process.
package final class TestCertificates: Sendable {
  package enum Failure: Error {
    case cannotMake(String)
  }

  package struct Pair: Sendable {
    package let certificate: String
    package let key: String
  }

  package enum Kind: String, CaseIterable, Sendable {
    /// A valid certificate for localhost, 127.0.0.1 and ::1.
    case good
    /// A certificate like `good`, but expired since yesterday.
    case expired
    /// A certificate like `good`, but valid from tomorrow.
    case future
    /// A certificate for a different name.
    case other
    /// A certificate from an unknown authority.
    case unknown
    /// A self-signed certificate.
    case own
  }

  private let folder = TemporaryFolder()

  private init() throws {
    try folder.write(Self.configuration, to: "ca.cnf")
    try folder.write(Self.program, to: "make.sh")
    let run = try RunningProgram(["sh", "make.sh"], in: folder.path).ending()
    guard run.status == 0 else { throw Failure.cannotMake(run.err) }
  }

  private static let made = Result { try TestCertificates() }

  package static func shared() throws -> TestCertificates { try made.get() }

  package var authority: String { folder.path(of: "authority.pem") }

  package func pair(_ kind: Kind) -> Pair {
    Pair(
      certificate: folder.path(of: "\(kind.rawValue).pem"),
      key: folder.path(of: "\(kind.rawValue).key"))
  }

  private static let configuration = """
    [ca]
    default_ca = here
    [here]
    database = index.txt
    new_certs_dir = .
    rand_serial = yes
    default_md = sha256
    policy = any
    unique_subject = no
    [any]
    commonName = supplied
    [req]
    distinguished_name = name
    [name]
    [authority]
    basicConstraints = critical, CA:true
    keyUsage = critical, keyCertSign
    subjectKeyIdentifier = hash
    [good]
    subjectAltName = DNS:localhost, IP:127.0.0.1, IP:::1
    [other]
    subjectAltName = DNS:other.example

    """

  /// Only `openssl ca` can set the start and end dates.
  private static let program = """
    set -e
    : > index.txt
    request() { # name, what else
      name=$1
      shift
      openssl req -config ca.cnf -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \\
        -keyout "$name.key" -subj "/CN=$name" "$@"
    }
    for name in authority stranger; do
      request "$name" -x509 -days 3650 -extensions authority -out "$name.pem"
    done
    request own -x509 -days 3650 -extensions good -out own.pem
    sign() { # name, authority, names, first day, last day
      request "$1" -new -out "$1.csr"
      openssl ca -batch -notext -config ca.cnf -cert "$2.pem" -keyfile "$2.key" -in "$1.csr" \\
        -extensions "$3" -startdate "$4" -enddate "$5" -out "$1.pem"
    }
    past=20200101000000Z
    yesterday=$(date -u -d yesterday +%Y%m%d%H%M%SZ)
    tomorrow=$(date -u -d tomorrow +%Y%m%d%H%M%SZ)
    later=20991231235959Z
    sign good authority good $past $later
    sign expired authority good $past $yesterday
    sign future authority good $tomorrow $later
    sign other authority other $past $later
    sign unknown stranger good $past $later

    """
}
