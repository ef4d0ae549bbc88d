import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { RecordReader } from "../../../../../src/engine/ledger/collect/records/sources.ts";
import { attributedEntries } from "../../../../../src/engine/ledger/collect/records/sources.ts";
import {
  ledgerEntry,
  type CheckedEntry,
  type LedgerEntry,
} from "../../../../../src/engine/ledger/entries/entries-entry.ts";
import { attributedLines } from "../../../../../src/engine/transcripts/usage-reader.ts";
import { attributedRollout } from "../../../../../src/engine/transcripts/codex/codex-attribution.ts";
import { RolloutLines } from "../../../../../src/engine/transcripts/codex/read-rollout.ts";
import { attributedEvents } from "../../../../../src/engine/transcripts/copilot/named-records.ts";
import { EventLines } from "../../../../../src/engine/transcripts/copilot/read-events.ts";
import * as codex from "../../../transcripts/codex/rollout-rows.ts";
import * as work from "../../../transcripts/codex/work-rows.ts";
import * as copilot from "../../../transcripts/copilot/event-rows.ts";

const id = codex.idAt(0);
const readers = {
  codex: () =>
    attributedLines(new RolloutLines(id), (session) => attributedRollout(session, () => new Set())),
  copilot: () => attributedLines(new EventLines("s1"), (session) => attributedEvents(session, [])),
};

function rowOf(reported: CheckedEntry): string {
  if ("id" in reported) return `${reported.kind} ${reported.id}`;
  return `${reported.kind} ${"messageId" in reported ? reported.messageId : ""}`;
}

/** The rows that the ledger would store: the last values, where null changes nothing. */
function heldAfter(entries: readonly LedgerEntry[]): Map<string, object> {
  const held = new Map<string, object>();
  for (const entry of entries) {
    const reported = ledgerEntry.parse(entry);
    const row = rowOf(reported);
    const news = Object.entries(reported).filter(([, value]) => value !== null);
    held.set(row, { ...held.get(row), ...Object.fromEntries(news) });
  }
  return held;
}

function read(agent: keyof typeof readers, pieces: readonly (readonly string[])[]): LedgerEntry[] {
  const reader = new RecordReader(readers[agent](), attributedEntries);
  return pieces.flatMap((lines) => {
    for (const line of lines) reader.line(Buffer.from(line));
    return reader.take();
  });
}

/** Steps of a session, one per second. */
const step = fc.constantFrom(
  "begin",
  "ask",
  "call",
  "read",
  "return",
  "use",
  "say",
  "end",
  "abort",
  "compact",
  "junk",
  "cut",
);
type Step = typeof step extends fc.Arbitrary<infer Name> ? Name : never;
const steps = fc.array(step, { maxLength: 30 });

/** Lines of a rollout; a result belongs to the last call. */
function rollout(reported: readonly Step[]): string[] {
  let [turn, call] = [codex.idAt(0), "none"];
  const line = (kind: Step, second: number): string => {
    switch (kind) {
      case "begin":
        return work.began(second, (turn = codex.idAt(second)));
      case "ask":
        return work.asked(second, "Why?");
      case "call":
        return work.called(second, (call = `c${second % 7}`), { name: "update_plan" });
      case "read":
        return work.item(second, { type: "McpToolCall", id: call, server: "db", status: "completed" });
      case "return":
        return work.returned(second, call, "four");
      case "use":
        return codex.response(second, id, `r${second}`, codex.vector(100 + second, 40, second));
      case "say":
        return work.said(second);
      case "end":
        return work.ended(second, turn, { last_agent_message: null });
      case "abort":
        return work.event(second, "turn_aborted", { turn_id: turn });
      case "compact":
        return codex.row(second, "compacted", { message: "" });
      case "junk":
        return `{"type":"response_item","payload":{"type":"function_call","call_id":[${second}]}}`;
      case "cut":
        return work.called(second, "cut").slice(0, 70);
    }
  };
  return [codex.meta(0, { id }), ...reported.map((kind, index) => line(kind, index + 1))];
}

function events(reported: readonly Step[]): string[] {
  let call = "none";
  const line = (kind: Step, second: number): string => {
    switch (kind) {
      case "begin":
        return copilot.event(second, "assistant.turn_start", { turnId: "0" });
      case "ask":
        return copilot.event(second, "user.message", { content: "Why?", delivery: "idle" });
      case "call":
        call = `c${second}`;
        return copilot.event(second, "assistant.message", {
          content: "",
          toolRequests: [{ toolCallId: call, name: "view", arguments: { path: "/a" } }],
        });
      case "read":
        return copilot.event(second, "tool.execution_start", { toolCallId: call, toolName: "view" });
      case "return":
        return copilot.event(second, "tool.execution_complete", {
          toolCallId: call,
          success: true,
          result: { content: "four" },
        });
      case "use":
        return copilot.used(second, second, copilot.vector(100 + second, 40, second));
      case "say":
        return copilot.event(second, "assistant.message", { content: "So." });
      case "end":
        return copilot.event(second, "session.shutdown", {});
      case "abort":
        return copilot.event(second, "abort", {});
      case "compact":
        return copilot.event(second, "session.compaction_complete", {
          success: true,
          preCompactionTokens: 9,
        });
      case "junk":
        return copilot.event(second, "tool.execution_start", { toolCallId: 7, toolName: [] });
      case "cut":
        return copilot.event(second, "user.message", {}).slice(0, 30);
    }
  };
  return [copilot.began, ...reported.map((kind, index) => line(kind, index + 1))];
}

const written = { codex: rollout, copilot: events };

for (const agent of ["codex", "copilot"] as const) {
  describe(`recorded work of ${agent}`, () => {
    it("is the same however the file grows, and however often it is read", () => {
      fc.assert(
        fc.property(steps, fc.array(fc.nat(30), { maxLength: 4 }), (reported, cuts) => {
          const lines = written[agent](reported);
          const at = [0, ...cuts.toSorted((one, other) => one - other), lines.length];
          const pieces = at.slice(1).map((to, index) => lines.slice(at[index], to));
          const whole = heldAfter(read(agent, [lines]));
          assert.deepEqual(heldAfter(read(agent, pieces)), whole);
          assert.deepEqual(heldAfter([...read(agent, pieces), ...read(agent, [lines])]), whole);
        }),
        { numRuns: 300 },
      );
    });

    it("counts no response in two runs, and assigns a call only to an existing response", () => {
      fc.assert(
        fc.property(steps, (reported) => {
          const entries = read(agent, [written[agent]([...reported, "begin", "ask"])]);
          const ids = new Set(entries.flatMap((each) => (each.kind === "response" ? [each.messageId] : [])));
          let [ofRuns, ofResponses] = [0, 0];
          for (const entry of entries) {
            if (entry.kind === "run") ofRuns += entry.output;
            if (entry.kind === "response") ofResponses += entry.usage.output;
            if (entry.kind === "tool-call" && typeof entry.messageId === "string")
              assert.ok(ids.has(entry.messageId));
          }
          // A prompt or a new start ends the run before: all its responses are then in a run.
          assert.equal(ofRuns, ofResponses);
        }),
        { numRuns: 300 },
      );
    });
  });
}
