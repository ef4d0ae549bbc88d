import assert from "node:assert/strict";
import fc from "fast-check";
import { plainSentence } from "../../../../src/engine/base/language.ts";
import { describe, it } from "node:test";
import { fail, succeed } from "../../../../src/engine/base/result.ts";
import { answerTo, type BudgetAnswer } from "../../../../src/engine/budgets/check/check-answer.ts";
import type { BudgetFault, Budgeted } from "../../../../src/engine/budgets/faults.ts";
import { budgetModes, type BudgetMode } from "../../../../src/engine/settings/guard.ts";
import { levelNames, type LevelName } from "../../../../src/engine/budgets/budget.ts";
import { givenProjection } from "../../../../src/engine/budgets/projection.ts";
import { nothingSpent } from "../../../../src/engine/budgets/spending/spending.ts";
import { Tally } from "../../../../src/engine/budgets/spending/tally.ts";
import {
  budgetHandler,
  resultTokens,
  textTokens,
} from "../../../../src/engine/budgets/live/budgets-handler.ts";
import type { CallRequest, CallVerdict, HookSpender } from "../../../../src/engine/budgets/check/check.ts";
import { outcomeOf, type HookAnswer } from "../../../../src/engine/hooks/event/hooks-answer.ts";
import { readHook, isNamed } from "../../../../src/engine/hooks/event/event.ts";
import { defaultHookContext } from "../../../../src/engine/hooks/hooks-handler.ts";
import type { HookCaller } from "../../../../src/engine/hooks/program.ts";
import { Restarts } from "../../guard/support/restarts.ts";
import { tokensOf } from "../../../../src/engine/rules/rent.ts";

const now = new Date(2026, 10, 18, 12).getTime();

/** The budget's answer for an agent that used that many of 100 tokens. */
function answered(used: number, level: LevelName = "agent"): BudgetAnswer {
  const spender = { convoyId: "fleet", agentId: "main", sessionId: "s-1", runId: "s-1" };
  const row = { ...spender, day: "2026-11-18", settled: used, observed: 0, at: now };
  return answerTo(
    [{ level, amount: 100, unit: "tokens", period: "day", warnPercent: 80, from: "fleet" }],
    givenProjection(1),
    { tally: new Tally({ ...nothingSpent, usage: [row] }, []), spender, now },
  );
}

function checked(used: number, { fitsOnce = false, level }: { fitsOnce?: boolean; level?: LevelName } = {}) {
  return succeed({ answer: answered(used, level), fitsOnce });
}

interface Scene {
  /** The program that runs the hooks. */
  readonly program?: HookCaller;
  readonly mode?: BudgetMode;
  readonly check?: (asked: CallRequest) => Budgeted<CallVerdict> | null;
  readonly begin?: () => Budgeted<BudgetAnswer> | null;
}

function scene({ program = "claude-code", mode = "hard", check = () => null, begin = () => null }: Scene) {
  const asked: HookSpender[] = [];
  const calls: CallRequest[] = [];
  const started: HookSpender[] = [];
  const problems: string[] = [];
  const kept = new Restarts((memory) =>
    budgetHandler({
      memory,
      mode: () => mode,
      checks: {
        check: (spender, call) => {
          asked.push(spender);
          calls.push(call);
          return Promise.resolve(check(call));
        },
        reserveSubagent: (spender) => {
          asked.push(spender);
          return Promise.resolve(begin());
        },
        releaseSubagent: (spender) => void started.push(spender),
      },
      onProblem: (message) => void problems.push(message),
    }),
  );
  const say = async (name: string, more: object = {}): Promise<HookAnswer | null> => {
    const read = readHook({ session_id: "s-1", cwd: "/argo", hook_event_name: name, ...more });
    const event = read?.event ?? null;
    const handler = kept.handlers;
    assert.ok(event !== null && isNamed(event, handler.events));
    return await handler.answer(event, { ...defaultHookContext, program });
  };
  /** Restarts the service. */
  const restart = () => kept.restart();
  return { say, asked, calls, started, problems, restart };
}

const passed =
  '[agent_budget_exceeded] Budget exceeded: the agent "main" of session s-1 has used 100 of 100 tokens today. ' +
  "To raise it: purser budget set fleet --agent TOKENS";

