import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { agentTooltip, wakeTooltip } from "../../../../src/extension/economy/agents/hover-text.ts";
import { recurringNodeText } from "../../../../src/extension/economy/agents/economy-agents-node-text.ts";
import {
  childNodes,
  isRecurringNode,
  recurringNodeId,
  rootNodes,
  sessionOfNode,
  type RecurringNode,
} from "../../../../src/extension/economy/agents/economy-agents-tree.ts";
import type { RecurringTextOptions } from "../../../../src/extension/economy/agents/describe-economy-agents.ts";
import { wakerOf, type AgentOverview } from "../../../../src/engine/recurring/wake/agent-overview.ts";
import { wakeOutcomes, wakeReasons, wakeSources } from "../../../../src/engine/ledger/woken.ts";
import { agentSession, hour, minute, overview, wake, wakeJob } from "../../support/recurring.ts";
import { now, t } from "../../support/session.ts";

const options: RecurringTextOptions = {
  t,
  now,
  wokenBy: (seen) => wakerOf(seen, { isOn: true, isTrusted: true, now }),
  jobOf: () => undefined,
};

/** Renders the whole tree as a person reads it. */
function drawn(nodes: readonly RecurringNode[], depth = 0): string[] {
  return nodes.flatMap((node) => {
    const { label, description, icon } = recurringNodeText(node, options);
    const line = `${"  ".repeat(depth)}${icon} ${label}${description === "" ? "" : `: ${description}`}`;
    return [line, ...drawn(childNodes(node), depth + 1)];
  });
}

function draw(...agents: AgentOverview[]): string[] {
  return drawn(rootNodes([{ project: "/home/dev/harbor", agents }]));
}

function first(changes: Partial<AgentOverview>, lines?: readonly string[]) {
  return recurringNodeText({ kind: "recurring-agent", overview: overview(changes, lines) }, options);
}

