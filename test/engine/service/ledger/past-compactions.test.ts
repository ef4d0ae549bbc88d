import assert from "node:assert/strict";
import { test } from "node:test";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { fail, succeed } from "../../../../src/engine/base/result.ts";
import { systemClock } from "../../../../src/engine/base/timing/clock.ts";
import { findCompactions } from "../../../../src/engine/context/learn.ts";
import { composeLedger } from "../../../../src/engine/service/compose.ts";
import type { LedgerHost } from "../../../../src/engine/service/ledger/host.ts";
import { PastCompactions } from "../../../../src/engine/service/ledger/past-compactions.ts";
import { programs } from "../../support/programs.ts";
import { ServiceSandbox } from "../support/box.ts";

const recordings = fileURLToPath(new URL("../../../recordings", import.meta.url));
const claude = { agent: "claude-code", path: path.join(recordings, "2.1.330", "compaction-auto") } as const;
const codex = {
  agent: "codex",
  path: path.join(recordings, "codex-0.169.0", "compaction", "sessions"),
} as const;
const absent = { agent: "gemini", path: path.join(recordings, "absent") } as const;
const none = new AbortController().signal;
const inLedger = { model: "ship-1", long: false, preTokens: 5, at: 6 };

type Asked = Pick<LedgerHost, "claudeCompactions">;

function search(ledger: Asked | null, places: readonly string[] = [claude.path]) {
  const ports = { places, clock: systemClock, learnWorker: programs.learnWorker };
  const past = new PastCompactions(ledger === null ? ports : { ...ports, ledger });
  past.start();
  return past.find([claude, codex, absent], none);
}

test("Compactions of Claude Code come from the ledger, those of others and of other folders from their files", async () => {
  const ledger: Asked = { claudeCompactions: () => Promise.resolve(succeed([inLedger])) };
  const others = await findCompactions({ roots: [codex], now: systemClock.now() });
  assert.ok(others.length > 0);
  assert.deepEqual(await search(ledger), [inLedger, ...others]);
  const elsewhere = await search(ledger, ["/elsewhere"]);
  assert.deepEqual(elsewhere, await findCompactions({ roots: [claude, codex], now: systemClock.now() }));
});

test("Without a ledger that can be asked, transcripts are read", async () => {
  const read = await findCompactions({ roots: [claude, codex], now: systemClock.now() });
  assert.ok(read.some((each) => "model" in each));
  const closed: Asked = { claudeCompactions: () => Promise.resolve(fail("no_ledger", "closed")) };
  assert.deepEqual(await search(closed), read);
  assert.deepEqual(await search(null), read);
});

test("Nothing is asked of a ledger that is not being opened yet", async () => {
  const past = new PastCompactions({
    ledger: { claudeCompactions: () => assert.fail("asked") },
    places: [claude.path],
    clock: systemClock,
    learnWorker: programs.learnWorker,
  });
  const next = new Promise((resolve) => setImmediate(resolve));
  assert.equal(await Promise.race([past.find([claude], none), next]), undefined);
});

test("The ledger has the same compactions as the transcripts, also of those that it is still reading", async (t) => {
  const box = new ServiceSandbox(t, { CLAUDE_CONFIG_DIR: claude.path });
  const ledger = composeLedger({ ...box.servicePorts(), programs: programs.ledgerPrograms });
  const client = await box.host({ ledger });
  const found = await ledger.claudeCompactions(none);
  const read = await findCompactions({ roots: [claude], now: 0 });
  assert.equal(read.length, 1);
  assert.deepEqual(found.ok && found.value, read);
  assert.equal(await client.shutdown("asked", 5000), true);
});
