import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { SessionWork, type SessionStateEntry } from "../../../../src/engine/guard/work/work-handler.ts";
import { workEvents } from "../../../../src/engine/guard/work/read-event.ts";
import { hookEvent } from "../../../../src/engine/hooks/event/event.ts";
import { ledgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { stateDetails } from "../../../../src/engine/ledger/entries/continuity-entries.ts";
import { Restarts } from "../support/restarts.ts";
import { timelessPipeline } from "../../hooks/support/timeless-pipeline.ts";

/** Sessions' hooks, and what the ledger is told. */
class Followed {
  tokens = 20_000;
  loop: string | null = null;
  isOn = true;
  readonly recorded: SessionStateEntry[] = [];
  #now = 1000;
  readonly #service = new Restarts((memory) => {
    const hooks = timelessPipeline((_, message) => assert.fail(message));
    const work = new SessionWork({
      memory,
      adviceOf: () => ({ tokens: this.tokens, window: 200_000 }),
      loopOf: () => this.loop,
      isCheck: (command) => command.startsWith("npm test"),
      rootOf: () => "/argo",
      isOn: () => this.isOn,
      record: (entries) => this.recorded.push(...entries),
      now: () => this.#now++,
    });
    hooks.register(work.handler);
    return { hooks, work };
  });

  restart(): void {
    this.#service.restart();
  }

  of(session = "s") {
    return this.#service.handlers.work.of(session);
  }

  budget() {
    return this.#service.handlers.work.budgetOf("s");
  }

  async hook(name: string, more: object = {}): Promise<void> {
    const event = hookEvent.parse({ hook_event_name: name, session_id: "s", cwd: "/argo/src", ...more });
    const { text } = await this.#service.handlers.hooks.answer(event, "claude-code");
    assert.equal(text, "", "the state itself says nothing");
  }

  edit(file: string, more: object = {}): Promise<void> {
    return this.hook("PostToolUse", {
      tool_name: "Edit",
      tool_input: { file_path: file },
      tool_response: {},
      ...more,
    });
  }

  run(command: string, more: object = {}): Promise<void> {
    return this.hook("PostToolUse", {
      tool_name: "Bash",
      tool_input: { command },
      tool_response: {},
      ...more,
    });
  }

  fail(command: string, error = "Exit code 1"): Promise<void> {
    return this.hook("PostToolUseFailure", { tool_name: "Bash", tool_input: { command }, error });
  }
}