describe("the Recurring Agents view", () => {
  it("shows of each agent its next wake and last outcome, its sessions by task and its last wakes", () => {
    const agents = [
      overview({
        sessions: [agentSession(), agentSession({ task: null, wakes: 1, turns: 1, id: "b", lastAt: now })],
        wakes: [
          wake(),
          wake({
            id: "w0",
            source: "manual",
            reason: "rotated",
            cause: "age",
            outcome: "failed",
            endedAt: now - 5 * hour,
            taskId: null,
            normalizedInput: null,
            rawInput: null,
          }),
        ],
      }),
      overview({ name: "reader", sessions: [], wakes: [] }, []),
    ];
    assert.deepEqual(draw(...agents), [
      "calendar keeper: in 20 min by the service · completed 2 h ago",
      "  comment-discussion Sessions: 2",
      "    comment H-12: 14 wakes · 82 turns · 2 h ago",
      "    comment No task: 1 wake · 1 turn · now",
      "  history Last Wakes",
      "    pass Completed 2 h ago: timer · H-12 · session reused · 7k normalized, 62k raw",
      "    error Failed 5 h ago: by hand · new session: too old · tokens unknown",
      "hubot reader: only by hand · never woken",
    ]);
  });

  it("groups agents by project where there are several, and leaves out those without", () => {
    const projects = ["/a/harbor", "/a/mill", "/a/empty"].map((project) => ({
      project,
      agents:
        project === "/a/empty" ? [] : [overview({ file: `${project}/keeper.md`, sessions: [], wakes: [] })],
    }));
    assert.deepEqual(drawn(rootNodes(projects)), [
      "root-folder harbor",
      "  calendar keeper: in 20 min by the service · never woken",
      "root-folder mill",
      "  calendar keeper: in 20 min by the service · never woken",
    ]);
  });

  const states: readonly [
    what: string,
    changes: Partial<AgentOverview>,
    expected: readonly [icon: string, description: string, context: string],
    lines?: readonly string[],
  ][] = [
    [
      "that runs",
      { isBusy: true, running: wake({ at: now - 4 * minute, taskId: "H-13" }) },
      ["loading~spin", "running for 4 min · H-13", "recurringAgent busy withSession"],
    ],
    [
      "that asks in a terminal",
      { isBusy: true },
      ["comment-unresolved", "waits for your answer · completed 2 h ago", "recurringAgent busy withSession"],
    ],
    [
      "that is due",
      { dueSince: now - 5 * minute },
      ["bell-dot", "due for 5 min · completed 2 h ago", "recurringAgent wakeable withSession"],
    ],
    [
      "that nobody agreed to",
      { isAgreed: false, wakes: [], sessions: [] },
      ["unverified", "not agreed to · never woken", "recurringAgent wakeable unagreed"],
    ],
    [
      "that only a person wakes, who is asked then",
      { isAgreed: false, wakes: [], sessions: [], nextWake: null },
      ["hubot", "only by hand · never woken", "recurringAgent wakeable"],
      [],
    ],
    [
      "that rests after failures",
      { pausedUntil: now + 40 * minute, wakes: [wake({ outcome: "environment" })] },
      [
        "debug-pause",
        "paused for 40 min · no quota, login or network 2 h ago",
        "recurringAgent wakeable withSession",
      ],
    ],
    [
      "whose file is faulty",
      {
        agent: null,
        faults: [{ line: 3, message: plainSentence('Unrecognized key: "modle"') }],
        sessions: [],
        wakes: [],
      },
      ["error", 'line 3: Unrecognized key: "modle"', "recurringAgent faulty"],
    ],
    [
      "that is woken in a moment",
      { nextWake: now + 20_000, wakes: [], sessions: [] },
      ["calendar", "in less than a minute by the service · never woken", "recurringAgent wakeable"],
    ],
  ];
  for (const [what, changes, [icon, description, context], lines] of states)
    it(`shows the state of an agent ${what}`, () => {
      const text = first(changes, lines);
      assert.deepEqual(
        { icon: text.icon, description: text.description, context: text.contextValue },
        { icon, description, context },
      );
    });

  it("shows that nothing wakes an agent by its schedule, and why, or that cron does", () => {
    const by = (isOn: boolean, isTrusted: boolean, changes: Partial<AgentOverview> = {}) => {
      const wokenBy = (seen: AgentOverview) => wakerOf(seen, { isOn, isTrusted, now });
      const node = { kind: "recurring-agent" as const, overview: overview(changes) };
      const { icon, description } = recurringNodeText(node, { ...options, wokenBy });
      return `${icon} ${description}`;
    };
    assert.equal(
      by(false, true),
      "bell-slash nobody wakes it: wakes by schedule are off · completed 2 h ago",
    );
    assert.equal(
      by(true, false),
      "bell-slash nobody wakes it: the folder is not trusted · completed 2 h ago",
    );
    const timedBy = { by: "terminal" as const, at: now - hour };
    assert.equal(by(false, true, { timedBy }), "calendar in 20 min by your cron · completed 2 h ago");
    const text = agentTooltip(overview(), {
      ...options,
      wokenBy: () => ({ waker: "nobody", why: "off" }),
    });
    assert.match(text, /Woken by&ensp; \| nobody: purser\S*wakes\S*enabled is off/u);
    assert.match(text, /Wakes by Schedule… in the view's menu/u);
  });

  it("shows of a wake that is a job how far it is, and that it can be cancelled", () => {
    const job = wakeJob({ state: { kind: "running" } });
    const jobOf = () => job;
    const running = { isBusy: true, running: wake({ at: now - 4 * minute }) };
    const node = { kind: "recurring-agent" as const, overview: overview(running) };
    const text = recurringNodeText(node, { ...options, jobOf });
    assert.equal(text.description, "running for 4 min · H-12 · 5 turns, 12k new tokens");
    assert.equal(text.contextValue, "recurringAgent busy cancellable withSession");
    const planned = recurringNodeText(
      { kind: "recurring-agent", overview: overview({ isBusy: true }) },
      { ...options, jobOf },
    );
    assert.match(planned.description, /^looks for what to do…/u);
  });

  it("offers the session of a row, and of an agent the one that it had last", () => {
    const own = overview({ wakes: [wake({ sessionId: null }), wake({ sessionId: "s2" })] });
    assert.equal(sessionOfNode({ kind: "recurring-agent", overview: own }), "s2");
    const none = overview({ wakes: [wake({ sessionId: null })], sessions: [] });
    assert.equal(sessionOfNode({ kind: "recurring-agent", overview: none }), null);
    const row: RecurringNode = { kind: "recurring-wake", overview: none, wake: wake({ sessionId: null }) };
    assert.equal(recurringNodeText(row, options).contextValue, "recurringWake");
  });

  it("has the lines of a faulty file below it", () => {
    const faults = [
      { line: 3, message: plainSentence("one") },
      { line: 5, message: plainSentence("two") },
    ];
    assert.deepEqual(draw(overview({ agent: null, faults, sessions: [], wakes: [] })), [
      "error keeper: line 3: one",
      "  error Line 3: one",
      "  error Line 5: two",
    ]);
  });

  it("accepts its own nodes, and gives each an id that stays when its figures change", () => {
    const ids = (agents: readonly AgentOverview[]) => {
      const all = (nodes: readonly RecurringNode[]): string[] =>
        nodes.flatMap((node) => [recurringNodeId(node), ...all(childNodes(node))]);
      return all(rootNodes([{ project: "/p", agents }]));
    };
    const before = ids([overview(), overview({ name: "reader" })]);
    assert.equal(new Set(before).size, before.length);
    assert.deepEqual(before, ids([overview({ dueSince: now, isBusy: true }), overview({ name: "reader" })]));
    assert.ok(isRecurringNode({ kind: "recurring-agent" }));
    for (const other of [null, "recurring-agent", {}, { kind: 3 }, { kind: "session" }])
      assert.ok(!isRecurringNode(other));
  });
});

describe("the tooltip of an agent", () => {
  it("lists program, model, schedule, task, session, and the tokens of the last wake", () => {
    const text = agentTooltip(overview(), options);
    assert.match(text, /^\*\*keeper\*\* · Claude Code · claude-sonnet-4-5\n/u);
    for (const row of [
      "| Schedule&ensp; | \\*/30 \\* \\* \\* \\* |",
      "| Next wake&ensp; | in 20 min by the service |",
      "| Task&ensp; | H-12 |",
      "| Last wake&ensp; | completed 2 h ago |",
      "| Normalized input&ensp; | 7,400 |",
      "| Raw input&ensp; | 62,020 |",
      "| Skills&ensp; | none; 0 bytes |",
    ])
      assert.ok(text.includes(row), `${row} in ${text}`);
  });

  it("names what is unknown, and that nobody agreed", () => {
    const unknown = wake({
      normalizedInput: null,
      rawInput: null,
      output: null,
      detail: plainSentence("quota: at 5 [x](y)"),
    });
    const text = agentTooltip(overview({ isAgreed: false, wakes: [unknown] }), options);
    assert.match(text, /Raw input&ensp; \| unknown/u);
    assert.match(text, /quota: at 5 \\\[x\\\]\\\(y\)/u);
    assert.match(text, /begin once you agreed/u);
  });

  it("never shows a file's text as Markdown or beyond its row", () => {
    const word = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("[a](command:x)", "|", "\n# x", "<b>", "$(zap)", "\u202e"),
    );
    fc.assert(
      fc.property(
        word,
        word,
        fc.constantFrom(...wakeOutcomes),
        fc.constantFrom(...wakeReasons),
        fc.constantFrom(...wakeSources),
        (one, other, outcome, reason, source) => {
          const strange = wake({
            taskId: one,
            detail: plainSentence(other),
            sessionId: one,
            model: other,
            program: one,
            outcome,
            reason,
            source,
          });
          const agent = overview({
            wakes: [strange],
            running: strange,
            faults: [{ line: 1, message: plainSentence(one) }],
            sessions: [agentSession({ task: one, id: one })],
          });
          for (const text of [agentTooltip(agent, options), wakeTooltip(strange, options)]) {
            assert.doesNotMatch(text, /(?<!\\)\]\(|^#|\u202e|(?<!\\)<b>/mu);
            for (const row of text.split("\n").filter((line) => line.startsWith("|")))
              assert.equal(row.match(/(?<!\\)\|/gu)?.length, 3, row);
          }
          for (const line of draw(agent)) assert.ok(!line.includes("\n") && line.length < 500, line);
        },
      ),
    );
  });
});
