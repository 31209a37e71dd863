#!/bin/sh
# The page's content security policy lets exactly its own style and script through: their hashes are in page.html.
# content_security_policy.sh FOLDER; status 1 when one is missing.
set -eu

cd "$1"
status=0
for kind in style:page.css script:page.js; do
    file=${kind#*:}
    hash=$(sha256sum "$file" | cut -d ' ' -f 1 | tr a-f A-F | basenc --base16 -d | base64)
    if ! grep -qF "${kind%%:*}-src 'sha256-$hash'" page.html; then
        echo "page.html: put ${kind%%:*}-src 'sha256-$hash' into the Content-Security-Policy: $file was changed"
        status=1
    fi
done
exit $status
