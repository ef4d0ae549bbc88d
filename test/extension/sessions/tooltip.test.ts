import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { clockTime } from "../../../src/extension/editor/describe-editor.ts";
import { test } from "node:test";
import * as tooltip from "../../../src/extension/sessions/tooltip.ts";
import { measured, now, session, subagent, t, unknown } from "../support/session.ts";

const { tooltipCommands } = tooltip;

/** The tooltip without its non-breaking and wide spaces, for comparison as a person reads it. */
function sessionTooltip(...input: Parameters<typeof tooltip.sessionTooltip>): string {
  return tooltip
    .sessionTooltip(...input)
    .replaceAll("\u00a0", " ")
    .replaceAll("&ensp;", "");
}

const options = { now, t, isPinned: false, isMuted: false };

test("the tooltip has every figure with its source", () => {
  const text = sessionTooltip(
    session({
      subagents: [subagent(), subagent({ id: "a2", running: false })],
      compactions: 2,
      lastCompaction: { trigger: "auto", preTokens: 167_000, postTokens: 8000, at: now - 240_000 },
      official: {
        usd: { value: 1.94, provenance: "official", source: plainSentence("") },
        usage: { input: 0, output: 0, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 0 },
        isOld: false,
        difference: { value: 0.02, provenance: "estimated", source: plainSentence("") },
      },
      skippedLines: { malformed: 1, "new-kind": 2 },
      advice: "WRAP_UP",
    }),
    options,
  );
  assert.deepEqual(
    text.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| |")),
    [
      "| Context | 76,000 of 200,000 · 38% | measured, window measured |",
      "| Compaction | in ~91k · ~14 turns | measured, learned from 7 of yours |",
      "| Growth | ~6k a turn | estimated, the last 20 turns |",
      `| Next call | $0.043 · $0.46 after ${clockTime(now + 100_000)} | estimated, context read from the cache |`,
      "| 10 more turns | ~$0.90 here · ~$0.20 in a new session | ten turns |",
      "| This session | $1.92 · 31 turns | estimated, official $1.94 (+$0.020) |",
      "| Cache | 96% read | measured |",
      "| Compactions | 2 · 4 min ago | measured |",
      "| Subagents | 1 running · 96k | measured |",
      "| Lines skipped | 3 | malformed, new-kind |",
    ],
  );
});

test("the advice comes before the figures", () => {
  const text = sessionTooltip(session({ advice: "WRAP_UP" }), options);
  assert.ok(text.indexOf("**Wrap up: finish this task, start nothing new.**") < text.indexOf("| Context"));
  assert.doesNotMatch(sessionTooltip(session({ advice: null }), options), /Continue|Wrap up|End the turn/u);
});

test("shows an unknown figure as unknown with the reason, never as 0", () => {
  const text = sessionTooltip(
    session({
      window: unknown,
      percent: null,
      headroom: unknown,
      nextCall: unknown,
      cost: unknown,
      growth: unknown,
      cacheRead: unknown,
      turns: 1,
      goingOn: { coldCall: unknown, here: unknown, fresh: unknown },
    }),
    options,
  );
  assert.match(text, /\| This session \| unknown · 1 turn \| nobody tells \|/u);
  assert.match(text, /\| Cache \| unknown \| nobody tells \|/u);
  assert.match(text, /\| Context \| 76,000 tokens \| nobody tells \|/u);
  assert.match(text, /\| Compaction \| unknown \| nobody tells \|/u);
  assert.match(text, /\| Next call \| unknown \| nobody tells \|/u);
  assert.doesNotMatch(text, /\$0|NaN|null|undefined/u);
});

