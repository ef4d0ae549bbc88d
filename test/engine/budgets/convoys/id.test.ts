import assert from "node:assert/strict";
import path from "node:path";
import { it } from "node:test";
import fc from "fast-check";
import { readConvoyId } from "../../../../src/engine/budgets/convoys/id.ts";

const refused = [
  "",
  ".",
  "..",
  "../x",
  "a/b",
  "a\\b",
  "/etc/passwd",
  "C:x",
  "a.json",
  "a b",
  " a",
  "a\0",
  "a\n",
  "-a",
  "_a",
  "Fleet",
  "flotte\u0301",
  "ﬂeet",
  "a:stream",
  "~",
  "%2e%2e",
  "x".repeat(65),
  "con",
  "CON",
  "Nul",
  "aux",
  "prn",
  "com1",
  "LPT9",
  "con.txt",
  "__proto__",
];

for (const id of refused)
  it(`${JSON.stringify(id)} is not a valid group id`, () => {
    const read = readConvoyId(id);
    assert.ok(!read.ok);
    assert.equal(read.reason, "invalid_id");
    assert.doesNotMatch(read.detail.text, /\p{Cc}/u);
  });

for (const id of ["a", "0", "fleet-2", "fix_login", "console", "com10", "x".repeat(64)])
  it(`${id} is an id`, () => {
    assert.deepEqual(readConvoyId(id), { ok: true, value: id });
  });

it("Whatever passes stays in its folder, on every system, and is one file where case is folded", () => {
  const anything = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("a", "A", "0", "-", "_", ".", "/", "\\", ":") }),
  );
  fc.assert(
    fc.property(anything, (id) => {
      if (!readConvoyId(id).ok) return;
      assert.equal(id, id.toLowerCase());
      for (const paths of [path.posix, path.win32]) {
        const file = paths.resolve(paths.join("/budgets", `${id}.json`));
        assert.equal(paths.dirname(file), paths.resolve("/budgets"));
      }
    }),
    { numRuns: 2000 },
  );
});
