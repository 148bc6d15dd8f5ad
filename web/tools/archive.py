# SPDX-License-Identifier: MIT
"""archive.py FOLDER FILE.zip: the site as one file. Equal folders give equal bytes: names in order,
one date (SOURCE_DATE_EPOCH, else the earliest that the format knows), plain permissions."""
import os
import sys
import time
import zipfile
from pathlib import Path

folder, target = Path(sys.argv[1]), Path(sys.argv[2])
epoch = int(os.environ.get('SOURCE_DATE_EPOCH', '315532800'))
date = max(time.gmtime(epoch)[:6], (1980, 1, 1, 0, 0, 0))
target.parent.mkdir(parents=True, exist_ok=True)
with zipfile.ZipFile(target, 'w') as archive:
    for file in sorted(p for p in folder.rglob('*') if p.is_file()):
        entry = zipfile.ZipInfo('kvgauge/' + file.relative_to(folder).as_posix(), date)
        entry.external_attr = 0o644 << 16
        entry.create_system = 3
        # What is compressed already gains nothing.
        packed = file.suffix in ('.gz', '.br', '.png', '.woff2')
        entry.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
        archive.writestr(entry, file.read_bytes(), compresslevel=9)
