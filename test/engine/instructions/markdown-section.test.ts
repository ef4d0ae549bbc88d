import { test } from "node:test";
import assert from "node:assert/strict";
import fc from "fast-check";
import { sectionsOf, withoutSection } from "../../../src/engine/instructions/markdown-section.ts";

const file = [
  "---",
  "# not a heading: frontmatter",
  "---",
  "Before.",
  "# Project",
  "About it.",
  "## Commands ##",
  "```sh",
  "# not a heading: code",
  "```",
  "### Tests",
  "npm test",
  "## Style: how & why",
  "<!--",
  "# not a heading: a comment",
  "-->",
  "Plain.",
  "# Other",
  "End.",
  "",
].join("\n");

test("A section reaches to the next heading of its level or above", () => {
  assert.deepEqual(
    sectionsOf(file).map(({ title, slug, level, start, end }) => [title, slug, level, start, end]),
    [
      ["Project", "project", 1, 4, 17],
      ["Commands", "commands", 2, 6, 12],
      ["Tests", "tests", 3, 10, 12],
      ["Style: how & why", "style-how--why", 2, 12, 17],
      ["Other", "other", 1, 17, 19],
    ],
  );
});

test("Without a section the rest is as it was", () => {
  for (const heading of ["Commands", "commands", "## Commands", " COMMANDS "]) {
    const found = withoutSection(file, heading);
    assert.ok(found.ok);
    assert.ok(!found.value.text.includes("npm test"));
    assert.match(found.value.text, /About it\.\n## Style/u);
    assert.ok(found.value.removed.startsWith("## Commands ##\n```sh\n"));
  }
  const slug = withoutSection(file, "style-how--why");
  assert.ok(slug.ok && slug.value.removed.endsWith("Plain.\n"));
});

test("A missing or ambiguous section is refused", () => {
  const missing = withoutSection(file, "Nowhere");
  assert.ok(!missing.ok && missing.reason === "no_section");
  const twice = withoutSection("# A\n## B\nx\n# C\n## B\ny", "B");
  assert.ok(!twice.ok && twice.reason === "several");
});

test("Whatever the file, its sections lie within it, and without one the removed and the rest are all of it", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "# a",
      "## b",
      "###### c",
      "####### d",
      "```",
      "~~~~",
      "---",
      "<!--",
      "-->",
      "#",
      "   # e",
      "    # f",
      "x",
    ),
    fc.string({ maxLength: 12 }),
  );
  const text = fc
    .tuple(fc.array(piece, { maxLength: 30 }), fc.constantFrom("\n", "\r\n", "\r"))
    .map(([pieces, ending]) => pieces.join(ending));
  fc.assert(
    fc.property(text, (written) => {
      for (const section of sectionsOf(written)) {
        assert.ok(section.start < section.end);
        const found = withoutSection(written, section.title);
        if (!found.ok) continue;
        const { text: rest, removed } = found.value;
        assert.equal(rest.length + removed.length, written.length);
        const at = written.indexOf(removed);
        assert.ok(at !== -1 && removed !== "");
      }
    }),
  );
});
