import assert from "node:assert/strict";
import * as z from "zod";
import { describe, it } from "node:test";
import { setImmediate as settled } from "node:timers/promises";
import type { ResumePacket } from "../../../../src/engine/continuity/packet/packet.ts";
import { startHandlers, type StartPorts } from "../../../../src/engine/continuity/packet/start-handler.ts";
import { hookEvent } from "../../../../src/engine/hooks/event/event.ts";
import type { HookPipeline } from "../../../../src/engine/hooks/pipeline.ts";
import type { HookCaller } from "../../../../src/engine/hooks/program.ts";
import type { StartMode } from "../../../../src/engine/settings/shape.ts";
import { Restarts } from "../../guard/support/restarts.ts";
import { fileOf, packetOf } from "../compaction/packets.ts";
import { timelessPipeline } from "../../hooks/support/timeless-pipeline.ts";

const week = 7 * 24 * 60 * 60_000;
const answerShape = z.object({
  additionalContext: z.string().optional(),
  hookSpecificOutput: z.object({ additionalContext: z.string() }).optional(),
});

/** A session in which nothing was done hides no other one. */
const empty = packetOf({ sessionId: "idle", asked: [{ turn: 1, text: "Hello" }] });

class Started {
  mode: StartMode = "offer";
  packet: ResumePacket | null = packetOf({ sessionId: "before", files: [fileOf("src/tide.ts")] });
  /** Whether the transcript shows the session in its first turn. */
  isNew: boolean | null = true;
  readonly looks: (() => void)[] = [];
  elapsed = 0;
  slow = 0;
  readonly silent = new Set<string>();
  readonly asked: unknown[] = [];
  readonly given: Parameters<StartPorts["onGiven"]>[0][] = [];
  offeredTo: (session: string) => string | null = () => null;
  readonly kept: Restarts<HookPipeline>;

  constructor() {
    const ports: Omit<StartPorts, "memory"> = {
      settingsOf: () => ({ continuityStart: this.mode, continuityPacketTokens: 1500 }),
      placeOf: (folder) => (folder === "/nowhere" ? null : { folder: "/work/harbor", branch: "main" }),
      newestPackets: (wanted) => {
        this.asked.push(wanted);
        this.elapsed += this.slow;
        return Promise.resolve(this.packet === null ? [] : [empty, this.packet]);
      },
      isSilent: (rule) => this.silent.has(rule),
      isInFirstTurn: () => Promise.resolve(this.isNew),
      afterAnswer: (run) => void this.looks.push(run),
      onGiven: (given) => void this.given.push(given),
      onProblem: (message) => assert.fail(message),
      command: (session) => `purser handover ${session} --print`,
      now: () => week + 1,
      elapsed: () => this.elapsed,
    };
    this.kept = new Restarts((memory) => {
      const hooks = timelessPipeline((_, message) => assert.fail(message));
      const { start, later, offeredTo } = startHandlers({ ...ports, memory });
      this.offeredTo = offeredTo;
      hooks.register(start);
      hooks.register(later);
      return hooks;
    });
  }

  /** Does what waits until hooks are answered. */
  async look(): Promise<void> {
    for (const run of this.looks.splice(0)) run();
    await settled();
  }

  async hook(name: string, more: object = {}, program: HookCaller = "claude-code"): Promise<string> {
    const event = hookEvent.parse({
      hook_event_name: name,
      session_id: "s",
      cwd: "/work/harbor/src",
      ...more,
    });
    const { text } = await this.kept.handlers.answer(event, program);
    if (text === "") return "";
    const answer = answerShape.parse(JSON.parse(text));
    return answer.hookSpecificOutput?.additionalContext ?? answer.additionalContext ?? "";
  }
}

