#!/usr/bin/env bash
# Checks the release workflow and the action, and runs their scripts with substitutes for the programs that install
# and publish.
#
#   script/try_release.sh SITEGEN
set -euo pipefail
cd "$(dirname "$0")/.."
sitegen=$(readlink -f "$1")
tools=$PWD/.test-tools/bin
folder=$(mktemp -d "${TMPDIR:-/tmp}/sitegen-release.XXXXXX")
trap 'rm -rf "$folder"' EXIT
fail() {
  echo "script/try_release.sh: $1" >&2
  exit 1
}

"$tools/check-jsonschema" --quiet --builtin-schema vendor.github-workflows .github/workflows/release.yml
"$tools/check-jsonschema" --quiet --builtin-schema vendor.github-actions action.yml
"$tools/zizmor" --offline --quiet --no-progress .github/workflows action.yml >"$folder/zizmor" 2>&1 || {
  cat "$folder/zizmor"
  fail "zizmor found something"
}
# Each step runs a script, or an action pinned by commit.
while read -r script _; do
  [ -x "$script" ] || fail "not a script: $script"
done < <(sed -n "s/^ *\(- \)\?run: *//p" .github/workflows/release.yml action.yml | sed "s/[\"']//g; s|^\$GITHUB_ACTION_PATH/||")
! sed -n 's/^ *- uses: *//p' .github/workflows/release.yml action.yml | grep -vE '@[0-9a-f]{40} # v[0-9.]+$' ||
  fail "an action is not pinned to a commit"

# Check the SBOM of a small package.
mkdir -p "$folder/package/DEBIAN" "$folder/release/amd64"
cat >"$folder/package/DEBIAN/control" <<'END'
Package: sitegen
Version: 1.0.0-1~deb12
Architecture: all
Maintainer: Sample Otter <otter@example.org>
Depends: libc6 (>= 2.36), none-such | ca-certificates
Description: sample
END
file=$folder/release/amd64/sitegen_1.0.0_debian12_$(dpkg --print-architecture).deb
dpkg-deb --root-owner-group --build "$folder/package" "$file" >/dev/null
python3 script/sbom.py "$file" >"${file%.deb}.spdx.json"
"$tools/pyspdxtools" -i "${file%.deb}.spdx.json"
grep -q '"name": "ca-certificates"' "${file%.deb}.spdx.json"
python3 script/package_docs.py "$folder/docs"
python3 script/package_docs.py --check "$folder/docs"

# The substitutes only record how they were called.
mkdir -p "$folder/bin" "$folder/site"
for name in apt-get docker gh buildah; do
  printf '#!/bin/sh\necho "%s $*" >>"%s/calls"\n' $name "$folder" >"$folder/bin/$name"
  chmod +x "$folder/bin/$name"
done
export PATH=$folder/bin:/usr/bin:/bin RUNNER_TEMP=$folder GITHUB_OUTPUT=$folder/outputs
export GITHUB_REF_NAME=v1.0.0 GITHUB_REPOSITORY=Owner/sitegen GITHUB_ACTOR=otter GH_TOKEN=sample
export SITEGEN_REGISTRY=registry.example.org
touch "$folder/release/amd64/sitegen_1.0.0_debian12_$(dpkg --print-architecture).oci.tar"
(cd "$folder/release/amd64" && sha256sum -- sitegen_* >SHA256SUMS)
script/publish "$folder/release"
grep -q '^gh release create v1.0.0 .*/release/amd64/sitegen_1.0.0_debian12_.*\.deb .*/SHA256SUMS$' "$folder/calls"
grep -q '^buildah manifest push --all registry.example.org/owner/sitegen docker://registry.example.org/owner/sitegen:latest$' "$folder/calls"
grep -E '^gh |manifest push' "$folder/calls" | cut -d ' ' -f 1-3 | paste -s -d , | # the release comes before the image tag `latest`
  grep -qx 'buildah manifest push,gh release create,buildah manifest push' || fail "published in the wrong order"
