import assert from "node:assert/strict";
import test from "node:test";
import { scratchFolder } from "../../support/scratch.ts";
import { crashRounds } from "./rounds.ts";

test("After a kill at 20 random moments while four callers append, every acknowledged entry is there once", async (t) => {
  const { acknowledged } = await crashRounds(scratchFolder(t), { rounds: 20, seed: 1 });
  assert.ok(acknowledged > 100, `${acknowledged} were acknowledged`);
});
