import assert from "node:assert/strict";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { readOpening } from "../../../src/engine/transcripts/open-file.ts";
import { scratchFolder } from "../support/scratch.ts";

describe("the opening of a file", () => {
  it("is all of a small file", (t) => {
    const file = path.join(scratchFolder(t), "small");
    writeFileSync(file, "tide");
    assert.equal(readOpening(file, 1000)?.toString(), "tide");
    writeFileSync(file, "");
    assert.equal(readOpening(file, 1000)?.toString(), "");
  });

  it("is only the requested length of a large one", (t) => {
    const file = path.join(scratchFolder(t), "large");
    writeFileSync(file, "tide table");
    truncateSync(file, 3 * 1024 ** 3);
    assert.equal(readOpening(file, 4)?.toString(), "tide");
  });

  it(
    "is undefined for a folder",
    { skip: process.platform === "win32" && "Windows does not open folders" },
    (t) => {
      const file = path.join(scratchFolder(t), "folder");
      mkdirSync(file);
      assert.equal(readOpening(file, 1000), undefined);
    },
  );

  it("throws the system's error for a missing file", (t) => {
    const file = path.join(scratchFolder(t), "missing");
    assert.throws(() => readOpening(file, 1000), { code: "ENOENT" });
  });
});
