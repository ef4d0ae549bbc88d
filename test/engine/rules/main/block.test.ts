import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { compileMemory, memoryKind } from "../../../../src/engine/rules/memory-text.ts";
import { readBlock, withBlock } from "../../../../src/engine/rules/main/block.ts";
import { rule } from "../support/support.ts";

/** Files as people have them: with or without a byte order mark, with any line ends, with any last line. */
const lineEnds = fc.constantFrom("\n", "\r\n");
const files = fc
  .tuple(
    fc.constantFrom("", "\uFEFF"),
    fc.array(fc.tuple(fc.oneof(fc.string(), fc.constantFrom("# Notes", "<!-- mine -->", "")), lineEnds), {
      maxLength: 6,
    }),
    fc.oneof(fc.constant(""), fc.constant("the last line has no end")),
  )
  .map(([mark, lines, last]) => `${mark}${lines.map(([text, end]) => `${text}${end}`).join("")}${last}`);
const memories = fc.array(fc.stringMatching(/^[A-Za-z ]{10,40}$/u), { minLength: 1, maxLength: 4 }).map(
  (all) =>
    compileMemory(
      all.map((sentence, index) => rule({ id: `r${index}`, sentence, status: "active" })),
      "3",
    ).text,
);

function partsOf(text: string) {
  const read = readBlock(text);
  assert.ok(read.ok, read.ok ? "" : read.detail.text);
  return read.value;
}

describe("the marked block", () => {
  it("goes in, changes and comes out; all beside it stays byte for byte", () => {
    fc.assert(
      fc.property(files, memories, memories, (file, first, second) => {
        const once = withBlock(partsOf(file), first);
        const found = partsOf(once);
        assert.equal(found.memory, first);
        assert.equal(memoryKind(found.memory).kind, "ours");
        const changed = withBlock(found, second);
        assert.equal(partsOf(changed).memory, second);
        assert.equal(withBlock(partsOf(changed), ""), file);
      }),
    );
  });

  it("keeps what a person writes before and after it", () => {
    fc.assert(
      fc.property(files, files, memories, memories, (before, after, first, second) => {
        const whole = before.endsWith("\n") || before === "" ? before : `${before}\n`;
        const text = `${withBlock(partsOf(whole), first)}${after.replace("\uFEFF", "")}`;
        const next = withBlock(partsOf(text), second);
        const [found, kept] = [partsOf(text), partsOf(next)];
        assert.deepEqual([kept.before, kept.after], [found.before, found.after]);
        assert.equal(withBlock(partsOf(text), ""), `${whole}${after.replace("\uFEFF", "")}`);
      }),
    );
  });

  it("has the file's line ends", () => {
    const [memory] = fc.sample(memories, 1);
    const text = withBlock(partsOf("# Notes\r\n\r\nMine.\r\n"), memory ?? "");
    assert.equal(/[^\r]\n/u.test(text), false);
  });

  it("is left alone if its marks are not whole", () => {
    const [memory = ""] = fc.sample(memories, 1);
    const text = withBlock(partsOf("Mine.\n"), memory);
    const lines = text.split("\n");
    for (const broken of [
      lines.filter((line) => !line.includes("end of purser")).join("\n"),
      lines.filter((line) => !line.startsWith("<!-- purser v")).join("\n"),
      `${text}${text}`,
    ]) {
      const read = readBlock(broken);
      assert.equal(read.ok ? null : read.reason, "broken");
    }
  });

  it("that was edited by hand is known", () => {
    const [memory = ""] = fc.sample(memories, 1);
    const text = withBlock(partsOf("Mine.\n"), memory).replace("\n- ", "\n- Not ");
    assert.equal(memoryKind(partsOf(text).memory ?? "").kind, "edited");
  });
});
