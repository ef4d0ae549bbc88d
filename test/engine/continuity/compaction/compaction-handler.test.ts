import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as z from "zod";
import { diffEntry, itemsOf } from "../../../../src/engine/continuity/compaction/lost.ts";
import {
  CompactionGuard,
  type RecordedCompactions,
} from "../../../../src/engine/continuity/compaction/compaction-handler.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { compactionDiffEntry, diffItems } from "../../../../src/engine/ledger/entries/continuity-entries.ts";
import type { ResumePacket } from "../../../../src/engine/continuity/packet/packet.ts";
import { hookEvent } from "../../../../src/engine/hooks/event/event.ts";
import { defaultHookContext } from "../../../../src/engine/hooks/hooks-handler.ts";
import type { HookPipeline } from "../../../../src/engine/hooks/pipeline.ts";
import type { HookCaller } from "../../../../src/engine/hooks/program.ts";
import type { CompactionMode } from "../../../../src/engine/settings/shape.ts";
import { Restarts } from "../../guard/support/restarts.ts";
import { fileOf, packetOf } from "./packets.ts";
import { timelessPipeline } from "../../hooks/support/timeless-pipeline.ts";

const packet = packetOf({
  decisions: [{ turn: 1, text: "Never paint the old quay." }],
  files: [fileOf("src/tide.ts"), fileOf("src/quay.ts")],
});
const summary =
  "<analysis>src/tide.ts: never paint the old quay</analysis><summary>Worked on src/quay.ts.</summary>";
const lost = /leaves out these facts[^]*"Never paint the old quay\."[^]*`src\/tide\.ts`$/u;

const answerShape = z.object({
  additionalContext: z.string().optional(),
  hookSpecificOutput: z.object({ additionalContext: z.string() }).optional(),
});

/** A session's hooks, and the text that each returns. */
class Compacted {
  packet: ResumePacket | null = packet;
  transcript: RecordedCompactions | null = { count: 0, summary: null };
  mode: CompactionMode = "on";
  isSilent = false;
  now = 1000;
  elapsed = 0;
  isPosted = false;
  /** Time that reading the transcript takes. */
  slow = 0;
  /** Reads the transcript in another way. */
  later: (() => Promise<RecordedCompactions | null>) | null = null;
  readonly diffs: Extract<LedgerEntry, { kind: "compaction-diff" }>[] = [];
  readonly given: unknown[] = [];
  readonly kept: Restarts<{ readonly hooks: HookPipeline; readonly guard: CompactionGuard }>;

  constructor() {
    this.kept = new Restarts((memory) => {
      const hooks = timelessPipeline((_, message) => assert.fail(message));
      const guard = new CompactionGuard({
        memory,
        modeOf: () => this.mode,
        isSilent: () => this.isSilent,
        packetOf: () => Promise.resolve(this.packet),
        compactionsOf: () => {
          this.elapsed += this.slow;
          return this.later?.() ?? Promise.resolve(this.transcript);
        },
        record: (compared) => this.diffs.push(compactionDiffEntry.parse(diffEntry(compared))),
        recordGiven: (given) => this.given.push(given),
        now: () => this.now,
        elapsed: () => this.elapsed,
        onProblem: (message) => assert.fail(message),
      });
      hooks.register(guard.handler);
      hooks.register(guard.laterHandler);
      return { hooks, guard };
    });
  }

  /** Returns the text that the agent gets: added to its context, or plain output. */
  async hook(name: string, more: object = {}, program: HookCaller = "claude-code"): Promise<string> {
    const event = hookEvent.parse({ hook_event_name: name, session_id: "s", ...more });
    const about = { ...defaultHookContext, isPosted: this.isPosted };
    const { text } = await this.kept.handlers.hooks.answer(event, program, about);
    if (!text.startsWith("{")) return text;
    const answer = answerShape.parse(JSON.parse(text));
    return answer.hookSpecificOutput?.additionalContext ?? answer.additionalContext ?? "";
  }

  /** Claude Code's order: the summarizing agent ends before the session continues. */
  async summarized(reply = summary): Promise<string> {
    await this.hook("SubagentStop", { agent_id: "a1", agent_type: "", last_assistant_message: reply });
    const answer = await this.hook("SessionStart", { source: "compact" });
    assert.equal(await this.hook("PostCompact", { compact_summary: reply }), "");
    return answer;
  }

  fates(at = 0): readonly string[] {
    const items = diffItems.parse(JSON.parse(this.diffs[at]?.items ?? "[]"));
    return items.map(({ text, fate }) => `${fate} ${text}`);
  }
}

const fates = ["kept src/quay.ts", "told Never paint the old quay.", "told src/tide.ts"];