! grep -q -e --prerelease "$folder/calls" || fail "a release was marked as a pre-release"
# A tag with a dash is a pre-release.
mkdir -p "$folder/candidate/amd64"
touch "$folder/candidate/amd64/sitegen_1.0.0-rc1_debian12_amd64.oci.tar"
(cd "$folder/candidate/amd64" && sha256sum -- sitegen_* >SHA256SUMS)
: >"$folder/calls"
GITHUB_REF_NAME=v1.0.0-rc1 script/publish "$folder/candidate"
grep -q '^gh release create v1.0.0-rc1 .* --prerelease ' "$folder/calls"
grep -q '^buildah manifest push .*:1.0.0-rc1$' "$folder/calls"
! grep -q ':latest$' "$folder/calls" || fail "a pre-release was marked as the latest release"
! GITHUB_REF_NAME=v2.0.0 script/publish "$folder/release" 2>/dev/null || fail "published files from a different version"

export SITEGEN_VERSION=1.0.0 SITEGEN_REPOSITORY=Owner/sitegen SITEGEN_RELEASES=file://$folder SITEGEN_OS_RELEASE=$folder/os
mkdir -p "$folder/download/v1.0.0"
cp "$folder"/release/amd64/* "$folder/download/v1.0.0"
printf 'ID=debian\nVERSION_ID="12"\n' >"$folder/os"
script/action install
grep -q "^apt-get install -y -q ./$(basename "$file")$" "$folder/calls"
echo x >>"$folder/download/v1.0.0/$(basename "$file")"
! script/action install >/dev/null 2>&1 || fail "installed a package with an incorrect checksum"
# Test GitHub's Ubuntu, and Debian testing, which does not specify a version.
for system in 'ID=ubuntu\nVERSION_ID="24.04"\n' 'ID=debian\n'; do
  # shellcheck disable=SC2059
  printf "$system" >"$folder/os"
  : >"$folder/calls"
  script/action install
  grep -q '^docker load -i sitegen_1.0.0_debian12_.*\.oci\.tar$' "$folder/calls"
done
# The path of the action's folder contains its repository; with `uses: ./`, the job's repository is used.
printf '#!/bin/sh\necho "curl $*" >"%s/calls"\nexit 22\n' "$folder" >"$folder/bin/curl"
chmod +x "$folder/bin/curl"
for path in _actions/Other/fork/v1/x Owner/sitegen/./; do
  ! SITEGEN_REPOSITORY='' SITEGEN_RELEASES='' GITHUB_ACTION_PATH=$folder/$path script/action install || fail "installed nothing"
  repository=$(sed 's|^_actions/||' <<<"$path" | cut -d / -f 1-2)
  grep -q "^curl .* https://github.com/$repository/releases/download/v1.0.0/SHA256SUMS$" "$folder/calls"
done
rm "$folder/bin/curl"
sed -i '/oci/d' "$folder/download/v1.0.0/SHA256SUMS"
run=$(script/action install 2>&1) && fail "installed a file without a checksum"
grep -q "does not have a file that ends with _debian12_.*.oci.tar" <<<"$run"

ln -s "$sitegen" "$folder/bin/sitegen"
cd "$folder/site"
cp -r "$OLDPWD/docs/recipes/photos/photos" .
export SITEGEN_PATH=photos SITEGEN_ARGS=$'--strict\n--output=out\n' SITEGEN_CACHE=.sitegen
for changed in true false; do
  : >"$GITHUB_OUTPUT"
  "$OLDPWD/script/action" build
  grep -qx "changed=$changed" "$GITHUB_OUTPUT" || fail "the output is not changed=$changed"
  images=$(sed -n 's/^images=//p' "$GITHUB_OUTPUT")
  [ "$((images > 0))" = "$([ "$changed" = true ] && echo 1 || echo 0)" ] || fail "changed=$changed, and images=$images"
  test -s "$(sed -n 's/^report=//p' "$GITHUB_OUTPUT")"
done
test -s out/index.html
test -d .sitegen
! SITEGEN_PATH=none-such "$OLDPWD/script/action" build 2>/dev/null || fail "a failed build succeeded"
# After a usage error, sitegen does not print JSON, and the step exits with its exit code.
run=$(SITEGEN_ARGS=--none-such "$OLDPWD/script/action" build 2>&1) && fail "an unknown option was accepted" || status=$?
[ "$status" = 2 ] && ! grep -q Traceback <<<"$run" || fail "status $status: $run"
