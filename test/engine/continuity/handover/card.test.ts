import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { cardParts, readCard, withCard } from "../../../../src/engine/continuity/handover/card.ts";

const document = `Handover h3f9c1a7e: Mend the form

An earlier session left this.

- Made: 2026-11-24

## In short

> Half of it.

## Goal

- Mend the form

## Blockers

- Bash: it fails

## Next step

Run the checks.

## More from the record

### Asked
- "x"
`;

it("A card is the parts of a document that people edit, under their headings of now and of before", () => {
  const card = { goal: "- Mend the form", done: "", decisions: "", files: "", next: "Run the checks." };
  assert.deepEqual(readCard(document), card);
  const old = document
    .replace("## Goal", "## Current objective")
    .replace("Next step", "Next recommended action");
  assert.deepEqual(readCard(old), card);
  assert.equal(withCard(old, card), old);
});

it("An edited part is written in its place, an emptied one loses its section, and the rest stays", () => {
  const changed = withCard(document, {
    goal: "",
    done: "- The form",
    decisions: "Blue or green?",
    files: "- a.ts\r\n- b.ts",
    next: "## Ask first\n# Twice",
  });
  assert.equal(
    changed.slice(changed.indexOf("> Half of it.")),
    `> Half of it.

## Done

- The form

## Open decisions

Blue or green?

## Blockers

- Bash: it fails

## Files

- a.ts
- b.ts

## Next step

### Ask first
### Twice

## More from the record

### Asked
- "x"
`,
  );
  assert.ok(changed.startsWith(document.slice(0, document.indexOf("## Goal"))));
});

const text = fc.string({ unit: fc.constantFrom("a", " ", "#", "\n", "\r", "-", "ü", "🙂"), maxLength: 40 });

it("Any card that is written is read again, and writing it twice changes nothing", () => {
  fc.assert(
    fc.property(
      fc.record({ goal: text, done: text, decisions: text, files: text, next: text }),
      fc.constantFrom("", "Handover h3f9c1a7e: x\n", document, document.replaceAll("\n", "\r\n")),
      (card, before) => {
        const once = withCard(before, card);
        const read = readCard(once);
        for (const part of cardParts) assert.equal(read[part] === "", card[part].trim() === "", part);
        assert.equal(withCard(once, read), once);
        if (before !== "") assert.equal(once.split("\n")[0], before.split("\n")[0]);
      },
    ),
  );
});