describe("a compaction of Claude Code", () => {
  it("compares, but does not send what was lost when that text is muted", async () => {
    const session = new Compacted();
    session.isSilent = true;
    assert.match(await session.hook("PreCompact", { trigger: "auto" }), /^Keep these facts/u);
    assert.equal(await session.summarized(), "");
    assert.deepEqual(
      session.fates(),
      fates.map((fate) => fate.replace("told", "lost")),
    );
  });
  it("does not repeat facts that the agent already shows after a person's /compact", async () => {
    const session = new Compacted();
    assert.match(await session.hook("PreCompact", { trigger: "manual" }), /^Keep these facts/u);
    assert.equal(await session.summarized(), "");
    assert.equal(await session.hook("UserPromptSubmit", { prompt: "Go on" }), "");
    assert.deepEqual(
      session.fates(),
      ["kept src/quay.ts", "told Never paint the old quay.", "told src/tide.ts"],
      "what it shows again is in the context",
    );
  });
  it("sends facts that came too late to be shown after a person's /compact", async () => {
    const session = new Compacted();
    session.slow = 590;
    assert.equal(await session.hook("PreCompact", { trigger: "manual" }), "");
    session.slow = 0;
    assert.match(await session.summarized(), lost);
  });
  it("with a summary of an hour before is compared with the work as it is now", async () => {
    const session = new Compacted();
    await session.hook("PreCompact", { trigger: "auto" });
    await session.hook("SubagentStop", { agent_id: "a1", agent_type: "", last_assistant_message: summary });
    session.now += 54 * 60_000;
    session.packet = packetOf({ files: [fileOf("src/pier.ts"), fileOf("src/quay.ts")] });
    await session.hook("UserPromptSubmit", { prompt: "Go on" });
    assert.equal(await session.hook("SessionStart", { source: "compact" }), "");
    await session.hook("PostCompact", { trigger: "auto", compact_summary: summary });
    assert.match(await session.hook("PostToolUse", { tool_name: "Read" }), /leaves out[^]*`src\/pier\.ts`$/u);
    assert.deepEqual(session.fates(), ["kept src/quay.ts", "told src/pier.ts"]);
  });
  it("lists what to keep as plain text, then sends once what was lost", async () => {
    const session = new Compacted();
    assert.match(
      await session.hook("PreCompact", { trigger: "auto" }),
      /^Keep these facts[^]*old quay[^]*`src\/tide\.ts`, `src\/quay\.ts`$/u,
    );
    assert.match(await session.summarized(), lost);
    assert.deepEqual(session.fates(), fates);
    assert.deepEqual(
      session.diffs.map(({ id, trigger, at }) => ({ id, trigger, at })),
      [{ id: "s:1000", trigger: "auto", at: 1000 }],
    );
    assert.equal(await session.hook("UserPromptSubmit", { prompt: "Go on" }), "");
    assert.equal(await session.hook("SessionStart", { source: "compact" }), "");
    assert.equal(session.diffs.length, 1);
  });
  it("sends nothing that the summary contains", async () => {
    const session = new Compacted();
    await session.hook("PreCompact");
    assert.equal(
      await session.summarized(
        "<summary>src/tide.ts, src/quay.ts. The old quay is never to be painted.</summary>",
      ),
      "",
    );
    assert.ok(session.fates().every((fate) => fate.startsWith("kept")));
  });
  it("answers at the next hook if only PostCompact has the summary", async () => {
    const session = new Compacted();
    await session.hook("PreCompact");
    assert.equal(await session.hook("SessionStart", { source: "compact" }), "");
    assert.equal(await session.hook("PostCompact", { compact_summary: summary }), "");
    assert.equal(await session.hook("PostToolUse", { agent_id: "a2" }), "", "not in a subagent");
    assert.match(await session.hook("PostToolUse"), lost);
  });
  it("is not mistaken for the end of a subagent", async () => {
    const session = new Compacted();
    await session.hook("SubagentStop", { agent_id: "a1", agent_type: "", last_assistant_message: summary });
    await session.hook("PreCompact");
    await session.hook("SubagentStop", {
      agent_id: "a2",
      agent_type: "Explore",
      last_assistant_message: summary,
    });
    assert.equal(await session.hook("SessionStart", { source: "compact" }), "");
    assert.deepEqual(session.diffs, []);
  });
  it("returns nothing in a subagent", async () => {
    const session = new Compacted();
    assert.equal(await session.hook("PreCompact", { agent_id: "a1", agent_type: "Explore" }), "");
    assert.equal(await session.summarized(), "");
  });
  it("adds no text where the agent posts its hooks, and takes no JSON there for instructions", async () => {
    const session = new Compacted();
    session.isPosted = true;
    assert.equal(await session.hook("PreCompact"), "");
    assert.match(await session.summarized(), lost);
  });
  it("outlives a restart of the service at each step", async () => {
    const session = new Compacted();
    await session.hook("PreCompact");
    session.kept.restart();
    await session.hook("SubagentStop", { agent_id: "a1", agent_type: "", last_assistant_message: summary });
    session.kept.restart();
    assert.match(await session.hook("SessionStart", { source: "compact" }), lost);
  });
  it("is only recorded in observe, and not at all when off", async () => {
    const session = new Compacted();
    session.mode = "observe";
    assert.equal(await session.hook("PreCompact"), "");
    assert.equal(await session.summarized(), "");
    assert.deepEqual(
      session.fates(),
      fates.map((fate) => fate.replace("told", "lost")),
    );
    session.mode = "off";
    assert.equal(await session.hook("PreCompact"), "");
    assert.equal(await session.summarized(), "");
    assert.equal(session.diffs.length, 1);
  });
  it("returns nothing for an unknown session", async () => {
    const session = new Compacted();
    session.packet = null;
    assert.equal(await session.hook("PreCompact"), "");
    assert.equal(await session.summarized(), "");
    assert.deepEqual(session.diffs, []);
  });
});

