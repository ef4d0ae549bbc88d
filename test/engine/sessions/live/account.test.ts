import { assert } from "../../support/assert-texts.ts";
import { describe, it } from "node:test";
import { accountOf, describeSession, applyRows } from "../support/describe.ts";
import {
  at,
  compaction,
  cwd,
  officialTotal,
  prompt,
  response,
  sessionId,
  syntheticError,
  type Row,
} from "../support/rows.ts";

const main = response({ id: "m", minute: 1, input: 50_000, output: 100 });

describe("content outside the main chain", () => {
  it("never changes the main gauge: rows of side conversations", () => {
    const before = describeSession([main]);
    const aside = response({
      id: "side",
      minute: 2,
      input: 190_000,
      sidechain: true,
      requested: "claude-sonnet-4-6[1m]",
    });
    const after = describeSession([main, aside]);
    for (const key of ["window", "occupancy", "percent", "advice", "turns", "headroom", "growth"] as const)
      assert.deepEqual(after[key], before[key], key);
    assert.equal(after.usage.input, 240_000, "its tokens still belong to the session");
  });

  it("never changes the main gauge: a subagent's file, its compactions included", () => {
    const account = accountOf([main]);
    const before = describeSession(account);
    const own = [
      prompt(2),
      response({ id: "s", minute: 3, input: 180_000, sidechain: true, model: "claude-haiku-5-5" }),
      compaction({ minute: 4, pre: 180_000, post: 900 }),
      officialTotal(99),
    ];
    applyRows(account, own, "a1");
    const after = describeSession(account);
    const changed = new Set(["subagents", "usage", "cost", "cacheRead", "lastActivity"]);
    for (const [key, value] of Object.entries(after))
      if (!changed.has(key)) assert.deepEqual(value, Reflect.get(before, key), key);
    assert.equal(after.usage.input, 230_000);
  });
});

describe("subagents", () => {
  const own = (minute: number, tokens: number, id = `s${minute}`): Row =>
    response({ id, minute, input: tokens, output: 10, sidechain: true, model: "claude-haiku-4-5" });

  it("have a gauge of their own and all their tokens", () => {
    const account = accountOf([main]);
    applyRows(account, [own(2, 20_000), own(3, 50_000)], "a1");
    account.subagent("a1").facts = { type: "explorer", description: "Sound the harbour", finished: null };
    assert.deepEqual(describeSession(account, { now: at(4) }).subagents, [
      {
        id: "a1",
        type: "explorer",
        description: "Sound the harbour",
        transcript: null,
        model: "claude-haiku-4-5",
        window: { value: 200_000, provenance: "estimated", source: "the model catalogue" },
        occupancy: {
          value: 50_000,
          provenance: "measured",
          source: "token usage of the last response",
        },
        percent: 25,
        advice: "CONTINUE",
        compactions: 0,
        running: true,
        tokens: 70_020,
        lastActivity: at(3),
      },
    ]);
  });

  it("run until they report their end, are silent for ten minutes, or their session ended", () => {
    const account = accountOf([main]);
    applyRows(account, [own(2, 20_000)], "a1");
    const isRunning = (now: number, live = true) =>
      describeSession(account, { now, live }).subagents[0]?.running;
    assert.equal(isRunning(at(12)), true);
    assert.equal(isRunning(at(12) + 1), false);
    assert.equal(isRunning(at(3), false), false);
    account.subagent("a1").facts = { type: null, description: null, finished: true };
    assert.equal(isRunning(at(3)), false);
  });

  it("of versions without such reports have finished when their last response ends the turn, until the next prompt", () => {
    const account = accountOf([main]);
    const isRunning = () => describeSession(account, { now: at(5) }).subagents[0]?.running;
    applyRows(
      account,
      [response({ id: "s2", minute: 2, input: 9, sidechain: true, stop: "tool_use" })],
      "a1",
    );
    assert.equal(isRunning(), true);
    applyRows(
      account,
      [response({ id: "s3", minute: 3, input: 9, sidechain: true, stop: "end_turn" })],
      "a1",
    );
    assert.equal(isRunning(), false);
    applyRows(account, [{ ...prompt(4), isSidechain: true }], "a1");
    assert.equal(isRunning(), true);
  });

  it("are listed by their start, whatever the reading order", () => {
    const account = accountOf([main]);
    applyRows(account, [own(5, 1000)], "a-late");
    applyRows(account, [own(3, 1000), own(9, 1000)], "a-early");
    applyRows(account, [own(5, 1000, "s5b")], "a-before-late-by-name");
    assert.deepEqual(
      describeSession(account).subagents.map(({ id }) => id),
      ["a-early", "a-before-late-by-name", "a-late"],
    );
  });
});