describe("the work of a session, from its hooks", () => {
  it("a passed check verifies all edited files, also those of subagents", async () => {
    const session = new Followed();
    await session.hook("UserPromptSubmit");
    await session.edit("/argo/src/mast.ts");
    await session.edit("/argo/src/sail.ts", { agent_id: "a1" });
    await session.edit("/argo/README.md");
    const { unverified, verified, calls } = session.of();
    assert.deepEqual(unverified, ["/argo/src/mast.ts", "/argo/src/sail.ts"]);
    assert.deepEqual([verified, calls], [["/argo/README.md"], 2]);
    await session.fail("npm test");
    assert.equal(session.of().unverified.length, 2);
    await session.run("npm test");
    assert.equal(session.of().unverified.length, 0);
  });

  it("each turn has one row in the ledger, even if the user interrupts it", async () => {
    const session = new Followed();
    for (const prompt of ["p1", "p2", "p3"]) {
      await session.hook("UserPromptSubmit", { prompt_id: prompt });
      await session.edit(`/argo/src/${prompt}.ts`);
      if (prompt !== "p2") await session.hook("Stop");
    }
    // The second turn had a row before: its second edit made the session productive.
    assert.deepEqual(
      session.recorded.map(({ turn, edited, phase }) => [turn, edited, phase]),
      [
        [1, 1, "Warmup"],
        [2, 2, "Productive"],
        [2, 2, "Productive"],
        [3, 3, "Productive"],
      ],
    );
  });

  it("a turn of many calls is updated, and the ledger takes every entry", async () => {
    const session = new Followed();
    await session.hook("UserPromptSubmit");
    for (let index = 0; index < 100; index++) await session.edit(`/argo/src/engine/${index}/a.ts`);
    assert.ok(session.recorded.length >= 5 && session.recorded.length < 10);
    for (const entry of session.recorded) assert.ok(ledgerEntry.safeParse(entry).success);
    const { details, ...row } = session.recorded.at(-1) ?? assert.fail();
    assert.deepEqual(row, {
      kind: "session-state",
      sessionId: "s",
      turn: 1,
      at: row.at,
      program: "claude-code",
      folder: "/argo",
      phase: "Productive",
      trust: 76,
      focus: 30,
      calls: 100,
      errors: 0,
      switches: 99,
      deadEnds: 0,
      edited: 100,
      verified: 0,
    });
    const read = stateDetails.parse(JSON.parse(details ?? ""));
    assert.deepEqual(read.unverified.slice(0, 2), ["src/engine/99/a.ts", "src/engine/98/a.ts"]);
    assert.deepEqual([read.left, read.loop, read.pieces], [90, null, 4]);
  });

  it("a batch repeats single reports, or is the only report", async () => {
    const session = new Followed();
    const call = { tool_name: "Edit", tool_input: { file_path: "/argo/src/a.ts" }, tool_response: {} };
    await session.hook("PostToolUse", { ...call, tool_use_id: "u1" });
    const batch = [{ ...call, tool_use_id: "u1" }, { ...call, tool_use_id: "u2" }, call];
    await session.hook("PostToolBatch", { tool_calls: batch });
    await session.hook("PostToolBatch", { tool_calls: batch });
    assert.equal(session.of().calls, 2);
  });

  it("almost no context makes it late until a compaction; a loop makes it struggle", async () => {
    const session = new Followed();
    session.tokens = 160_000;
    await session.hook("UserPromptSubmit");
    assert.equal(session.of().phase, "Late");
    await session.hook("PostCompact");
    assert.notEqual(session.of().phase, "Late");
    session.tokens = 30_000;
    session.loop = "A B A B";
    await session.run("ls");
    await session.run("ls");
    assert.deepEqual([session.of().phase, session.of().trust], ["Struggling", 80]);
    assert.equal(session.budget().pieces, 4);
  });

  it("an interrupted call is not a failure of the agent", async () => {
    const session = new Followed();
    const more = { tool_name: "Bash", tool_input: { command: "npm test" }, error: "", is_interrupt: true };
    for (let index = 0; index < 5; index++) await session.hook("PostToolUseFailure", more);
    assert.deepEqual([session.of().errors, session.of().trust], [0, 100]);
  });

  it("separates sessions, and ignores one with all guards off", async () => {
    const session = new Followed();
    await session.edit("/argo/src/a.ts");
    assert.equal(session.of("other").calls, 0);
    session.isOn = false;
    await session.edit("/argo/src/b.ts");
    assert.equal(session.of().calls, 1);
  });

  it("the state after a restart is the state without one, whatever the hooks", async () => {
    const prompt = fc.option(fc.constantFrom("p1", "p2"), { nil: undefined });
    const happening = fc.record({
      name: fc.constantFrom(...workEvents),
      more: fc.record(
        {
          prompt_id: prompt,
          agent_id: fc.option(fc.constant("a"), { nil: undefined }),
          tool_name: fc.constantFrom("Bash", "Edit", "Read", "Grep", "mcp__ide__getDiagnostics", ""),
          tool_use_id: fc.option(fc.constantFrom("u1", "u2", "u3"), { nil: undefined }),
          tool_input: fc.oneof(fc.record({ file_path: fc.string(), command: fc.string() }), fc.jsonValue()),
          tool_response: fc.jsonValue(),
          error: fc.string(),
          source: fc.constantFrom("startup", "resume", "clear", "compact"),
        },
        { requiredKeys: [] },
      ),
      restarts: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 25 }), async (all) => {
        const [one, other] = [new Followed(), new Followed()];
        for (const { name, more, restarts } of all) {
          await one.hook(name, more);
          await other.hook(name, more);
          if (restarts) other.restart();
        }
        assert.deepEqual(other.of(), one.of());
        assert.deepEqual(other.recorded, one.recorded);
      }),
    );
  });
});