describe("a budget beyond its limit", () => {
  const rule = "budget:agent_budget_exceeded";
  const ended = `Context Purser ended the turn before its next call. ${passed}`;
  const denied = { permission: { decision: "deny", reason: passed }, rule };

  it("refuses the next tool and the next prompt where limits are hard, with the reason and the remedy", async () => {
    const { say } = scene({ check: () => checked(100) });
    for (const name of ["PreToolUse", "PreToolUse"])
      assert.deepEqual(await say(name, { tool_name: "Bash" }), { ...denied, stop: ended });
    assert.deepEqual(await say("UserPromptSubmit", { prompt: "Go." }), { block: passed, rule });
    assert.deepEqual(await say("SubagentStart", { agent_id: "a1", agent_type: "Explore" }), {
      context: passed,
      rule,
    });
  });

  it("counts what a script hands to the model, and nothing that a script reads", async () => {
    const large = "berth ".repeat(2000);
    const claude = scene({});
    await claude.say("PostToolBatch", { tool_calls: [{ tool_use_id: "toolu_cc_1", tool_response: large }] });
    const response = { code: large, result: large, stdout: "", stderr: "", toolsUsed: ["Bash"] };
    await claude.say("PostToolUse", { tool_name: "REPL", tool_use_id: "toolu_1", tool_response: response });
    await claude.say("PostToolUse", { tool_name: "Bash", tool_use_id: "toolu_2", tool_response: large });
    const [nested, script, ...more] = claude.calls;
    assert.deepEqual([nested?.added, nested?.toolUse, more], [0, "toolu_cc_1", []]);
    assert.ok(script !== undefined && script.added > 1000 && script.added < 4000, String(script?.added));
    const codex = scene({ program: "codex" });
    await codex.say("PostToolUse", { tool_name: "Bash", tool_use_id: "exec-1", tool_response: large });
    await codex.say("PreToolUse", { tool_name: "Bash", tool_use_id: "exec-2" });
    // Its transcript never has the call, so none waits for it.
    assert.deepEqual(
      codex.calls.map(({ added, toolUse }) => [added === 0, toolUse]),
      [
        [true, null],
        [false, null],
      ],
    );
  });

  it("lets the agent sum up while there is room for that, once in a turn", async () => {
    const { say, calls } = scene({ check: () => checked(100, { fitsOnce: true }) });
    const tool = { tool_name: "Bash", prompt_id: "p1" };
    const first = await say("PreToolUse", tool);
    assert.deepEqual([first?.permission?.decision, first?.stop], ["deny", undefined]);
    assert.match(first?.permission?.reason ?? "", /Sum up now: another use of a tool ends the turn\.$/u);
    assert.equal((await say("PreToolUse", tool))?.stop, ended);
    assert.equal((await say("PreToolUse", { ...tool, prompt_id: "p2" }))?.stop, undefined);
    const subagent = { ...tool, prompt_id: "p2", agent_id: "a1", agent_type: "Explore" };
    assert.equal((await say("PreToolUse", subagent))?.stop, undefined);
    assert.deepEqual(
      calls.map(({ calls: count }) => count),
      [2, 2, 2, 2],
    );
  });

  it("asks the agent to sum up after tools while there is room for it, once per turn", async () => {
    const { say } = scene({ check: () => checked(100, { fitsOnce: true }) });
    const first = await say("PostToolBatch", { prompt_id: "p1" });
    assert.match(first?.context ?? "", /Sum up now: another use of a tool ends the turn\.$/u);
    assert.deepEqual([first?.stop, first?.notice], [undefined, first?.context]);
    const tool = { tool_name: "Bash", prompt_id: "p1" };
    assert.deepEqual(await say("PreToolUse", tool), { ...denied, stop: ended });
    assert.equal((await say("PostToolBatch", { prompt_id: "p1" }))?.stop, ended);
  });

  it("ends the turn before the call that would carry the results of tools", async () => {
    const { say, calls } = scene({ check: () => checked(100) });
    const results = [
      { tool_name: "Read", tool_response: "word ".repeat(400) },
      { tool_name: "Agent", tool_response: [{ type: "text", text: "word ".repeat(100) }, { type: "image" }] },
      { tool_name: "Bash", tool_response: 7 },
    ];
    assert.deepEqual(await say("PostToolBatch", { tool_calls: results }), { stop: ended, rule });
    const [{ added, calls: count } = { added: 0, calls: 0 }] = calls;
    assert.equal(count, 2);
    assert.ok(added > 400 && added < 1500, `${added} tokens for 500 words`);
    const warned = scene({ mode: "warn", check: () => checked(100) });
    assert.equal(await warned.say("PostToolBatch", { tool_calls: results }), null);
    assert.deepEqual(warned.calls, []);
  });

  it("ends the turn after a tool of Gemini CLI and VS Code, which report no batches", async () => {
    for (const program of ["gemini", "vscode"] as const) {
      const { say, calls } = scene({ program, check: () => checked(100) });
      const tool = { tool_name: "Bash", tool_response: "word ".repeat(400), tool_use_id: "t-1" };
      assert.deepEqual(await say("PostToolUse", tool), { stop: ended, rule });
      const [call] = calls;
      assert.deepEqual([call?.calls, call?.toolUse], [2, "t-1"]);
      assert.ok((call?.added ?? 0) > 300);
    }
  });

  it("denies tools of agents with turns that no tool ends, and explains it after a tool", async () => {
    for (const program of ["codex", "copilot"] as const) {
      const { say } = scene({ program, check: () => checked(100) });
      assert.deepEqual(await say("PreToolUse", { tool_name: "Bash" }), denied);
      const after = await say("PostToolUse", { tool_name: "Bash" });
      assert.equal(after?.stop, undefined);
      assert.match(after?.context ?? "", /Stop here: every further use of a tool is denied\.$/u);
      const lastCall = scene({ program, check: () => checked(100, { fitsOnce: true }) });
      const last = await lastCall.say("PostToolUse", { tool_name: "Bash" });
      assert.match(last?.context ?? "", /Sum up now: another use of a tool is denied\.$/u);
    }
  });

  it("is reported where the agent reads it: to Gemini CLI after a tool, not before", async () => {
    const { say } = scene({ program: "gemini", mode: "warn", check: () => checked(100) });
    assert.equal(await say("PreToolUse", { tool_name: "Bash" }), null);
    assert.equal((await say("PostToolUse", { tool_name: "Bash" }))?.context, passed);
    const editor = scene({ program: "vscode", mode: "warn", check: () => checked(100) });
    assert.equal(await editor.say("UserPromptSubmit", { prompt: "Go." }), null, "it would not be read");
    assert.equal((await editor.say("PreToolUse", { tool_name: "Bash" }))?.context, passed);
    const claude = scene({ check: () => checked(100) });
    assert.equal(await claude.say("PostToolUse", { tool_name: "Bash" }), null, "its batches hold it");
  });

  it("includes a person's prompt and starts a run with it, but not for a subagent's result", async () => {
    const { say, calls } = scene({});
    await say("UserPromptSubmit", { prompt: "Mend the pier, please." });
    await say("UserPromptSubmit", { prompt: "<task-notification>\n<task-id>a1</task-id>" });
    assert.deepEqual(
      calls.map(({ isPrompt, added }) => [isPrompt, added > 0 && added < 40]),
      [
        [true, true],
        [false, true],
      ],
    );
  });

  it("warns once in warn mode", async () => {
    const { say } = scene({ mode: "warn", check: () => checked(100) });
    const answer = await say("PreToolUse", { tool_name: "Bash" });
    assert.deepEqual(answer, { context: passed, notice: passed, rule: "budget:agent_budget_exceeded" });
    assert.equal(await say("PreToolUse", { tool_name: "Bash" }), null);
    assert.equal(await say("UserPromptSubmit"), null);
  });

  it("does nothing when budgets are off", async () => {
    const { say, asked } = scene({ mode: "off", check: () => checked(100) });
    assert.equal(await say("PreToolUse", { tool_name: "Bash" }), null);
    assert.deepEqual(asked, []);
  });

  it("warns before, once, also where limits are hard", async () => {
    let used = 80;
    const { say, restart } = scene({ check: () => checked(used, { fitsOnce: true }) });
    const answer = await say("PreToolUse", { tool_name: "Bash" });
    assert.match(answer?.context ?? "", /^\[warning_threshold\] Budget nearly used: /u);
    restart();
    assert.equal(await say("PreToolUse", { tool_name: "Bash" }), null);
    used = 10;
    assert.equal(await say("PreToolUse", { tool_name: "Bash" }), null);
  });
});

