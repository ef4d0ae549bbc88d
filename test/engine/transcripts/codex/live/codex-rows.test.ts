import { assert } from "../../../support/assert-texts.ts";
import { describe, it } from "node:test";
import { textOfTerms } from "../../../../../src/engine/usage/price-terms.ts";
import {
  count,
  idAt,
  meta,
  readLines,
  response,
  row,
  settings,
  start,
  turn,
  vector,
} from "../rollout-rows.ts";
import { accountOf, eventsIn, eventsOf, readingsOf } from "./account-of.ts";
import { began, compacted, ended, event, head, prompt, zero } from "./event-rows.ts";

const [one, two] = [idAt(0), idAt(60)];
describe("a rollout read live", () => {
  it("reports where the session works, its window, its model and its prompts", () => {
    assert.deepEqual(eventsOf([...head, turn(2, idAt(1))]), [
      { kind: "place", cwd: "/home/dev/harbor", branch: "main" },
      { kind: "window", tokens: 258_400, source: "what Codex itself measures against" },
      { kind: "model", requestedModel: "gpt-5.5" },
      { kind: "prompt", at: start + 1000, text: "Count the boats." },
    ]);
  });

  it("reports a response at once, and once, whatever counts repeat it", () => {
    const usage = vector(9000, 8000, 50, 500, 20);
    const lines = [
      ...head,
      response(2, one, "r1", usage),
      count(3, usage, usage),
      response(4, one, "r1", usage),
      count(5, usage, usage),
    ];
    const { main, own } = accountOf(lines);
    assert.equal(main.turns, 1);
    assert.deepEqual(own.usage(), {
      input: 500,
      cacheRead: 8000,
      cacheCreation5m: 500,
      cacheCreation1h: 0,
      output: 50,
    });
    assert.deepEqual([main.occupancy(), main.carried(), main.last?.model], [9000, 9050, "gpt-5.5"]);
  });

  it("reports the service tier requested for a response", () => {
    const usage = vector(9000, 8000, 50);
    const lines = [
      ...head,
      settings(1, "fast"),
      response(2, one, "r1", usage),
      response(3, one, "r2", usage),
    ];
    const terms = eventsOf([...lines, settings(4, null), response(5, one, "r3", usage)]).flatMap((each) =>
      each.kind === "response" ? [textOfTerms(each.response.terms)] : [],
    );
    assert.deepEqual(terms, ["fast", "fast", null]);
  });

  it("uses the growth of totals where no response has a row of its own", () => {
    const first = vector(9000, 8000, 50);
    const total = vector(18_500, 17_000, 90);
    const lines = [
      ...head,
      count(2, first, first),
      count(3, first, first),
      count(4, total, vector(9500, 9000, 40)),
    ];
    const { main, own } = accountOf(lines);
    assert.equal(main.turns, 2);
    assert.deepEqual([own.usage().input, own.usage().cacheRead, own.usage().output], [1500, 17_000, 90]);
    assert.equal(main.occupancy(), 9500);
  });

  it("ends a turn where the agent does, and reports an error", () => {
    const usage = vector(9000, 0, 10);
    const { main } = accountOf([...head, response(2, one, "r1", usage)]);
    assert.equal(main.ended, false);
    assert.equal(accountOf([...head, response(2, one, "r1", usage), ended(3)]).main.ended, true);
    assert.equal(accountOf([...head, event(3, "turn_aborted", { reason: "interrupted" })]).main.ended, true);
    assert.equal(accountOf([...head, ended(3), prompt(4, "And the oars?")]).main.ended, false);
    assert.deepEqual(eventsOf([ended(3, { error: { message: "too long" } })]), [
      { kind: "api-error", at: start + 3000 },
      { kind: "turn-ended" },
    ]);
  });

  it("counts a prompt once if it is written as a message and as an item", () => {
    const twice = [event(2, "user_message", { message: "Once." }), prompt(2, "Once.")];
    assert.equal(accountOf([...head, ...twice]).main.prompts, 2);
    assert.equal(accountOf([...head, ...twice, ...twice.toReversed()]).main.prompts, 3);
    assert.equal(accountOf([...head, prompt(2, "Go on."), prompt(3, "Go on.")]).main.prompts, 3);
  });

  it("leaves out what an editor puts before a prompt", () => {
    const text =
      "# Context from my IDE setup:\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nCount the oars.\n";
    const { main, firstPrompt } = accountOf([event(1, "user_message", { message: text }), prompt(1, text)]);
    assert.deepEqual([main.prompts, firstPrompt], [1, "Count the oars."]);
  });

  it("names the called tools, and skips their results", () => {
    const call = (fields: object) =>
      row(2, "response_item", { type: "function_call", arguments: "{}", ...fields });
    const returned = row(3, "response_item", {
      type: "function_call_output",
      call_id: "c1",
      output: "x".repeat(9000),
    });
    const lines = [
      call({ call_id: "c1", name: "exec_command" }),
      call({ name: "wait" }),
      call({ call_id: "c3" }),
      returned,
    ];
    assert.deepEqual(
      accountOf(lines).toolCalls,
      new Map([
        ["c1", "exec_command"],
        [`${one} 2`, "wait"],
      ]),
    );
    const quiet = [{ outcome: "known", isSidechain: false, at: start + 3000, events: [] }];
    assert.deepEqual(readingsOf([returned]), quiet);
    const item = { type: "CommandExecution", id: "c1", aggregated_output: "x".repeat(9000) };
    const completed = event(3, "item_completed", { thread_id: one, turn_id: two, item });
    for (const line of [completed, completed.slice(0, 500)]) assert.deepEqual(readingsOf([line]), quiet);
  });

  it("reports a call when its response is known, where responses have rows of their own", () => {
    const called = row(2, "response_item", { type: "function_call", call_id: "c1", name: "exec_command" });
    const usage = vector(9000, 0, 10);
    const kinds = (lines: readonly string[]) => eventsOf(lines).map(({ kind }) => kind);
    const lines = [called, response(3, one, "r1", usage)];
    assert.deepEqual(kinds([meta(0, {}), ...lines]), ["place", "response", "tool-call"]);
    assert.deepEqual(kinds([meta(0, { cli_version: "0.153.4" }), ...lines]), [
      "place",
      "tool-call",
      "response",
    ]);
    assert.deepEqual(kinds([meta(0, { cli_version: "1.0.0" }), called]), ["place"]);
    assert.deepEqual(kinds([meta(0, {}), called, event(3, "turn_aborted")]), [
      "place",
      "tool-call",
      "turn-ended",
    ]);
    assert.deepEqual(kinds([meta(0, {}), called, event(3, "task_started")]), ["place", "tool-call"]);
  });

  it("reports the plan's limits from each count that has any", () => {
    const limits = {
      primary: { used_percent: 12.5, window_minutes: 300, resets_at: 1_795_310_000 },
      secondary: null,
    };
    const usage = vector(9000, 0, 10);
    const { planLimits } = accountOf([
      ...head,
      count(2, usage, usage, { rate_limits: limits }),
      count(3, usage, usage, { rate_limits: { primary: null, secondary: null } }),
    ]);
    assert.deepEqual(
      planLimits.map(({ name, usedPercent, resetsAt, at }) => [name, usedPercent, resetsAt, at]),
      [["codex primary", 12.5, 1_795_310_000_000, start + 2000]],
    );
  });

  it("keeps the plan's latest limits, whichever of a session's files is read last", () => {
    const usage = vector(9000, 0, 10);
    const limited = (second: number, percent: number) =>
      count(second, usage, usage, { rate_limits: { primary: { used_percent: percent } } });
    const subagents = { [two]: [meta(0, { id: two }), limited(5, 20)] };
    const latest = (second: number) =>
      accountOf([...head, limited(second, 10)], { subagents }).planLimits.map(
        ({ usedPercent }) => usedPercent,
      );
    assert.deepEqual([latest(4), latest(6)], [[20], [10]]);
  });

  it("reports a full context as Codex counts it, until the next response", () => {
    const full = count(3, { ...zero, total_tokens: 258_400 }, { ...zero, total_tokens: 258_400 });
    const lines = [...head, response(2, one, "r1", vector(9000, 0, 10)), full, ended(3, { error: {} })];
    const { main } = accountOf(lines);
    assert.deepEqual(
      [main.occupancy(), main.carried(), main.estimate?.source],
      [258_400, 258_400, "Codex's own estimate"],
    );
    assert.equal(accountOf([...lines, response(4, one, "r2", vector(7000, 0, 10))]).main.occupancy(), 7000);
  });
});

