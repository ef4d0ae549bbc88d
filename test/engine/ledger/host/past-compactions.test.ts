import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { fail, succeed } from "../../../../src/engine/base/result.ts";
import { systemClock } from "../../../../src/engine/base/timing.ts";
import { findCompactions, inWindows, type FoundCompaction } from "../../../../src/engine/sessions/learn.ts";
import { composeLedger } from "../../../../src/engine/service/compose-ledger.ts";
import { PastCompactions } from "../../../../src/engine/ledger/host/past-compactions.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";
import { programs } from "../../support/programs.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { ServiceSandbox } from "../../service/support/box.ts";

const recordings = fileURLToPath(new URL("../../../recordings", import.meta.url));
const claude = { agent: "claude-code", path: path.join(recordings, "2.1.332", "compaction-auto") } as const;
const codex = {
  agent: "codex",
  path: path.join(recordings, "codex-0.171.0", "compaction", "sessions"),
} as const;
const absent = { agent: "gemini", path: path.join(recordings, "absent") } as const;
const none = new AbortController().signal;
const inLedger = { model: "ship-1", long: false, preTokens: 5, at: 6 };

type Asked = NonNullable<ConstructorParameters<typeof PastCompactions>[0]["ledger"]>;

/** Results found at once, and results found later. */
async function search(ledger: Asked | null, places: readonly string[] = [claude.path]) {
  const ports = {
    places,
    clock: systemClock,
    learnWorker: programs.learnWorker,
    onProblem: (problem: string) => assert.fail(problem),
  };
  const past = new PastCompactions(ledger === null ? ports : { ...ports, ledger });
  past.start();
  let later: readonly FoundCompaction[] | null = null;
  const first = await past.find([claude, codex, absent], none, (all) => (later = all));
  const isCollected = ledger !== null && places.includes(claude.path);
  if (isCollected) await waitUntil(() => later !== null);
  return { first, later };
}

const readNow = (...roots: readonly (typeof claude | typeof codex)[]) =>
  findCompactions({ roots, now: systemClock.now() });
const neverAsked = () => assert.fail("asked");
const open: Asked = {
  isOpen: true,
  claudeCompactions: (signal) =>
    Promise.resolve(succeed(signal === undefined ? [inLedger] : [inLedger, inLedger])),
};

test("Compactions of Claude Code come from the ledger: known ones at once, and all when it has read everything", async () => {
  const others = await readNow(codex);
  assert.ok(others.length > 0);
  assert.deepEqual(await search(open), {
    first: [inLedger, ...others],
    later: [inLedger, inLedger, ...others],
  });
});

test("Folders that the ledger does not collect are read, and all folders without a ledger", async () => {
  const all = await readNow(claude, codex);
  assert.ok(all.some((each) => "model" in each));
  assert.deepEqual(await search(open, ["/elsewhere"]), { first: all, later: null });
  assert.deepEqual(await search(null), { first: all, later: null });
});

test("A search does not wait for a ledger that is not open, and reads the files if it cannot be opened", async () => {
  const closed: Asked = {
    isOpen: false,
    claudeCompactions: () => Promise.resolve(fail("no_ledger", plainSentence("closed"))),
  };
  const others = await readNow(codex);
  const { first, later } = await search(closed);
  assert.deepEqual(first, others);
  assert.deepEqual(later, [...(await readNow(claude)), ...others]);
});

test("A ledger that is not being opened yet is not queried", async () => {
  const past = new PastCompactions({
    ledger: { isOpen: false, claudeCompactions: neverAsked },
    places: [claude.path],
    clock: systemClock,
    learnWorker: programs.learnWorker,
    onProblem: (problem) => assert.fail(problem),
  });
  assert.deepEqual(await past.find([claude], none, neverAsked), []);
  await new Promise((resolve) => setImmediate(resolve));
});

test("The ledger has the same compactions as the transcripts, even in those that it is still reading", async (t) => {
  const box = new ServiceSandbox(t, { CLAUDE_CONFIG_DIR: claude.path });
  const ledger = composeLedger({ ...box.servicePorts(), programs: programs.ledgerPrograms });
  const client = await box.host({ ledger });
  const found = await ledger.claudeCompactions(none);
  const read = await findCompactions({ roots: [claude], now: 0 });
  assert.equal(read.length, 1);
  const learned = inWindows(read, builtInCatalogue);
  assert.equal(learned.length, 1);
  assert.deepEqual(found.ok && inWindows(found.value, builtInCatalogue), learned);
  assert.equal(await client.shutdown("asked", 5000), true);
});
