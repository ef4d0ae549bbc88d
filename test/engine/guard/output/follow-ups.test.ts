import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SessionMemory } from "../../../../src/engine/base/per-session.ts";
import { storedOutputsIn } from "../../../../src/engine/guard/output/compress-from.ts";
import { FollowUps, type FollowUpEntry } from "../../../../src/engine/guard/output/follow-ups.ts";
import { hookEvent, type EventNamed } from "../../../../src/engine/hooks/event/event.ts";
import { ledgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { timelessPipeline } from "../../hooks/support/timeless-pipeline.ts";
import { testContext } from "../support/shell-context.ts";

const output = "first line\nsecond line took 12 ms\n";

class Scene {
  readonly recorded: FollowUpEntry[] = [];
  readonly problems: string[] = [];
  isOn = true;
  readonly memory: SessionMemory;
  readonly #followUps: FollowUps;
  readonly #hooks = timelessPipeline((_, message) => this.problems.push(message));
  #count = 0;

  constructor(memory = new SessionMemory()) {
    this.memory = memory;
    this.#followUps = new FollowUps({
      memory,
      isOn: () => this.isOn,
      storedOutputsIn: (command) => Promise.resolve(storedOutputsIn(command, testContext)),
      hitOf: (id) => Promise.resolve(id === "2abcde" ? "kept-hit" : null),
      record: (entries) => this.recorded.push(...entries),
      onProblem: (problem) => this.problems.push(problem),
      now: () => 1000,
    });
    this.#hooks.register(this.#followUps.handler);
  }

  event(input: object, more: object = {}): EventNamed<"PostToolUse"> {
    const response = { stdout: output, stderr: "", interrupted: false, isImage: false };
    const event = hookEvent.parse({
      hook_event_name: "PostToolUse",
      session_id: "s",
      cwd: "/shop",
      tool_name: "Bash",
      tool_use_id: `t${(this.#count += 1)}`,
      tool_input: input,
      tool_response: response,
      ...more,
    });
    assert.ok(event.hook_event_name === "PostToolUse");
    return event;
  }

  /** An output that was shortened. */
  async made(command: string, more: object = {}, isSuccess = true): Promise<void> {
    const event = this.event({ command }, more);
    await this.end(event);
    this.#followUps.made(event, { hit: `${event.tool_use_id ?? ""}:hit`, text: output, isSuccess });
  }

  async ran(command: string, more: object = {}): Promise<void> {
    await this.end(this.event({ command }, more));
  }

  async end(event: unknown): Promise<void> {
    await this.#hooks.answer(hookEvent.parse(event), "claude-code");
    await new Promise((resolve) => setImmediate(resolve));
  }

  get seen(): string[] {
    return this.recorded.map(({ hit, how, callId }) => `${hit} ${how} ${callId ?? ""}`);
  }
}

const edit = { tool_name: "Edit", tool_input: { file_path: "/shop/a.ts" }, tool_response: {} };

