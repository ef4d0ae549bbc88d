import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { holdsAny } from "../../../../src/engine/sessions/live/past.ts";
import { makeFifo } from "../../support/make-fifo.ts";
import { scratchFolder } from "../../support/scratch.ts";

describe("a text in a file", () => {
  const texts = ["the tide table", "neap"];
  const chunk = 1024 * 1024;

  it("is found anywhere, also across the pieces in which the file is read", (t) => {
    const file = path.join(scratchFolder(t), "log");
    for (const at of [0, chunk - 20, chunk - 14, chunk - 13, chunk - 1, chunk, 2 * chunk - 7, 3 * chunk])
      for (const text of texts) {
        writeFileSync(file, `${".".repeat(at)}${text}`);
        assert.equal(holdsAny(file, texts), true, `${text} at ${at}`);
        assert.equal(holdsAny(file, [`${text}s`]), false, `${text}s at ${at}`);
      }
  });

  it("is not found in a file without it", (t) => {
    const folder = scratchFolder(t);
    const file = path.join(folder, "log");
    writeFileSync(file, "");
    assert.equal(holdsAny(file, texts), false);
    writeFileSync(file, "nea the tide tabl".repeat(100_000));
    assert.equal(holdsAny(file, texts), false);
    assert.equal(holdsAny(file, []), false);
    assert.throws(() => holdsAny(path.join(folder, "missing"), texts), { code: "ENOENT" });
    const fifo = path.join(folder, "fifo");
    if (makeFifo(t, fifo)) assert.equal(holdsAny(fifo, texts), false);
  });

  it("is any text in its bytes", (t) => {
    const file = path.join(scratchFolder(t), "log");
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ minLength: 1, unit: "grapheme" }),
        fc.string(),
        (before, text, after) => {
          writeFileSync(file, before + text + after);
          return holdsAny(file, [text]);
        },
      ),
    );
  });
});