describe("agents with the summary in their transcript", () => {
  for (const program of ["codex", "copilot"] as const)
    it(`${program} gets the text once the summary is there`, async () => {
      const session = new Compacted();
      session.transcript = { count: 2, summary: "Nothing." };
      assert.equal(await session.hook("PreCompact", {}, program), "");
      assert.equal(
        await session.hook("PostToolUse", {}, program),
        "",
        "the summary is of an earlier compaction",
      );
      session.transcript = { count: 3, summary };
      const name = program === "codex" ? "SessionStart" : "PostToolUse";
      assert.match(await session.hook(name, { source: "compact" }, program), lost);
      assert.equal(await session.hook("PostToolUse", {}, program), "");
    });
  it("Gemini CLI gets compactions since the first look at its next prompt", async () => {
    const session = new Compacted();
    session.transcript = { count: 1, summary };
    assert.equal(await session.hook("UserPromptSubmit", {}, "gemini"), "");
    session.transcript = { count: 2, summary };
    assert.equal(await session.hook("PostToolUse", {}, "gemini"), "", "it may be a subagent's");
    assert.match(await session.hook("UserPromptSubmit", {}, "gemini"), lost);
    assert.equal(await session.hook("UserPromptSubmit", {}, "gemini"), "");
  });
  it("no prompt waits for the first read of Gemini CLI's transcript, nor after a restart", async () => {
    const session = new Compacted();
    const recorded = { count: 0, summary: null };
    let reads = 0;
    const slow = new Promise<RecordedCompactions>((resolve) => {
      session.later = () => {
        reads += 1;
        return reads === 1 ? slow : Promise.resolve(session.transcript);
      };
      setImmediate(() => resolve(recorded));
    });
    assert.equal(await session.hook("UserPromptSubmit", {}, "gemini"), "");
    assert.equal(reads, 1);
    await slow;
    session.kept.restart();
    session.transcript = { count: 1, summary };
    assert.equal(await session.hook("UserPromptSubmit", {}, "gemini"), "");
    assert.match(await session.hook("UserPromptSubmit", {}, "gemini"), lost, "none is missed");
  });
  it("sends a slow answer at the next hook", async () => {
    const session = new Compacted();
    await session.hook("PreCompact", {}, "codex");
    session.transcript = { count: 1, summary };
    session.slow = 5000;
    assert.equal(await session.hook("SessionStart", { source: "compact" }, "codex"), "");
    assert.deepEqual(session.diffs, []);
    assert.match(await session.hook("UserPromptSubmit", {}, "codex"), lost);
  });
  it("a compaction that never comes is forgotten", async () => {
    const session = new Compacted();
    await session.hook("PreCompact", {}, "copilot");
    session.now += 3_600_000;
    assert.equal(await session.hook("PostToolUse", {}, "copilot"), "");
    session.transcript = { count: 1, summary };
    assert.equal(await session.hook("PostToolUse", {}, "copilot"), "");
  });
});

describe("what a person puts back", () => {
  const items = itemsOf(packet);
  it("sends chosen items once at the next prompt, in every mode, and after a restart", async () => {
    const session = new Compacted();
    session.mode = "off";
    session.kept.handlers.guard.choose("s", "s:1", items.slice(0, 1));
    session.kept.handlers.guard.choose("s", "s:1", items.slice(0, 2));
    session.kept.restart();
    assert.equal(await session.hook("PostToolUse"), "");
    assert.equal(await session.hook("UserPromptSubmit", { agent_id: "a" }), "");
    assert.match(
      await session.hook("UserPromptSubmit"),
      /the user puts these facts back[^]*old quay[^]*`src\/tide\.ts`$/u,
    );
    assert.equal(await session.hook("UserPromptSubmit"), "");
    assert.deepEqual(session.given, [
      { session: "s", diff: "s:1", items: items.slice(0, 2).map(({ id }) => id) },
    ]);
  });
  it("sends chosen items after a call if a prompt cannot add to the context", async () => {
    const session = new Compacted();
    session.kept.handlers.guard.choose("s", "s:1", items);
    assert.equal(await session.hook("UserPromptSubmit", {}, "vscode"), "");
    assert.match(await session.hook("PostToolUse", {}, "vscode"), /puts these facts back/u);
  });
  it("sends a long text in parts", async () => {
    const session = new Compacted();
    const many = itemsOf(
      packetOf({
        decisions: Array.from({ length: 20 }, (_, at) => ({ turn: at, text: `${"quay ".repeat(50)}${at}` })),
      }),
    );
    session.kept.handlers.guard.choose("s", "s:1", many);
    let count = 0;
    for (let text = "-"; text !== ""; count += 1) text = await session.hook("UserPromptSubmit");
    assert.ok(count > 2 && count < 6, String(count));
  });
});
