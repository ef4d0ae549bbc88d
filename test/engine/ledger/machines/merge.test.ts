import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { SharedEntry } from "../../../../src/engine/ledger/entries/machine-entries.ts";
import type { Ledger } from "../../../../src/engine/ledger/ledger.ts";
import { openLedger } from "../../../../src/engine/ledger/store/open.ts";
import { noUsage } from "../../../../src/engine/usage/token-counts.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { appendEntries, ledgerPorts, open, response } from "../support/support.ts";

/** An entry of a machine; the empty one is this machine. */
interface Drawn {
  readonly machine: string;
  readonly version: number;
  readonly number: number;
  readonly session: number;
  readonly kind: number;
}

const everything = { since: null, until: null } as const;

function of(machine: string, version: number, row: SharedEntry): LedgerEntry {
  return { kind: "machine-row", machine, version, row };
}

function byMachine(ledger: Ledger): Record<string, number> {
  const { rows } = ledger.ask("usage", { by: "machine", ...everything }, { ownLabel: "own" });
  return Object.fromEntries(rows.map(({ key, usage }) => [key, usage.output]));
}

const named = (id: string): LedgerEntry => ({
  kind: "machine",
  id,
  label: `the ${id}`,
  cursor: null,
  syncedAt: 1,
});

async function made(t: TestContext, ...entries: LedgerEntry[]): Promise<Ledger> {
  const ledger = await open(t, scratchFolder(t));
  if (entries.length > 0) await appendEntries(ledger, ...entries);
  return ledger;
}