test("its links run only commands that the editor may trust", () => {
  for (const isPinned of [true, false])
    for (const isMuted of [true, false]) {
      const text = sessionTooltip(session(), { ...options, isPinned, isMuted });
      const commands = Array.from(text.matchAll(/\(command:([\w.]+)\?/gu), ([, command]) => command ?? "");
      assert.equal(commands.length, 6);
      for (const command of commands) assert.ok(tooltipCommands.includes(command), command);
    }
});

test("one click sets an unknown context window", () => {
  assert.match(
    sessionTooltip(session({ window: unknown, percent: null }), options),
    /\[Set Context Window\]\(command:purser\.setModelWindow\?/u,
  );
  const assumed = {
    value: 1_000_000,
    provenance: "estimated",
    source: plainSentence(""),
    isAssumed: true,
  } as const;
  assert.match(sessionTooltip(session({ window: assumed }), options), /\[Set Context Window\]/u);
  assert.ok(tooltipCommands.includes("purser.setModelWindow"));
  assert.doesNotMatch(sessionTooltip(session(), options), /setModelWindow/u);
  assert.doesNotMatch(sessionTooltip(session({ window: unknown, model: null }), options), /setModelWindow/u);
});

test("an ended session is shown as over, and asks for nothing", () => {
  const text = sessionTooltip(
    session({ live: false, advice: "END_TURN", lastActivity: now - 3 * 3_600_000 }),
    options,
  );
  assert.match(text, /harbor \(main\) · last active 3 h ago/u);
  assert.doesNotMatch(text, /End the turn/u);
});

test("a hostile title stays one line of text", () => {
  const title = "</td>\n\n[Fix](command:workbench.action.terminal.sendSequence?%7B%7D)\u202e";
  const text = sessionTooltip(session({ title, occupancy: measured(1) }), options);
  assert.doesNotMatch(text, /\]\(command:workbench/u);
});

test("shows how much of the plan's limits is used, as reported by the agent", () => {
  const time = { usedUsd: null, limitUsd: null, period: null };
  const planLimits = [
    { ...time, name: "five_hour", usedPercent: 41.6, resetsAt: now + 130 * 60_000 },
    { ...time, name: "seven_day", usedPercent: 12, resetsAt: now + 5 * 86_400_000 },
    { ...time, name: "[odd](x)", usedPercent: 3, resetsAt: now - 1 },
    { name: "spend_limit", usedPercent: 130, resetsAt: null, usedUsd: 26, limitUsd: 20, period: "monthly" },
  ];
  const text = sessionTooltip(session({ planLimits }), options);
  assert.match(text, /\| Plan \| 42% · resets in 2 h \| official, 5 hours \|/u);
  assert.match(text, /\| Plan \| 12% · resets in 5 d \| official, 7 days \|/u);
  assert.match(text, /\| Plan \| 3% \| official, \\\[odd/u);
  assert.match(text, /\| Plan \| 130% · \\\$26\\\.00 of \\\$20\\\.00 \| official, spend limit, monthly \|/u);
});

test("offers a handover where the advice is to end, except for a chat without a record", () => {
  const link = `(command:purser.handOverSession?${encodeURIComponent(JSON.stringify([session().id]))})`;
  const ending = sessionTooltip(session({ advice: "END_TURN" }), options);
  assert.ok(ending.includes(`**End the turn: finish or hand over now.** [Hand Over Now]${link}`), ending);
  assert.ok(ending.includes(`[Hand Over…]${link}`));
  const fine = sessionTooltip(session(), options);
  assert.ok(!fine.includes("Hand Over Now") && fine.includes(`[Hand Over…]${link}`));
  assert.ok(
    !sessionTooltip(session({ agent: "vscode-chat", advice: "END_TURN" }), options).includes("Hand Over"),
  );
  assert.ok(tooltipCommands.includes("purser.handOverSession"));
});

test("offers a new session the last one's work, with its title as plain text", () => {
  const offer = { sessionId: "before", program: "codex", title: "Tides](command:x)", at: now, turns: 9 };
  const text = sessionTooltip(session(), { ...options, offer });
  const link = `(command:purser.continueFrom?${encodeURIComponent(JSON.stringify([session().id]))})`;
  assert.ok(text.includes(link), text);
  assert.doesNotMatch(text, /[^\\]\]\(command:x/u);
  assert.ok(tooltipCommands.includes("purser.continueFrom"));
  assert.ok(!sessionTooltip(session(), options).includes("Continue from"));
});

test("an ended session shows its result, beside the usual one if known", () => {
  const measure = (name: "tokens" | "usd" | "failures", value: number | null, usual: number | null) => ({
    name,
    value,
    usual,
    range: null,
  });
  const scorecard = {
    sessionId: "s",
    prompts: 5,
    completed: 4,
    basis: null,
    measures: [measure("tokens", 10_000, 5000), measure("usd", null, 0.2), measure("failures", 0.1, null)],
    edits: { edited: 4, verified: 3 },
    savedByGuards: 3000,
    savedByHandover: 117_000,
    savedByPacket: null,
    done: [],
    open: [],
  };
  const text = sessionTooltip(session({ live: false }), { ...options, scorecard });
  for (const row of [
    "| Prompts | 4 of 5 completed | measured |",
    "| Tokens a prompt | 10k | usually 5k |",
    "| Failed calls | 10% | usual unknown |",
    "| Edited files | 3 of 4 checked | measured |",
    "| Outputs | ~3k tokens left out | estimated |",
    "| Tokens saved | ~117k by a handover | estimated |",
  ])
    assert.ok(text.includes(row), text);
  assert.doesNotMatch(text, /Price a prompt/u);
  const untouched = sessionTooltip(session({ live: false }), {
    ...options,
    scorecard: { ...scorecard, prompts: 0 },
  });
  assert.doesNotMatch(untouched, /completed/u);
});

test("without room left, a compaction is announced for the next call, not in no tokens and no turns", () => {
  const full = session({ headroom: measured(0), turnsLeft: measured(0) });
  assert.match(sessionTooltip(full, options), /\| Compaction \| at the next call \|/u);
});

test("shows the bar of the context's content above the figures, where requested", () => {
  const text = sessionTooltip(session(), { ...options, fill: null });
  assert.match(text, /<span[^]*In use[^]*\| Context/u);
  assert.doesNotMatch(sessionTooltip(session(), options), /<span/u);
});

test("the tooltip says which guards only observe, for a trial", () => {
  const text = sessionTooltip(session({ observing: ["output", "advice", "next"] }), options);
  assert.match(text, /\| Trial \| only observing: Output, Advice, next \| by random draw \|/u);
  assert.doesNotMatch(sessionTooltip(session(), options), /Trial/u);
});
