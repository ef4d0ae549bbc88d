import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "node:test";
import { adviceLevels, urgency, type Advice } from "../../../src/engine/sessions/advice.ts";
import {
  adviceHandler,
  type AdvicePorts,
  adviceSentence,
  isReportedByAgent,
} from "../../../src/engine/hooks/advice-handler.ts";
import type { AdviceFigures } from "../../../src/engine/hooks/advice.ts";
import { hookEvent } from "../../../src/engine/hooks/event/event.ts";
import type { HookCaller } from "../../../src/engine/hooks/program.ts";
import type { HookPipeline } from "../../../src/engine/hooks/pipeline.ts";
import { Restarts } from "../guard/support/restarts.ts";
import { timelessPipeline } from "./support/timeless-pipeline.ts";

/** A session's sequence of hooks, and the advice the agent receives. */
class AdvisedSession {
  figures: AdviceFigures | undefined = figuresOf("CONTINUE");
  /** Figures of subagents, by id. */
  readonly agents = new Map<string, AdviceFigures>();
  isOn: AdvicePorts["isOn"];
  now = 1000;
  /** The last advice text. */
  text = "";
  readonly #kept: Restarts<HookPipeline>;

  constructor(everyCalls = 5) {
    this.#kept = new Restarts((memory) => {
      const hooks = timelessPipeline((_, message) => assert.fail(message));
      hooks.register(
        adviceHandler({
          memory,
          adviceOf: (_, agentId) => (agentId === undefined ? this.figures : this.agents.get(agentId)),
          isOn: (path, session) => this.isOn?.(path, session) ?? true,
          now: () => this.now,
          everyCalls: () => everyCalls,
        }),
      );
      return hooks;
    });
  }

  /** Restarts the service. */
  restart(): void {
    this.#kept.restart();
  }

  async hook(name: string, more: object = {}, caller: HookCaller = "claude-code"): Promise<string> {
    const event = hookEvent.parse({ hook_event_name: name, session_id: "s", ...more });
    const { text, rule } = await this.#kept.handlers.answer(event, caller);
    assert.equal(text === "", rule === null);
    this.text = text;
    return rule ?? "";
  }

  batch(figures?: Partial<AdviceFigures>, more: object = {}): Promise<string> {
    if (figures !== undefined) this.figures = { ...figuresOf("CONTINUE"), ...figures };
    return this.hook("PostToolBatch", more);
  }
}

function figuresOf(advice: Advice): AdviceFigures {
  return {
    advice,
    tokens: 110_000,
    window: 200_000,
    measuredAt: 5000,
    compactions: 0,
    folder: null,
    noteLeft: null,
  };
}