describe("the usage of several machines", () => {
  it("counts a response of a session that was copied to another machine once, whichever came first", async (t) => {
    const copied = [of("b", 3, response(7)), of("b", 3, response(8)), of("a", 9, response(8))];
    for (const entries of [
      [response(7), ...copied],
      [...copied, response(7)],
    ]) {
      const ledger = await made(t, named("a"), named("b"), ...entries);
      assert.deepEqual(byMachine(ledger), { own: 7, "the a": 8 });
    }
  });

  it("takes a correction by its version, and never an older row again", async (t) => {
    const corrected = response(5, { usage: { ...noUsage, output: 50 } });
    const ledger = await made(t, named("a"), of("a", 4, corrected), of("a", 2, response(5)));
    assert.deepEqual(byMachine(ledger), { "the a": 50 });
    await appendEntries(ledger, of("a", 6, response(5, { usage: { ...noUsage, output: 20 } })));
    assert.deepEqual(byMachine(ledger), { "the a": 20 }, "a correction may also be smaller");
  });

  it("takes back what a machine took back, and counts another copy of it again", async (t) => {
    const ledger = await made(t, named("a"), named("b"), of("a", 1, response(5)), of("b", 1, response(5)));
    assert.deepEqual(byMachine(ledger), { "the a": 5 });
    await appendEntries(ledger, { kind: "retraction", machine: "a", sessionId: "session-1", version: 3 });
    assert.deepEqual(byMachine(ledger), { "the b": 5 });
    await appendEntries(ledger, of("a", 2, response(6)), of("a", 3, response(7)));
    assert.deepEqual(byMachine(ledger), { "the a": 7, "the b": 5 }, "what is older came too late");
  });

  it("leaves this machine's sessions as they are, and forgets a machine without a trace", async (t) => {
    const session = { kind: "session", id: "session-1", program: "codex", cwd: "/here" } as const;
    const entries: LedgerEntry[] = [
      session,
      response(1),
      { kind: "tool-call", id: "call-1", sessionId: "session-1", messageId: "msg_1", tool: "Bash" },
    ];
    const ledger = await made(t, ...entries);
    const before = JSON.stringify(ledger.ask("overview", { ...everything, project: null, program: null }));
    await appendEntries(
      ledger,
      named("a"),
      of("a", 9, { ...session, cwd: "api#0123456789abcdef", program: "gemini" }),
      of("a", 9, { kind: "session", id: "session-2", program: "gemini" }),
      of("a", 9, { kind: "tool-call", id: "call-1", sessionId: "session-1", tool: "Read" }),
      of("a", 9, response(2, { sessionId: "session-2" })),
      { kind: "retraction", machine: "a", sessionId: "session-3", version: 3 },
    );
    const [here, there] = ledger.ask("sessions", {}).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    assert.deepEqual([here?.cwd, here?.program, here?.machine], ["/here", "codex", ""]);
    assert.deepEqual([there?.program, there?.machine], ["gemini", "a"]);
    const both = ledger.ask("overview", { ...everything, project: null, program: null });
    assert.deepEqual(both.sessions.map(({ id, machine }) => [id, machine]).toSorted(), [
      ["session-1", undefined],
      ["session-2", "the a"],
    ]);
    assert.equal(both.tools.find(({ key }) => key === "Bash")?.calls, 1);
    assert.deepEqual(
      ledger.ask("overview", { ...everything, project: null, program: null, machine: "the a" }).totals.usage
        .output,
      2,
    );
    await appendEntries(ledger, { kind: "forget-machine", id: "a" });
    const after = JSON.stringify(ledger.ask("overview", { ...everything, project: null, program: null }));
    assert.equal(after, before);
    assert.deepEqual(ledger.ask("machines", null), []);
    assert.deepEqual(await ledger.check(), []);
  });

  it("is the same in whatever order rows come, and however often", async (t) => {
    const machine = fc.constantFrom("a", "b", "");
    const version = fc.integer({ min: 1, max: 4 });
    const entry: fc.Arbitrary<Drawn> = fc.record({
      machine,
      version,
      number: fc.nat(3),
      session: fc.nat(2),
      kind: fc.nat(4),
    });
    const entryOf = ({ machine: from, version: at, number, session, kind }: Drawn): LedgerEntry => {
      const sessionId = `s${session}`;
      // What one machine says under one version is one thing.
      const size = from === "" ? 10 * number : 100 * number + 10 * at + (from === "a" ? 1 : 2);
      const rows: readonly SharedEntry[] = [
        response(number, { sessionId: `s${number}`, usage: { ...noUsage, output: size } }),
        { kind: "session", id: sessionId, program: from === "" ? "codex" : `p${from}${at}` },
        {
          kind: "tool-call",
          id: `call-${number}`,
          sessionId: "s0",
          tool: from === "" ? "Bash" : `t${from}${at}`,
        },
        { kind: "subagent", sessionId, agentId: "x", type: from === "" ? "own" : `${from}${at}` },
      ];
      const row = rows[kind];
      if (row === undefined)
        return from === ""
          ? { kind: "session", id: sessionId, program: "codex" }
          : { kind: "retraction", machine: from, sessionId, version: at };
      return from === "" ? row : of(from, at, row);
    };
    const folder = scratchFolder(t);
    let ledgers = 0;
    const stateAfter = async (entries: readonly LedgerEntry[]): Promise<unknown> => {
      const opened = await openLedger({ ...ledgerPorts(), folder: `${folder}/${(ledgers += 1)}` });
      assert.ok(opened.ok);
      const ledger = opened.value;
      try {
        if (entries.length > 0) await appendEntries(ledger, ...entries);
        const usage = (["machine", "session", "tool", "subagent"] as const).map(
          (by) => ledger.ask("usage", { by, ...everything }).rows,
        );
        const sessions = ledger
          .ask("sessions", {})
          .map(({ id, program, machine: from }) => [id, program, from]);
        return [usage, sessions.toSorted()];
      } finally {
        await ledger.close();
      }
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 14 }),
        fc.infiniteStream(fc.nat(1000)),
        async (some, dice) => {
          // Collecting names each session of this machine.
          const entries = some.map(entryOf).flatMap((each): LedgerEntry[] => {
            const id = "sessionId" in each && each.kind !== "retraction" ? each.sessionId : null;
            return typeof id === "string" ? [each, { kind: "session", id, program: "codex" }] : [each];
          });
          const shuffled = entries
            .map((each) => ({ each, at: Number(dice.next().value) }))
            .toSorted((one, other) => one.at - other.at)
            .map(({ each }) => each);
          assert.deepEqual(await stateAfter([...shuffled, ...entries]), await stateAfter(entries));
        },
      ),
      { numRuns: 15 },
    );
  });
});
