import assert from "node:assert/strict";
import test from "node:test";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { recentSessions } from "../../../../src/engine/jobs/process/measure-rules.ts";
import { appendEntries } from "../../ledger/support/support.ts";
import { served } from "../../service/support/rules-service.ts";
import { seededRandom } from "../../support/seeded-random.ts";

const day = 86_400_000;

/** Sessions of two projects, one of which takes ten times as much. */
function work(count: number, now: number): LedgerEntry[] {
  const random = seededRandom(3);
  return Array.from({ length: count }, (_, number): LedgerEntry[] => {
    const id = `w${number}`;
    const at = now - number * 3_600_000;
    const mean = 9 + 2.3 * (number % 2) + 0.3 * random.normal();
    const run = { agent: "main", output: 0, cacheCreation: 0, cacheRead: 0, completed: true };
    return [
      { kind: "session", id, program: "claude-code", cwd: `/p${number % 2}`, firstAt: at, lastAt: at },
      ...Array.from({ length: 40 }, (__, part): LedgerEntry => {
        const input = Math.round(Math.exp(mean + 0.5 * random.normal()));
        return { kind: "run", id: `${id}:${part}`, sessionId: id, ...run, input, startedAt: at, endedAt: at };
      }),
    ];
  }).flat();
}

test("A trial is planned from the user's own sessions: their number per day, and their variation", async (t) => {
  const { client, ledger } = await served(t);
  const now = Date.now();
  await appendEntries(ledger, ...work(19, now));
  const few = await recentSessions("main", { service: client, now });
  assert.deepEqual(few.ok && few.value, { count: 19, days: 28, noise: null });
  await appendEntries(ledger, ...work(60, now));
  const known = await recentSessions("main", { service: client, now });
  assert.ok(known.ok && known.value.noise !== null);
  assert.equal(known.value.noise.sessions, 60);
  const { value } = known.value.noise;
  assert.ok(value > 0.22 && value < 0.42, `${value}: not what the projects differ by`);
  const later = await recentSessions("main", { service: client, now: now + 30 * day });
  assert.deepEqual(later.ok && [later.value.count, later.value.noise?.sessions], [0, 60]);
  const other = await recentSessions("reviewer", { service: client, now });
  assert.deepEqual(other.ok && other.value, { count: 0, days: 28, noise: null });
});