describe("what follows a shortened output", () => {
  it("is the same command with the same output, whatever its numbers, and a narrower one", async () => {
    const scene = new Scene();
    await scene.made("npm test");
    await scene.ran("npm  test", {
      tool_response: { stdout: output.replace("12", "9"), stderr: "", interrupted: false, isImage: false },
    });
    await scene.ran("npm test -- till.test.ts | grep fail");
    await scene.ran("npm run lint");
    assert.deepEqual(scene.seen, ["t1:hit again t2", "t1:hit narrower t3"]);
    assert.equal(scene.recorded[0]?.bytes, output.length - 1);
  });

  it("is nothing where the output has changed, a file was edited, or too many calls lie between", async () => {
    const changed = { tool_response: { stdout: "other\n", stderr: "", interrupted: false, isImage: false } };
    const polled = new Scene();
    await polled.made("kubectl get pods");
    await polled.ran("kubectl get pods", changed);
    const edited = new Scene();
    await edited.made("npm test");
    await edited.end(edited.event({}, edit));
    await edited.ran("npm test");
    const late = new Scene();
    await late.made("npm test");
    for (const name of ["a", "b", "c", "d", "e"]) await late.ran(`cat ${name}.ts`);
    await late.ran("npm test");
    const other = new Scene();
    await other.made("npm test");
    await other.ran("npm test", { agent_id: "sub" });
    await other.ran("npm test", { session_id: "another" });
    for (const { seen, problems } of [polled, edited, late, other])
      assert.deepEqual([seen, problems], [[], []]);
  });

  it("is the same failure once more, also after an edit", async () => {
    const scene = new Scene();
    await scene.made("npm test", {}, false);
    await scene.end(scene.event({}, edit));
    await scene.ran("npm test");
    assert.deepEqual(scene.seen, ["t1:hit error t3"]);
  });

  it("is the original fetched by a command or as a file, by any agent and at any time", async () => {
    const scene = new Scene();
    await scene.ran("purser output 2abcde --lines 1-5", { session_id: "later" });
    const file = { tool_name: "Read", tool_input: { file_path: "/home/ann/.purser/outputs/2abcde.txt" } };
    await scene.end(scene.event({}, { ...file, agent_id: "sub" }));
    await scene.ran("purser output 2zzzzz");
    assert.deepEqual(scene.seen, ["kept-hit fetched t1", "kept-hit fetched t2"]);
    assert.deepEqual([scene.recorded[0]?.sessionId, scene.recorded[1]?.agentId], ["later", "sub"]);
  });

  it("is a search with the same words and more", async () => {
    const scene = new Scene();
    const grep = (input: object) => scene.event(input, { tool_name: "Grep", tool_response: "a.ts:1: x" });
    const first = grep({ pattern: "x" });
    await scene.end(first);
    await scene.made("ls", { tool_name: "Grep", tool_input: { pattern: "x" } });
    await scene.end(grep({ pattern: "x", path: "src" }));
    await scene.end(grep({ pattern: "y", path: "src" }));
    assert.deepEqual(scene.seen, ["t2:hit narrower t3"]);
  });

  it("is known after a restart, and one entry however often a hook is reported", async () => {
    const scene = new Scene();
    await scene.made("npm test");
    const memory = new SessionMemory();
    const next = new Scene(memory);
    memory.load("s", scene.memory.dump("s") ?? {});
    const again = next.event({ command: "npm test" }, { tool_use_id: "t9" });
    await next.end(again);
    await next.end(again);
    assert.deepEqual(new Set(next.recorded.map(({ id }) => id)).size, 1);
    assert.deepEqual(new Set(next.seen), new Set(["t1:hit again t9"]));
  });

  it("does not include calls while the family is off, or calls of a script", async () => {
    const scene = new Scene();
    await scene.made("npm test");
    await scene.ran("npm test", { tool_use_id: "toolu_cc_1" });
    scene.isOn = false;
    await scene.ran("npm test");
    assert.deepEqual(scene.seen, []);
  });

  it("is a valid entry for any input, and never a problem", async () => {
    const command = fc.oneof(
      fc.constantFrom("npm test", "purser output 2abcde", "cat a | head", ""),
      fc.string(),
    );
    const more = fc.record(
      {
        tool_name: fc.oneof(fc.constantFrom("Bash", "Grep", "Read", "Edit"), fc.string()),
        tool_input: fc.anything(),
        tool_response: fc.oneof(fc.anything(), fc.string()),
        agent_id: fc.string({ maxLength: 40 }),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(command, more), { maxLength: 8 }), async (calls) => {
        const scene = new Scene();
        for (const [line, given] of calls) {
          const parsed = hookEvent.safeParse({ ...scene.event({ command: line }), ...given });
          if (!parsed.success) continue;
          await scene.end(parsed.data);
          if (parsed.data.hook_event_name === "PostToolUse") await scene.made(line);
        }
        assert.deepEqual(scene.problems, []);
        for (const entry of scene.recorded) assert.ok(ledgerEntry.safeParse(entry).success);
        const next = new Scene();
        assert.deepEqual(
          next.memory.load("s", scene.memory.dump("s") ?? {}),
          [],
          "its memory can be read again",
        );
      }),
    );
  });
});