describe("lines that a rollout repeats from its parent, read live", () => {
  const usage = vector(8000, 0, 10);
  const copied = [
    meta(60, { id: two, forked_from_id: one }),
    meta(60, { id: one }),
    event(60, "task_started", { turn_id: idAt(1) }),
    turn(60, idAt(1)),
    prompt(60, "The parent's."),
    row(60, "response_item", { type: "function_call", call_id: "c1", name: "exec_command", arguments: "{}" }),
    compacted(60),
    response(60, one, "r1", usage),
    ended(60),
  ];
  const own = [
    began(70),
    turn(70, idAt(70)),
    prompt(70, "Its own."),
    response(71, two, "r2", vector(8200, 8000, 12)),
  ];

  it("do not count as a fork's own work, but fill its context", () => {
    const {
      main,
      own: counted,
      all,
      toolCalls,
      firstPrompt,
    } = accountOf([...copied, ...own], { threadId: two });
    assert.deepEqual([main.turns, main.prompts, main.compactions.length, firstPrompt], [2, 1, 0, "Its own."]);
    assert.deepEqual([counted.usage().output, all.usage().output, toolCalls.size], [12, 22, 0]);
    assert.equal(accountOf(copied, { threadId: two }).main.occupancy(), 8000);
  });

  it("add nothing to a subagent", () => {
    const spawned = {
      id: two,
      session_id: one,
      forked_from_id: one,
      source: {
        subagent: { thread_spawn: { parent_thread_id: one, agent_role: "explorer", agent_nickname: "Ada" } },
      },
    };
    const lines = [meta(60, spawned), ...copied.slice(1)];
    const account = accountOf(head, { subagents: { [two]: lines } });
    const subagent = account.subagent(two);
    assert.deepEqual(subagent.facts, { type: "explorer", description: "Ada", finished: null });
    assert.deepEqual([subagent.chain.turns, subagent.chain.prompts, account.all.usage().output], [0, 0, 0]);
    const working = accountOf(head, { subagents: { [two]: [...lines, ...own] } });
    assert.deepEqual(
      [working.own.usage().output, working.ofMain.usage().output, working.main.turns],
      [12, 0, 0],
    );
    assert.equal(working.subagent(two).facts.description, "Its own.");
    assert.equal(working.subagent(two).chain.ended, false);
    const done = accountOf(head, { subagents: { [two]: [...lines, ...own, ended(72)] } });
    assert.equal(done.subagent(two).chain.ended, true);
  });

  it("are found in the parent's rollout where the file alone does not show them", () => {
    const first = count(75, usage, usage);
    const lines = [
      meta(60, { id: "f", forked_from_id: "p" }),
      row(70, "turn_context", { turn_id: "0", model: "gpt-5" }),
      first,
    ];
    const events = (pairs?: ReadonlySet<string>) =>
      eventsIn(readingsOf(lines, pairs === undefined ? {} : { pairs })).flatMap((each) =>
        each.kind === "response" ? [each.isCopy] : [],
      );
    assert.deepEqual(events(), [false]);
    const { pair } = readLines([meta(0, { id: "p" }), first]).records[0] ?? assert.fail();
    assert.deepEqual(events(new Set([pair ?? assert.fail()])), [true]);
  });
});

describe("a rollout's lines read live", () => {
  it("are counted by kind when they are not understood", () => {
    const lines = [
      "",
      "{",
      "[]",
      row(1, "novelty", {}),
      row(1, "token_usage_record", {}),
      row(1, "world_state", {}),
    ];
    assert.deepEqual(
      readingsOf(lines).map((each) => (each.outcome === "unknown" ? each.type : each.outcome)),
      ["known", "malformed", "malformed", "novelty", "malformed", "known"],
    );
  });
});
