import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { wakeEnvironmentOf } from "../../../../src/extension/service/job-environment.ts";
import {
  wakeBadge,
  wakeProgressText,
  wakeResultText,
} from "../../../../src/extension/economy/describe-wake.ts";
import { consentText, wakeButton } from "../../../../src/extension/economy/agents/describe-economy-agents.ts";
import { overview, wake, wakeJob, wakePlan } from "../../support/recurring.ts";
import { t } from "../../support/session.ts";

function agentOf(...lines: string[]) {
  const { agent } = overview({}, lines);
  assert.ok(agent !== null);
  return agent;
}

describe("the question before a wake", () => {
  it("shows the plan and the price in four lines", () => {
    assert.deepEqual(consentText(wakePlan(), agentOf(), t).split("\n"), [
      "Claude Code, claude-sonnet-4-5",
      "Goes on with its session: wake 15 of it",
      "Task H-12: Mend the light",
      "About 12,300 new tokens, at most 500,000; ~$0.042",
    ]);
    assert.equal(wakeButton(wakePlan(), t), "Wake · ~$0.042");
  });

  it("also shows new permissions of the file, and a new check of the task", () => {
    const plan = wakePlan({
      isAgreed: false,
      task: { id: "H-12", title: "Mend", check: "npm test", isCheckAgreed: false },
      session: null,
      reason: "first",
      tokens: null,
      usd: null,
    });
    const agent = agentOf(
      'schedule: "0 * * * *"',
      'permissions: { allow: ["Bash(git commit:*)"] }',
      "mcp: [files]",
      "tasks: { command: [gh, tasks] }",
    );
    assert.deepEqual(consentText(plan, agent, t).split("\n"), [
      "Claude Code, claude-sonnet-4-5",
      "New session: the first",
      "Task H-12: Mend",
      "At most 500,000 new tokens; price unknown, as no wake like it is known",
      "",
      "You have not agreed to its file as it is now. By it, the agent:",
      "• works in the project's folder",
      "• has the tools Bash, Read, Edit, Write",
      "• may also use Bash(git commit:*)",
      "• has the MCP servers files",
      "• gets its tasks from the command gh tasks",
      "• may be woken unattended, at 0 * * * *",
      "",
      "When the agent hands the task in, this command checks it: npm test",
    ]);
    assert.equal(wakeButton(plan, t), "Wake");
  });

  it("contains no line added by a task or a file", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const plan = wakePlan({ task: { id: text, title: text, check: text, isCheckAgreed: false } });
        assert.equal(consentText(plan, agentOf(), t).split("\n").length, 6);
      }),
    );
  });
});

describe("a wake that is a job", () => {
  it("shows the progress", () => {
    const at = (kind: "running" | "cancelling", used = { turns: 5, tokens: 12_345 }) =>
      wakeProgressText(
        wakeJob({ state: { kind }, wake: { plan: wakePlan(), used, row: null, said: [], skipped: null } }),
        t,
      );
    assert.equal(at("running"), "H-12 · 5 turns · 12k new tokens");
    assert.equal(at("running", { turns: 1, tokens: 900 }), "H-12 · 1 turn · 900 new tokens");
    assert.equal(at("running", { turns: 0, tokens: 0 }), "H-12 · begins");
    assert.equal(at("cancelling"), "ends its program…");
    assert.equal(
      wakeProgressText(wakeJob({ state: { kind: "running" }, wake: null }), t),
      "looks for what to do…",
    );
    assert.equal(
      wakeProgressText(wakeJob({ state: { kind: "queued", ahead: 1 } }), t),
      "waits for its other wake",
    );
  });

  it("shows the result", () => {
    const of = (row: ReturnType<typeof wake> | null, detail: string | null = null) => {
      const skipped = detail === null ? null : { reason: "nothing_to_do", detail: plainSentence(detail) };
      const used = { turns: 0, tokens: 0 };
      return wakeResultText(wakeJob({ wake: { plan: null, used, row, said: [], skipped } }), t);
    };
    assert.equal(
      of(wake({ stateAfter: "done" })),
      "H-12 is done. 4 turns, 7,400 normalized input tokens, $0.030.",
    );
    assert.equal(
      of(wake({ taskId: null, normalizedInput: null, usd: null, turns: 1 })),
      "completed. 1 turn.",
    );
    assert.equal(of(null, "no task of keeper is open"), "no task of keeper is open");
    assert.equal(of(null), "nothing was started");
  });

  it("shows a running wake in the status bar", () => {
    assert.equal(wakeBadge([wakeJob()], t), undefined);
    assert.deepEqual(wakeBadge([wakeJob(), wakeJob({ state: { kind: "running" } })], t), {
      icon: "sync~spin",
      text: "keeper",
      spoken: "keeper is awake: H-12 · 5 turns · 12k new tokens",
      command: "purser.agents.focus",
      target: "",
    });
  });

  it("gets all that a terminal has, without what is the editor's", () => {
    assert.deepEqual(
      wakeEnvironmentOf({
        PATH: "/bin",
        GEMINI_API_KEY: "k",
        VSCODE_IPC_HOOK: "x",
        ELECTRON_RUN_AS_NODE: "1",
        LONG: "x".repeat(8001),
        NONE: undefined,
      }),
      { PATH: "/bin", GEMINI_API_KEY: "k" },
    );
  });
});