describe("who spends", () => {
  it("is the main agent, one subagent, or the one about to start", async () => {
    const { say, asked } = scene({});
    await say("PreToolUse", { tool_name: "Bash" });
    await say("PreToolUse", { tool_name: "Bash", agent_id: "a1", agent_type: "Explore" });
    await say("PreToolUse", { tool_name: "Bash", agent_id: "a2" });
    const plan = { tool_name: "Agent", tool_input: { subagent_type: "Plan" }, tool_use_id: "toolu_1" };
    await say("PreToolUse", plan);
    await say("PreToolUse", { tool_name: "Task", tool_input: 7 });
    assert.deepEqual(
      asked.map(({ agentId, agentType }) => [agentId, agentType]),
      [
        ["main", null],
        ["a1", "Explore"],
        ["a2", null],
        ["main", null],
        ["new toolu_1", "Plan"],
        ["main", null],
        ["new ", "general-purpose"],
      ],
    );
  });

  it("is not checked without a folder", async () => {
    const { say, asked } = scene({ check: () => checked(100) });
    assert.equal(await say("PreToolUse", { tool_name: "Bash", cwd: undefined }), null);
    assert.deepEqual(asked, []);
  });

  it("keeps a subagent from beginning that would pass a limit", async () => {
    const { say } = scene({ begin: () => succeed(answered(100, "convoy")) });
    const answer = await say("PreToolUse", { tool_name: "Agent", tool_input: { subagent_type: "Plan" } });
    assert.equal(answer?.permission?.decision, "deny");
    assert.match(answer.permission.reason, /^\[convoy_budget_exceeded\]/u);
    assert.equal(answer.stop, undefined, "the agent itself may go on");
  });

  it("reports its start by its first hook, once", async () => {
    const { say, started } = scene({});
    const about = { tool_name: "Bash", agent_id: "a1", agent_type: "Explore" };
    await say("SubagentStart", about);
    assert.equal(started.length, 0);
    for (const name of ["PreToolUse", "PreToolUse", "SubagentStop"]) await say(name, about);
    await say("SubagentStop", { ...about, agent_id: "a2" });
    assert.deepEqual(
      started.map(({ agentType }) => agentType),
      ["Explore", "Explore"],
    );
  });
});

