import assert from "node:assert/strict";
import test from "node:test";
import { trialHandler, trialNotesHandler } from "../../../../src/engine/rules/trial/trial-handler.ts";
import { hookEvent, readHook } from "../../../../src/engine/hooks/event/event.ts";
import { defaultHookContext, type HookContext } from "../../../../src/engine/hooks/hooks-handler.ts";
import type { HookCaller } from "../../../../src/engine/hooks/program.ts";
import type { StartingSession } from "../../../../src/engine/rules/trial/assign.ts";
import type { ReportedPrompt } from "../../../../src/engine/rules/trial/heard-prompts.ts";
import { timelessPipeline } from "../../hooks/support/timeless-pipeline.ts";

/** Sessions of a trial that gives this text. */
class Tried {
  text: string | null = "Read once.";
  concerned = true;
  /** Milliseconds that a draw takes. */
  takes = 5;
  readonly startedSessions: StartingSession[] = [];
  readonly noted: string[] = [];
  readonly problems: string[] = [];
  #now = 0;
  readonly #hooks = timelessPipeline((_, message) => this.problems.push(message));

  constructor() {
    const trials = {
      concerns: () => this.concerned,
      begin: (session: StartingSession) => {
        this.startedSessions.push(session);
        this.#now += this.takes;
        if (this.text === "a bug") return Promise.reject(new Error("a bug"));
        return Promise.resolve({ text: this.text, delivered: () => this.noted.push("delivered") });
      },
      prompts: {
        heard: (prompt: ReportedPrompt) => this.noted.push(JSON.stringify(Object.values(prompt))),
      },
      cleared: ({ id }: { id: string }) => this.noted.push(`${id} cleared`),
    };
    this.#hooks.register(trialHandler({ trials, now: () => this.#now }));
    this.#hooks.register(trialNotesHandler(trials));
  }

  async hook(
    name: string,
    more: object = {},
    program: HookCaller = "claude-code",
    about: HookContext = defaultHookContext,
  ) {
    const event = hookEvent.parse({ hook_event_name: name, session_id: "s", cwd: "/work", ...more });
    return await this.#hooks.answer(event, program, about);
  }
}

test("A new session is given its text as context, and the answer is recorded", async () => {
  const tried = new Tried();
  const answered = await tried.hook("SessionStart", { source: "startup" });
  assert.deepEqual(JSON.parse(answered.text), {
    hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "Read once." },
  });
  assert.equal(answered.rule, "trial");
  assert.deepEqual(tried.noted, ["delivered"]);
  assert.deepEqual(tried.startedSessions, [
    { id: "s", program: "claude-code", agent: "main", cwd: "/work", source: "startup" },
  ]);
});

test("A session that drew nothing is answered with nothing, which is recorded too", async () => {
  const tried = new Tried();
  tried.text = null;
  assert.equal((await tried.hook("SessionStart")).text, "");
  assert.deepEqual(tried.noted, ["delivered"]);
});

test("A session records how it was started; subagents and sessions outside trials do not count", async () => {
  const tried = new Tried();
  await tried.hook("SessionStart", { agent_type: "scout" });
  assert.equal(tried.startedSessions[0]?.agent, "scout");
  await tried.hook("SessionStart", { agent_id: "a1", agent_type: "scout" });
  tried.concerned = false;
  await tried.hook("SessionStart");
  assert.equal(tried.startedSessions.length, 1);
});

for (const program of ["claude-code", "codex", "copilot", "gemini", "vscode"] as const)
  test(`${program} adds the text when a session starts`, async () => {
    const tried = new Tried();
    assert.match((await tried.hook("SessionStart", {}, program)).text, /additionalContext":"Read once\./u);
  });

test("An answer that is late, or no longer awaited, gives and records nothing", async () => {
  const tried = new Tried();
  tried.takes = 701;
  assert.equal((await tried.hook("SessionStart")).text, "");
  tried.takes = 5;
  const gone = { ...defaultHookContext, signal: AbortSignal.abort() };
  assert.equal((await tried.hook("SessionStart", {}, "claude-code", gone)).text, "");
  assert.deepEqual([tried.noted, tried.startedSessions.length], [[], 2]);
});

test("A bug of a trial stops no session", async () => {
  const tried = new Tried();
  tried.text = "a bug";
  assert.equal((await tried.hook("SessionStart")).text, "");
  assert.match(tried.problems.join(), /trial failed/u);
});

test("Prompts and cleared contexts are noted, of no subagent, and answered with nothing", async () => {
  const tried = new Tried();
  for (const [name, more] of [
    ["UserPromptSubmit", { prompt: "Moor." }],
    ["UserPromptSubmit", { prompt: "No, there.", prompt_id: "p2" }],
    ["UserPromptSubmit", {}],
    ["UserPromptSubmit", { prompt: "Moor.", agent_id: "a1" }],
    ["SessionEnd", { reason: "clear" }],
    ["SessionEnd", { reason: "other" }],
  ] as const)
    assert.equal((await tried.hook(name, more)).text, "");
  assert.deepEqual(tried.noted, ['["s",null,5,false]', '["s","p2",10,true]', "s cleared"]);
});

for (const program of ["claude-code", "codex", "copilot", "gemini", "vscode"] as const)
  test(`${program} reports prompts, so that corrections are known`, async () => {
    const tried = new Tried();
    const name = program === "gemini" ? "BeforeAgent" : "UserPromptSubmit";
    const read = readHook({ hook_event_name: name, session_id: "s", prompt: "Wrong." }, program);
    assert.ok(read?.event?.hook_event_name === "UserPromptSubmit");
    await tried.hook("UserPromptSubmit", { prompt: read.event.prompt }, program);
    assert.deepEqual(tried.noted, ['["s",null,6,true]']);
  });