describe("a new session", () => {
  it("gets one line on where to find the last session's packet", async () => {
    const started = new Started();
    const text = await started.hook("SessionStart", { source: "startup" });
    assert.match(text, /^Context Purser: .*`purser handover before --print`.*$/u);
    assert.deepEqual(started.asked, [
      { folder: "/work/harbor", branch: "main", since: 1, until: week + 1 + week / 7, except: "s" },
    ]);
    assert.deepEqual(started.given, []);
    started.kept.restart();
    assert.equal(started.offeredTo("s"), "before");
    assert.equal(started.offeredTo("t"), null);
    assert.equal(await started.hook("SessionStart", { source: "startup" }), "", "a hook that comes twice");
  });
  it("gets the packet in always, and nothing when off", async () => {
    const started = new Started();
    started.mode = "always";
    assert.match(
      await started.hook("SessionStart", { source: "startup" }),
      /^Notes on an earlier session[^]*src\/tide\.ts/u,
    );
    const [given] = started.given;
    assert.partialDeepStrictEqual(given, { session: "s", from: "before" });
    assert.ok((given?.tokens ?? 0) > 20);
    assert.equal(started.offeredTo("s"), null);
    started.mode = "off";
    assert.equal(await started.hook("SessionStart", { source: "startup", session_id: "t" }), "");
    assert.equal(started.asked.length, 1);
  });
  for (const [program, source] of [
    ["codex", "startup"],
    ["copilot", "new"],
    ["copilot", "startup"],
    ["gemini", "startup"],
    ["vscode", "new"],
  ] as const)
    it(`is answered for ${program} with ${source}`, async () => {
      assert.match(await new Started().hook("SessionStart", { source }, program), /handover before/u);
    });
  it("gets nothing of a kind muted because it did not help", async () => {
    const started = new Started();
    started.silent.add("resume-offer");
    assert.equal(await started.hook("SessionStart", { source: "startup" }), "");
    assert.equal(started.offeredTo("s"), null);
    started.mode = "always";
    assert.match(await started.hook("SessionStart", { source: "startup", session_id: "t" }), /tide/u);
  });
  it("gets nothing for an id that is not a plain word", async () => {
    const started = new Started();
    started.packet = packetOf({ sessionId: "a`; rm -rf ~", files: [fileOf("a")] });
    assert.equal(await started.hook("SessionStart", { source: "startup" }), "");
  });
});

describe("a session whose start launched the service", () => {
  it("gets the answer once, from the first hook that finds it ready, and no prompt waits", async () => {
    const started = new Started();
    assert.equal(await started.hook("UserPromptSubmit"), "");
    assert.deepEqual(started.asked, [], "nothing is looked for while the prompt waits");
    await started.look();
    assert.match(await started.hook("PostToolUse"), /handover before/u);
    assert.equal((await started.hook("PostToolUse")) + (await started.hook("UserPromptSubmit")), "");
    started.kept.restart();
    await started.hook("UserPromptSubmit");
    assert.deepEqual(started.looks, [], "after a restart either");
  });
  it("is checked again while its transcript is not written, with a limit, and answered once", async () => {
    const started = new Started();
    started.isNew = null;
    await started.hook("UserPromptSubmit");
    await started.look();
    started.isNew = true;
    await started.hook("PostToolUse");
    await started.hook("PostToolUse");
    await started.look();
    assert.match(await started.hook("PostToolUse"), /handover before/u);
    assert.equal(started.asked.length, 1);
    const unwritten = new Started();
    unwritten.isNew = null;
    for (let call = 0; call < 20; call += 1) {
      await unwritten.hook("PostToolUse");
      await unwritten.look();
    }
    unwritten.isNew = true;
    await unwritten.hook("PostToolUse");
    assert.deepEqual(unwritten.looks, []);
  });
  it("gets nothing if it is continued, in a subagent, or when that is off", async () => {
    const started = new Started();
    started.isNew = false;
    await started.hook("UserPromptSubmit");
    await started.look();
    assert.equal(await started.hook("PostToolUse"), "");
    started.isNew = true;
    await started.hook("PostToolUse", { session_id: "t", agent_id: "a" });
    started.mode = "off";
    await started.hook("UserPromptSubmit", { session_id: "u" });
    assert.deepEqual(started.looks, []);
  });
  it("gets at its first prompt what its start found too late", async () => {
    const started = new Started();
    started.slow = 951;
    assert.equal(await started.hook("SessionStart", { source: "startup" }), "");
    assert.match(await started.hook("UserPromptSubmit"), /handover before/u);
    assert.equal(await started.hook("UserPromptSubmit"), "");
  });
});

describe("nothing is sent", () => {
  const cases: readonly (readonly [string, (started: Started) => Promise<string>])[] = [
    ...["resume", "fork", "clear", "compact", undefined].map((source): (typeof cases)[number] => [
      `to a session that begins by ${source ?? "an unknown way"}`,
      (started) => started.hook("SessionStart", source === undefined ? {} : { source }),
    ]),
    ["to a subagent", (started) => started.hook("SessionStart", { source: "startup", agent_id: "a" })],
    [
      "without a packet",
      (started) => {
        started.packet = null;
        return started.hook("SessionStart", { source: "startup" });
      },
    ],
    [
      "of a session in which nothing was done",
      (started) => {
        started.packet = packetOf({ sessionId: "before", asked: [{ turn: 1, text: "Hello" }] });
        return started.hook("SessionStart", { source: "startup" });
      },
    ],
    [
      "late",
      (started) => {
        started.slow = 990;
        return started.hook("SessionStart", { source: "startup" });
      },
    ],
    [
      "outside of a project",
      (started) => started.hook("SessionStart", { source: "startup", cwd: "/nowhere" }),
    ],
  ];
  for (const [name, act] of cases) it(name, async () => assert.equal(await act(new Started()), ""));
});