describe("an unknown budget", () => {
  const corrupt = () =>
    fail(
      "corrupt",
      plainSentence("/argo/.purser/budgets/fleet.json cannot be used: it is empty; get it back"),
    );

  it("stops the agent where limits are hard: a damaged file is never no budget", async () => {
    const { say } = scene({ check: corrupt });
    const answer = await say("PreToolUse", { tool_name: "Bash" });
    assert.equal(answer?.permission?.decision, "deny");
    assert.match(answer.permission.reason, /^\[budget_corrupt\] .*fleet\.json cannot be used.*get it back/u);
    assert.equal((await say("UserPromptSubmit"))?.block, answer.permission.reason);
  });

  it("warns once in warn mode", async () => {
    const { say } = scene({ mode: "warn", check: corrupt });
    const answer = await say("PreToolUse", { tool_name: "Bash" });
    assert.deepEqual(Object.keys(answer ?? {}), ["context", "notice", "rule"]);
    assert.equal(await say("PreToolUse", { tool_name: "Bash" }), null);
  });

  it("stops nothing for any other reason", async () => {
    const others: BudgetFault[] = ["unusable", "busy", "not_found", "changed", "invalid", "invalid_id"];
    for (const reason of others) {
      const { say, problems } = scene({ check: () => fail(reason, plainSentence("the disk is full")) });
      assert.equal(await say("PreToolUse", { tool_name: "Bash" }), null);
      assert.deepEqual(problems, ["Budgets were not asked: the disk is full"]);
    }
  });
});

it("Only hard limits ever stop a call, and only beyond a limit", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...budgetModes),
      fc.constantFrom(...levelNames),
      fc.nat({ max: 200 }),
      fc.constantFrom("PreToolUse", "UserPromptSubmit", "PostToolBatch", "SubagentStart"),
      fc.anything(),
      async (mode, level, used, name, input) => {
        const { say } = scene({ mode, check: () => checked(used, { level }) });
        const answer = await say(name, { tool_name: "Agent", tool_input: input, agent_type: "Explore" });
        const outcome = answer === null ? "none" : outcomeOf(answer);
        const isStopped = outcome === "deny" || outcome === "block" || outcome === "stop";
        assert.equal(isStopped, mode === "hard" && used >= 100 && name !== "SubagentStart");
      },
    ),
  );
});

const [prose, code] = [
  "The crew counts the cargo at every tide, and writes it down. ",
  'const berth = berths.find(({ free }) => free >= item.weight) ?? fail("no room");\n',
];

describe("the tokens of a text that a call carries", () => {
  it("are counted word by word in a short text", () => {
    for (const text of ["", prose, code.repeat(5)]) assert.equal(textTokens(text), tokensOf(text));
  });

  it("are about as many where only pieces of it are counted", () => {
    for (const text of [prose.repeat(90), code.repeat(2000), prose.repeat(300) + code.repeat(500)]) {
      const [looked, all] = [textTokens(text), tokensOf(text)];
      assert.ok(Math.abs(looked - all) < 0.15 * all, `${looked} for ${all}`);
    }
  });

  it("are those of a result's texts, and of nothing else", () => {
    const blocks = [{ type: "text", text: prose }, { type: "image" }, null, { text: 3 }];
    assert.equal(resultTokens(blocks), tokensOf(prose));
    assert.equal(resultTokens(code), tokensOf(code));
    for (const other of [null, 7, { text: prose }]) assert.equal(resultTokens(other), 0);
  });
});
