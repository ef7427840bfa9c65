#!/usr/bin/env bash
# Fetches the maps and GEOS for W7 into a folder. Does only what is missing. Usage: fetch.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1" && cd "$1"

if [ ! -e venv/ready ]; then
    python3 -m venv venv
    venv/bin/pip install --quiet --disable-pip-version-check 'numpy==2.*' 'shapely==2.2.0'
    touch venv/ready
fi
if [ ! -e node_modules/ready ]; then
    npm install --silent --no-save --prefix . us-atlas@3.0.1 world-atlas@2.0.2 topojson-client@3.1.0
    touch node_modules/ready
fi
decode() { # file, name of its layer, output
    [ -e "$3" ] && return
    cp "$here/decode.mjs" decode.mjs # Node looks for packages beside the script.
    node decode.mjs "node_modules/$1" "$2" | venv/bin/python "$here/maps.py" "$3.part"
    mv "$3.part" "$3"
}
decode us-atlas/counties-albers-10m.json counties counties.bin
decode world-atlas/countries-10m.json countries countries.bin