describe("warning the agent", () => {
  it("sends nothing below the first threshold, then one sentence per threshold", async () => {
    const session = new AdvisedSession();
    assert.equal(await session.hook("UserPromptSubmit"), "");
    assert.equal(await session.batch(), "");
    assert.equal(await session.batch({ advice: null }), "");
    assert.equal(await session.batch({ advice: "WRAP_UP" }), "WRAP_UP");
    assert.equal(await session.batch(), "");
    assert.equal(await session.batch({ advice: "END_TURN" }), "END_TURN", "in the same turn");
    assert.equal(await session.batch(), "");
    await session.hook("UserPromptSubmit");
    assert.equal(await session.batch(), "");
    assert.equal(await session.batch({ advice: "WRAP_UP" }), "");
  });

  it("gives the stronger warning where one step passes both thresholds, and no weaker one later", async () => {
    const session = new AdvisedSession();
    assert.equal(await session.batch({ advice: "CONTINUE" }, { prompt_id: "a" }), "");
    assert.equal(await session.batch({ advice: "END_TURN" }, { prompt_id: "a" }), "END_TURN");
    assert.equal(await session.batch({ advice: "WRAP_UP" }, { prompt_id: "a" }), "");
    assert.equal(await session.batch({ advice: "WRAP_UP" }, { prompt_id: "b" }), "");
  });

  it("warns again after a compaction, from later measurements", async () => {
    const session = new AdvisedSession();
    assert.equal(await session.batch({ advice: "WRAP_UP" }), "WRAP_UP");
    session.now = 6000;
    await session.hook("PostCompact");
    await session.hook("UserPromptSubmit");
    assert.equal(await session.batch(), "", "the transcript lags");
    assert.equal(await session.batch({ advice: "WRAP_UP", compactions: 1, measuredAt: 7000 }), "WRAP_UP");
    await session.hook("UserPromptSubmit");
    assert.equal(await session.batch({ advice: "WRAP_UP", compactions: 2, measuredAt: 7000 }), "WRAP_UP");
  });

  it("sends no figure from before the session was resumed", async () => {
    const session = new AdvisedSession();
    session.now = 9000;
    await session.hook("SessionStart", { source: "resume", context_tokens: 150_000 });
    for (const measuredAt of [null, 5000, 9000])
      assert.equal(await session.batch({ advice: "END_TURN", measuredAt }), "");
    assert.equal(await session.batch({ advice: "END_TURN", measuredAt: 9001 }), "END_TURN");
  });

  it("checks every fifth call of an agent that does not report batches", async () => {
    const session = new AdvisedSession();
    session.figures = figuresOf("WRAP_UP");
    const rules: string[] = [];
    for (let call = 0; call < 6; call += 1) rules.push(await session.hook("PreToolUse"));
    assert.deepEqual(rules, ["", "", "", "", "WRAP_UP", ""]);
    const batches = new AdvisedSession(2);
    await batches.batch();
    batches.figures = figuresOf("WRAP_UP");
    for (let call = 0; call < 6; call += 1) assert.equal(await batches.hook("PreToolUse"), "");
  });

  for (const caller of ["codex", "copilot", "gemini", "vscode"] as const)
    it(`looks after every fifth tool of ${caller}, where all agents listen`, async () => {
      const session = new AdvisedSession();
      session.figures = figuresOf("WRAP_UP");
      const rules: string[] = [];
      for (let call = 0; call < 6; call += 1) {
        assert.equal(await session.hook("PreToolUse", {}, caller), "");
        rules.push(await session.hook("PostToolUse", {}, caller));
      }
      assert.deepEqual(rules, ["", "", "", "", "WRAP_UP", ""]);
      session.figures = figuresOf("END_TURN");
      await session.hook("UserPromptSubmit", {}, caller);
      for (let call = 0; call < 3; call += 1) await session.hook("PostToolUse", {}, caller);
      assert.equal(await session.hook("PostToolUse", {}, caller), "END_TURN");
    });

  it("sends nothing for an unknown session or subagent", async () => {
    const session = new AdvisedSession();
    assert.equal(await session.batch({ advice: "END_TURN" }, { agent_id: "a" }), "");
    assert.equal(await session.batch({ advice: "END_TURN" }, { agent_id: "a".repeat(10_000) }), "");
    session.figures = undefined;
    assert.equal(await session.batch(), "");
  });

  it("warns a subagent about its own context only, at each threshold", async () => {
    const session = new AdvisedSession();
    const inside = { agent_id: "a1", agent_type: "Explore" };
    session.agents.set("a1", { ...figuresOf("WRAP_UP"), tokens: 104_321 });
    assert.equal(await session.batch(undefined, inside), "WRAP_UP");
    assert.match(
      session.text,
      /At this point this subagent's own context holds 104,321 of 200,000 tokens \(47% left\); .*WRAP_UP: finish the step in hand and report back\./u,
    );
    assert.equal(await session.batch(undefined, inside), "");
    assert.equal(await session.batch(), "", "the session's own has room");
    session.agents.set("a1", figuresOf("END_TURN"));
    assert.equal(await session.batch(undefined, inside), "END_TURN");
    assert.match(session.text, /report back now what is done and what is left\./u);
    assert.equal(await session.batch({ advice: "WRAP_UP" }), "WRAP_UP", "nor was the session told by that");
    session.restart();
    assert.equal(await session.batch(undefined, inside), "");
    assert.equal(await session.batch(undefined, { ...inside, agent_id: "a2" }), "");
  });

  it("checks every fifth call of a subagent that does not report batches, with its own count", async () => {
    const session = new AdvisedSession();
    session.agents.set("a1", figuresOf("WRAP_UP"));
    const rules: string[] = [];
    for (let call = 0; call < 5; call += 1) {
      rules.push(await session.hook("PreToolUse", { agent_id: "a1" }));
      await session.hook("PreToolUse", { agent_id: "a2" });
    }
    assert.deepEqual(rules, ["", "", "", "", "WRAP_UP"]);
  });

  it("sends no warning in folders where it is off, and starts when it is on again", async () => {
    const session = new AdvisedSession();
    session.isOn = (path) => path !== "/quiet";
    assert.equal(await session.batch({ advice: "WRAP_UP", folder: "/quiet" }), "");
    assert.equal(await session.batch({ advice: "WRAP_UP", folder: "/argo" }), "WRAP_UP");
  });

  it("is not silenced by a clock that was set back", async () => {
    const session = new AdvisedSession();
    session.now = 9_000_000;
    await session.hook("SessionStart", { source: "resume" });
    session.now = 6000;
    assert.equal(await session.batch({ advice: "WRAP_UP", measuredAt: 6000 }), "WRAP_UP");
  });

  it("sends the same texts across any restart of the service", async () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constantFrom("UserPromptSubmit", "PostCompact", "SessionStart", "SessionEnd") }),
      fc.record({
        kind: fc.constantFrom("PostToolBatch", "PreToolUse"),
        advice: fc.constantFrom(...adviceLevels),
        agent: fc.constantFrom(undefined, "a1", "a2"),
        turn: fc.constantFrom(undefined, "p1", "p2"),
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(event, fc.boolean()), { maxLength: 40 }),
        fc.integer({ min: 1, max: 3 }),
        async (all, every) => {
          const [one, other] = [new AdvisedSession(every), new AdvisedSession(every)];
          let compactions = 0;
          for (const [happened, isRestarted] of all) {
            if (isRestarted) other.restart();
            if (happened.kind === "PostCompact") compactions += 1;
            const reported: string[] = [];
            for (const each of [one, other]) {
              each.now += 1;
              if ("advice" in happened) {
                const figures = { ...figuresOf(happened.advice), compactions, measuredAt: each.now };
                each.figures = figures;
                if (happened.agent !== undefined) each.agents.set(happened.agent, figures);
              }
              const inside =
                "agent" in happened ? { agent_id: happened.agent, prompt_id: happened.turn } : {};
              reported.push(await each.hook(happened.kind, { source: "resume", ...inside }));
            }
            assert.equal(reported[1], reported[0]);
          }
        },
      ),
    );
  });

  it("always: never calm, never twice, nothing outdated, each threshold as soon as a check sees it", async () => {
    const event = fc.oneof(
      fc.constant({ kind: "UserPromptSubmit" as const }),
      fc.constant({ kind: "PostCompact" as const }),
      fc.constant({ kind: "SessionStart" as const }),
      fc.record({
        kind: fc.constantFrom("PostToolBatch" as const, "PreToolUse" as const),
        advice: fc.constantFrom(...adviceLevels),
        age: fc.integer({ min: -3, max: 3 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 60 }),
        fc.integer({ min: 1, max: 6 }),
        async (all, every) => {
          const session = new AdvisedSession(every);
          let [level, freshFrom, compactions] = [0, -Infinity, 0];
          for (const happened of all) {
            session.now += 1;
            if (!("advice" in happened)) {
              if (happened.kind !== "UserPromptSubmit") freshFrom = session.now;
              if (happened.kind === "PostCompact") [level, compactions] = [0, compactions + 1];
              assert.equal(await session.hook(happened.kind, { source: "resume" }), "");
              continue;
            }
            const { advice } = happened;
            const measuredAt = session.now + happened.age;
            session.figures = { ...figuresOf(advice), measuredAt, compactions };
            const rule = await session.hook(happened.kind);
            const isDue = urgency(advice) > level && measuredAt > freshFrom;
            if (happened.kind === "PostToolBatch") assert.equal(rule, isDue ? advice : "");
            if (rule === "") continue;
            assert.ok(isDue);
            level = urgency(advice);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("the sentence", () => {
  /** An upper bound for any tokenizer: one token per three digits, five letters, or mark. */
  const tokensOf = (text: string) =>
    Array.from(text.matchAll(/\d{1,3}|[A-Za-z]{1,5}|[^\sA-Za-z\d]/gu)).length;

  it("is short, one line, and true of any figures", () => {
    const advices = fc.constantFrom("WRAP_UP" as const, "END_TURN" as const);
    const figures = fc.record({
      tokens: fc.integer({ min: 0, max: 2_000_000 }),
      window: fc.integer({ min: 1000, max: 2_000_000 }),
    });
    fc.assert(
      fc.property(advices, figures, fc.boolean(), (advice, reported, isSubagent) => {
        const text = adviceSentence(advice, reported, { isSubagent });
        assert.ok(tokensOf(text) < 60, `${tokensOf(text)} tokens: ${text}`);
        assert.match(text, /^[ -~]+\.$/u);
        const left = Number(/\((\d+)% left\)/u.exec(text)?.[1]);
        assert.ok(
          left >= 0 && left <= 100 && left <= Math.max(0, 100 - (100 * reported.tokens) / reported.window),
        );
      }),
    );
    assert.equal(
      adviceSentence("WRAP_UP", { tokens: 104_321, window: 200_000 }),
      "At this point the context holds 104,321 of 200,000 tokens (47% left); Context Purser's advice is WRAP_UP: finish the step in hand and wrap up.",
    );
  });
});

it("omits figures that the agent's own notes already give", () => {
  const figures = { ...figuresOf("WRAP_UP"), tokens: 110_000, window: 200_000 };
  const reported = (noteLeft: number | null) => isReportedByAgent({ ...figures, noteLeft });
  assert.deepEqual([90_000, 80_000, 14_900_000, 5000, null].map(reported), [true, true, false, false, false]);
  assert.equal(
    adviceSentence("WRAP_UP", figures, { hasFigures: false }),
    "Context Purser's advice at this point is WRAP_UP: finish the step in hand and wrap up.",
  );
});
