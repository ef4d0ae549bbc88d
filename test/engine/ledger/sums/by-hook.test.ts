import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { HookProfileRow } from "../../../../src/engine/ledger/questions/hook-profile.ts";
import { hooksKeptFor } from "../../../../src/engine/ledger/sums/by-hook.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { Ledger } from "../../../../src/engine/ledger/ledger.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { open, appendEntries } from "../support/support.ts";

type Hook = Extract<LedgerEntry, { kind: "hook-event" }>;

const day = 86_400_000;
const now = Date.UTC(2026, 10, 22, 12);
const always = 0;

function hook(number: number, over: Partial<Hook> = {}): Hook {
  const reported = { event: "PreToolUse", outcome: "none", durationMs: 0.5, injectedChars: 3 };
  return { kind: "hook-event", id: `hook:${number}`, sessionId: "s", at: now, ...reported, ...over };
}

async function single(ledger: Ledger): Promise<number> {
  const lines: Uint8Array[] = [];
  for await (const bytes of ledger.export({ format: "csv", since: null, table: "hook_events" }))
    lines.push(bytes);
  return Buffer.concat(lines).toString("utf8").split("\r\n").length - 2;
}

async function sum(ledger: Ledger, at: number): Promise<void> {
  const done = await ledger.ageOut(at);
  assert.ok(done.ok, done.ok ? "" : done.detail.text);
}

test("After a year of hooks, only those of the last month are stored singly, and all of them count", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(ledger, { kind: "session", id: "s", program: "claude-code" });
  const aDay = 40;
  for (let back = 365; back >= 0; back -= 1) {
    const at = now - back * day;
    const hooks = Array.from({ length: aDay }, (_, number) =>
      hook(number, {
        id: `hook:${back}-${number}`,
        at: at + number,
        event: number % 4 === 0 ? "Stop" : "PreToolUse",
      }),
    );
    await appendEntries(ledger, ...hooks);
    await sum(ledger, at);
  }
  // The day that contains the moment thirty days ago is stored in full.
  assert.equal(await single(ledger), 31 * aDay);
  assert.deepEqual(
    ledger.ask("hookProfile", always).map(({ event, count, injectedChars }) => [event, count, injectedChars]),
    [
      ["PreToolUse", 366 * 30, 366 * 90],
      ["Stop", 366 * 10, 366 * 30],
    ],
  );
  assert.deepEqual(
    ledger.ask("hookProfile", now - 7 * day).map(({ count }) => count),
    [8 * 30, 8 * 10],
  );
});

test("More hooks at one moment than one pass sums up are all summed up", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const old = Array.from({ length: 1300 }, (_, number) => hook(number, { at: now - 40 * day }));
  await appendEntries(ledger, ...old, hook(9999));
  await sum(ledger, now);
  assert.equal(await single(ledger), 1);
  assert.equal(ledger.ask("hookProfile", always)[0]?.count, 1301);
});

test("A hook that is repeated after it was summed up counts once, also after a restart", async (t) => {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  const old = hook(1, { at: now - 40 * day });
  await appendEntries(ledger, old, hook(2));
  await sum(ledger, now);
  await appendEntries(ledger, old);
  assert.equal(ledger.ask("hookProfile", always)[0]?.count, 2);
  await ledger.close();
  const again = await open(t, folder);
  await appendEntries(again, old);
  assert.equal(again.ask("hookProfile", always)[0]?.count, 2);
});

test("A wrong clock sums up nothing, and neither does a hook with a wrong time", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(ledger, hook(1, { at: now - day }), hook(2));
  await sum(ledger, now + 1000 * day);
  await appendEntries(ledger, hook(3, { at: now + 1000 * day }));
  await sum(ledger, now);
  assert.equal(await single(ledger), 3);
});

test("A hook dated by a clock of 1971 is stored without its time, also when repeated, and beside summed ones", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(ledger, hook(1, { at: now - 40 * day }), hook(2));
  await sum(ledger, now);
  const early = hook(3, { at: Date.UTC(1971, 5, 1) });
  await appendEntries(ledger, early);
  await appendEntries(ledger, early);
  await appendEntries(ledger, hook(1, { at: now - 40 * day }));
  await sum(ledger, now);
  assert.equal(await single(ledger), 2);
});

test("If clock and hook are both wrong, later hooks are still stored singly", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(ledger, hook(1), hook(2, { at: now + 1000 * day }));
  await sum(ledger, now + 1000 * day);
  await appendEntries(ledger, hook(3, { at: now + 1 }));
  assert.equal(await single(ledger), 2);
  assert.equal(ledger.ask("hookProfile", always)[0]?.count, 3);
});

/** Events of a ledger: hooks are appended, possibly repeatedly, time passes, hooks are summed up, it is reopened. */
const happening = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      number: fc.nat(30),
      back: fc.nat(80),
      event: fc.constantFrom("PreToolUse", "Stop"),
      outcome: fc.constantFrom("none", "deny", null),
      durationMs: fc.option(fc.double({ min: 0, max: 60_000, noNaN: true })),
      injectedChars: fc.option(fc.nat(1000)),
    }),
  },
  { weight: 3, arbitrary: fc.constant("sum" as const) },
  { weight: 1, arbitrary: fc.constantFrom("open" as const, "snapshot" as const) },
);

test("Whenever hooks are summed up, a profile is the same as without summing", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 40 }), fc.nat(90), async (happenings, back) => {
      const [folder, other] = [scratchFolder(t), scratchFolder(t)];
      let ledger = await open(t, folder);
      const whole = await open(t, other);
      // A current hook, which shows that all others are in the past.
      const known = new Map([["now", hook(0, { id: "now" })]]);
      await appendEntries(ledger, hook(0, { id: "now" }));
      let isSummed = false;
      for (const each of happenings) {
        if (each === "sum") {
          await sum(ledger, now);
          isSummed = true;
        } else if (each === "snapshot") await ledger.snapshot();
        else if (each === "open") {
          await ledger.close();
          ledger = await open(t, folder);
        } else {
          const { number, back: days, ...more } = each;
          const reported = hook(number, { id: `hook:${number}`, at: now - days * day, ...more });
          const held = known.get(reported.id) ?? reported;
          // Repeats are identical; a hook of an already summed time comes too late.
          const isLate = isSummed && (held.at ?? 0) < now - hooksKeptFor && !known.has(held.id);
          if (isLate) continue;
          known.set(held.id, held);
          await appendEntries(ledger, held);
        }
      }
      await appendEntries(whole, ...known.values());
      // Whole days are requested, because all hooks of a summed day count.
      const since = Math.floor((now - back * day) / day) * day;
      compare(ledger.ask("hookProfile", since), whole.ask("hookProfile", since));
      await ledger.close();
      await whole.close();
    }),
    { numRuns: 25 },
  );
});

function compare(reported: readonly HookProfileRow[], expected: readonly HookProfileRow[]): void {
  const counted = ({ event, count, injectedChars }: HookProfileRow) => ({ event, count, injectedChars });
  assert.deepEqual(reported.map(counted), expected.map(counted));
  for (const [index, { p50, p95 }] of expected.entries()) {
    assertNear(reported[index]?.p50 ?? null, p50);
    assertNear(reported[index]?.p95 ?? null, p95);
  }
}

function assertNear(reported: number | null, expected: number | null): void {
  if (expected === null || reported === null) assert.equal(reported, expected);
  else
    assert.ok(Math.abs(reported - expected) <= 0.05 * expected + 0.01, `${reported} instead of ${expected}`);
}