describe("a session", () => {
  it("belongs to the folder where it began, and works where it went", () => {
    const moved = { ...prompt(2), cwd: "/home/dev/harbor/pier", gitBranch: "mole" };
    const { workingIn, branch, lastActivity, ...session } = describeSession([main, moved]);
    assert.deepEqual([session.cwd, workingIn, branch], [cwd, "/home/dev/harbor/pier", "mole"]);
    assert.equal(lastActivity, at(2));
  });

  it("counts unreadable lines by kind, and continues", () => {
    const rows = [
      { type: "tide-table" },
      { type: "tide-table" },
      { type: "assistant", message: 5 },
      {},
      main,
    ];
    const { skippedLines, turns } = describeSession(rows);
    assert.deepEqual(skippedLines, { "tide-table": 2, malformed: 2 });
    assert.equal(turns, 1);
  });

  it("counts a tool call once, however many rows and forks repeat it, its subagents' included", () => {
    const calling = (id: string, tool: string, more: Partial<Parameters<typeof response>[0]> = {}): Row => {
      const row = response({ id: `m-${id}`, minute: 1, input: 9, ...more });
      const message = typeof row["message"] === "object" ? row["message"] : {};
      return { ...row, message: { ...message, content: [{ type: "tool_use", id, name: tool }] } };
    };
    const account = accountOf([main, calling("t1", "Bash"), calling("t1", "Bash"), calling("t2", "Read")]);
    applyRows(account, [calling("t3", "Grep", { sidechain: true })], "a1");
    applyRows(account, [calling("t4", "Edit", { copiedFrom: "another-session" })], null);
    assert.deepEqual([...account.toolCalls.values()], ["Bash", "Read", "Grep"]);
    assert.equal(describeSession(account).toolCalls, 3);
  });

  it("counts prompts of people, not of side conversations", () => {
    assert.equal(describeSession([prompt(), main, syntheticError(), prompt(3)]).prompts, 2);
  });
});

describe("a fork", () => {
  const parent = "0a0e07a1-0000-4000-8000-000000000009";
  const copy = response({ id: "p", minute: 1, input: 50_000, output: 100, copiedFrom: parent });
  const own = response({ id: "q", minute: 31, read: 50_100, write5m: 900, output: 200 });

  it("does not pay for its copies, but holds them in its context", () => {
    const forked = describeSession([prompt(30), copy, own]);
    assert.equal(forked.cost.value, describeSession([own]).cost.value);
    assert.equal(forked.usage.input, 0);
    assert.equal(describeSession([prompt(30), copy]).occupancy.value, 50_000);
  });

  it("of a version that does not mark copies recognises them by their age", () => {
    const unmarked = response({ id: "p", minute: 1, input: 50_000, output: 100 });
    const forked = describeSession([prompt(30), unmarked, own]);
    assert.equal(forked.usage.input, 0);
    assert.equal(forked.turns, 2);
    assert.equal(describeSession([prompt(0), unmarked, own]).usage.input, 50_000, "no fork");
  });

  it("is not assumed after a clock was set back", () => {
    const first = response({ id: "a", minute: 61, input: 20_000, output: 100 });
    const later = response({ id: "b", minute: 2, input: 30_000, output: 100 });
    const session = describeSession([prompt(60), first, prompt(1), later]);
    assert.equal(session.usage.input, 50_000);
    assert.equal(session.occupancy.value, 30_000);
    // A marked copy is not a response of its own, so older rows after it are still copies.
    const forked = describeSession([
      prompt(30),
      { ...copy },
      response({ id: "u", minute: 2, input: 7 }),
      own,
    ]);
    assert.equal(forked.usage.input, 0);
  });

  it("is not assumed because a row names its own session", () => {
    const resumed = response({ id: "p", minute: 1, input: 50_000, copiedFrom: sessionId });
    assert.equal(describeSession([resumed]).usage.input, 50_000);
  });
});
