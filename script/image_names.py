"""Adds names to the image in an OCI folder, as `docker save` does, so that old versions of Docker can load it.

    python3 script/image_names.py FOLDER NAME:TAG
"""

import json
import pathlib
import sys


def main(folder, name):
    folder = pathlib.Path(folder)
    blob = lambda digest: "blobs/" + digest.replace(":", "/")
    write = lambda path, value: (folder / path).write_text(json.dumps(value, separators=(",", ":")))
    index = json.loads((folder / "index.json").read_text())
    [described] = index["manifests"]
    described["annotations"]["io.containerd.image.name"] = f"docker.io/library/{name}"
    write("index.json", index)
    manifest = json.loads((folder / blob(described["digest"])).read_text())
    # This format is older than OCI, and refers to files in the same archive.
    write("manifest.json", [{
        "Config": blob(manifest["config"]["digest"]),
        "RepoTags": [name],
        "Layers": [blob(layer["digest"]) for layer in manifest["layers"]],
    }])


if __name__ == "__main__":
    main(*sys.argv[1:])
