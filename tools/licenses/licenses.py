#!/usr/bin/env python3
"""Writes NOTICE and opdebug.spdx.json: which libraries are inside what is passed on, with their licenses.

Usage: tools/licenses/licenses.py KIND PROCESSOR FOLDER
KIND       program (with the Python module, static), or debian (the Debian packages, linked with shared libraries)
PROCESSOR  x86_64 or aarch64
FOLDER     where both files are written

components.json lists the libraries. Their versions and the texts of their licenses are those of the installed Debian packages.
SOURCE_DATE_EPOCH is the time in the SPDX document, so the same sources give the same bytes.
"""

import datetime
import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LINE = "=" * 100


def project_version():
    text = (HERE / "../../CMakeLists.txt").read_text()
    return re.search(r"project\(opdebug VERSION ([0-9.]+)", text).group(1)


def installed(component, processor):
    """The name and the version of the Debian package that the library is from."""
    name = component["package"]
    if processor != platform.machine():
        name = component.get("cross_package", name)
    # A line for each processor that the package is installed for; Debian keeps their versions equal.
    query = ["dpkg-query", "--show", "--showformat=${Version}\\n", name]
    return name, subprocess.run(query, check=True, capture_output=True, text=True).stdout.splitlines()[0]


def copyright_text(package):
    text = pathlib.Path(f"/usr/share/doc/{package}/copyright").read_text()
    if "boost" not in package:
        return text
    # The file of Boost has two megabytes, most of them names. Its paragraph of the license is what matters.
    return re.search(r"^License: BSL-1.0\n (?:.*\n)+?(?=\n|\Z)", text, re.MULTILINE).group()


def notice(version, components):
    parts = [
        f"opdebug {version}\nCopyright 2026 the authors of opdebug\n\nLicensed under the Apache License, Version 2.0.\n"
        "\nThis product contains these libraries. Debian built them; the sources are in Debian, too.\n\n"
        + "".join(f"  {name} {found}: {license}, {source}\n" for name, _, found, license, source in components)
    ]
    texts = {name: copyright_text(package) for name, package, _, _, _ in components}
    # Texts of Debian name these, but do not contain them.
    for name in ("LGPL-2.1", "GPL-3", "GPL-2"):
        if any(f"/common-licenses/{name}" in text or f"/common-licenses/{name.split('-')[0]}'" in text for text in texts.values()):
            texts[name] = pathlib.Path(f"/usr/share/common-licenses/{name}").read_text()
    parts += [f"{LINE}\n{name}\n{LINE}\n\n{text.rstrip()}\n" for name, text in texts.items()]
    return "\n".join(parts)


def spdx(version, kind, processor, components):
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    identifiers = ["SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", name) for name, *_ in components]
    packages = [
        {
            "name": "opdebug",
            "SPDXID": "SPDXRef-opdebug",
            "versionInfo": version,
            "downloadLocation": "NOASSERTION",
            "licenseConcluded": "Apache-2.0",
            "licenseDeclared": "Apache-2.0",
            "copyrightText": "2026 the authors of opdebug",
            "filesAnalyzed": False,
        }
    ]
    for identifier, (name, package, found, license, source) in zip(identifiers, components):
        packages.append(
            {
                "name": name,
                "SPDXID": identifier,
                "versionInfo": found,
                "downloadLocation": source,
                "licenseConcluded": license,
                "licenseDeclared": license,
                "copyrightText": f"in NOTICE, section {name}",
                "filesAnalyzed": False,
                "externalRefs": [
                    {
                        "referenceCategory": "PACKAGE-MANAGER",
                        "referenceType": "purl",
                        "referenceLocator": f"pkg:deb/debian/{package}@{found}".replace("++", "%2B%2B"),
                    }
                ],
            }
        )
    relationships = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-opdebug")]
    relationships += [("SPDXRef-opdebug", "CONTAINS", identifier) for identifier in identifiers]
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"opdebug-{version}-{kind}-{processor}",
        "creationInfo": {
            "created": datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: opdebug-licenses"],
        },
        "packages": packages,
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind_of, "relatedSpdxElement": other}
            for one, kind_of, other in relationships
        ],
    }
    digest = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    document["documentNamespace"] = f"https://spdx.org/spdxdocs/{document['name']}-{digest[:32]}"
    return document


def main(kind, processor, folder):
    version = project_version()
    components = [
        (component["name"], *installed(component, processor), component["license"], component["source"])
        for component in json.loads((HERE / "components.json").read_text())
        if kind in component["inside"]
    ]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "NOTICE").write_text(notice(version, components))
    (folder / "opdebug.spdx.json").write_text(json.dumps(spdx(version, kind, processor, components), indent=2) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("program", "debian"):
        sys.exit(__doc__.strip())
    if shutil.which("dpkg-query") is None:
        sys.exit("licenses.py: no dpkg-query; NOTICE and opdebug.spdx.json are written on Debian only")
    main(*sys.argv[1:])
