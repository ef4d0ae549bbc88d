import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { SessionPage } from "../../../../../src/engine/ledger/ledger-answers.ts";
import { rowEntries } from "../../../../../src/engine/ledger/collect/records/records-entries.ts";
import { attributedEntries } from "../../../../../src/engine/ledger/collect/records/sources.ts";
import {
  attributedEvents,
  namedByNumbers,
} from "../../../../../src/engine/transcripts/copilot/named-records.ts";
import type { Ledger } from "../../../../../src/engine/ledger/ledger.ts";
import { builtInCatalogue } from "../../../../../src/engine/usage/catalogue/catalogue.ts";
import { localDays } from "../../../../../src/engine/usage/local-day.ts";
import { scratchFolder } from "../../../support/scratch.ts";
import { writeTree } from "../../../support/write-tree.ts";
import * as codex from "../../../transcripts/codex/rollout-rows.ts";
import * as work from "../../../transcripts/codex/work-rows.ts";
import * as copilot from "../../../transcripts/copilot/event-rows.ts";
import { open } from "../../support/support.ts";
import { collectInto } from "../support.ts";

const basis = { catalogue: builtInCatalogue, dayOf: localDays() };
const everything = { since: null, until: null, project: null, program: null };
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

async function collect(t: TestContext, files: Readonly<Record<string, string>>): Promise<Ledger> {
  const folder = scratchFolder(t);
  const ledger = await open(t, scratchFolder(t));
  writeTree(folder, files);
  const { collector, problems } = collectInto(ledger, folder);
  assert.deepEqual((await collector.catchUp()).problems, []);
  assert.deepEqual(problems, []);
  return ledger;
}

function pageOf(ledger: Ledger, id: string): SessionPage {
  return ledger.ask("sessionPage", id, basis) ?? assert.fail(`no session ${id}`);
}

/** The agent, tokens, calls and completion of each run. */
function runsOf(ledger: Ledger, id: string): unknown[] {
  return pageOf(ledger, id).runs.map(({ agent, processingTokens, toolCalls, completed }) => [
    agent,
    processingTokens,
    toolCalls,
    completed,
  ]);
}

function toolsOf(ledger: Ledger): unknown[] {
  const { tools, totals } = ledger.ask("overview", everything, basis);
  const sum = (kind: "input" | "output" | "cacheRead") =>
    tools.reduce((tokens, { usage }) => tokens + usage[kind], 0);
  for (const kind of ["input", "output", "cacheRead"] as const) assert.equal(sum(kind), totals.usage[kind]);
  return tools.flatMap(({ key, calls, usage }) => (key === null ? [] : [[key, calls, usage.output]]));
}

describe("an older Codex's fork", () => {
  const [id, child] = [codex.idAt(0), codex.idAt(10)];
  const [a, b] = [codex.vector(100, 0, 10), codex.vector(250, 90, 30)];
  const grown = codex.vector(320, 97, 35);
  const history = (at: (second: number) => number) => [
    work.asked(at(1), "One."),
    work.called(at(1), "c1"),
    codex.count(at(2), a, a),
    work.returned(at(2), "c1", "ok"),
    work.said(at(3)),
    codex.count(at(3), b, codex.vector(150, 90, 20)),
  ];
  const name = (session: string) => `codex/sessions/rollout-2026-11-02T09-00-00-${session}.jsonl`;
  const parent = text([codex.meta(0, { id }), ...history((second) => second)]);
  const own = [
    work.asked(60, "Two."),
    work.called(60, "c2"),
    work.said(61),
    codex.count(62, grown, codex.vector(70, 7, 5)),
  ];
  // With new timestamps, some time after the file was started: the lines alone do not show that they are
  // copies.
  const fork = text([
    codex.meta(10, { id: child, forked_from_id: id }),
    ...history((second) => 20 + second),
    ...own,
  ]);

  it("creates no runs and no calls from repeated lines", async (t) => {
    const ledger = await collect(t, { [name(id)]: parent, [name(child)]: fork });
    assert.deepEqual(runsOf(ledger, id), [["main", 190, 1, true]]);
    assert.deepEqual(runsOf(ledger, child), [["main", 68, 1, true]]);
    assert.deepEqual(toolsOf(ledger), [["exec_command", 2, 15]]);
  });

  it("creates none at all when its own lines cannot be determined", async (t) => {
    const folder = scratchFolder(t);
    const ledger = await open(t, scratchFolder(t));
    writeTree(folder, { [name(id)]: parent });
    await collectInto(ledger, folder).collector.catchUp();
    rmSync(path.join(folder, name(id)));
    writeTree(folder, { [name(child)]: fork });
    await collectInto(ledger, folder).collector.catchUp();
    assert.deepEqual(runsOf(ledger, id), [["main", 190, 1, true]]);
    assert.deepEqual(runsOf(ledger, child), []);
  });
});

describe("a Codex subagent", () => {
  it("is a session of its own, with responses and runs under its role", async (t) => {
    const [id, child] = [codex.idAt(0), codex.idAt(10)];
    const spawn = { parent_thread_id: id, agent_role: "explorer" };
    const ledger = await collect(t, {
      [`codex/sessions/rollout-${child}.jsonl`]: text([
        codex.meta(10, { id: child, parent_thread_id: id, source: { subagent: { thread_spawn: spawn } } }),
        work.began(11, codex.idAt(11)),
        codex.response(12, child, "r1", codex.vector(100, 40, 7)),
        work.ended(13, codex.idAt(11)),
      ]),
    });
    assert.deepEqual(runsOf(ledger, child), [["explorer", 67, 0, true]]);
    const { subagents, sessions } = ledger.ask("overview", everything, basis);
    assert.deepEqual(
      subagents.map(({ key, responses }) => [key, responses]),
      [["explorer", 1]],
    );
    assert.deepEqual(
      sessions.map((session) => session.parentId),
      [id],
    );
  });
});

describe("a Copilot session", () => {
  const { began, event, used, vector, ended } = copilot;
  const asks = (second: number, content: string, fields: object = {}) =>
    event(second, "user.message", { content, ...fields });
  const says = (second: number, content: string, ...tools: string[]) =>
    event(second, "assistant.message", {
      content,
      toolRequests: tools.map((name, index) => ({
        toolCallId: `c${second}.${index}`,
        name,
        arguments: { path: "/a" },
      })),
    });
  const runs = (second: number, call: string, fields: object = {}) => [
    event(second, "tool.execution_start", {
      toolCallId: call,
      toolName: "view",
      arguments: { path: "/a" },
      ...fields,
    }),
    event(second + 2, "tool.execution_complete", {
      toolCallId: call,
      success: true,
      result: { content: "four" },
    }),
  ];
  const steps = [
    asks(1, "Look."),
    event(2, "assistant.turn_start", { turnId: "0" }),
    says(3, "", "view", "view"),
    used(4, 1, vector(50, 20, 5)),
    ...runs(5, "c3.0"),
    ...runs(8, "c3.1"),
    event(11, "assistant.turn_end", { turnId: "0" }),
    event(12, "assistant.turn_start", { turnId: "1" }),
    used(13, 2, vector(60, 50, 6)),
    says(14, "Found."),
    event(15, "assistant.turn_end", { turnId: "1" }),
  ];
  const file = "copilot/session-state/s1/events.jsonl";

  it("has a run from each prompt to the model's last word, and its calls", async (t) => {
    const ledger = await collect(t, {
      [file]: text([
        began,
        ...steps,
        asks(20, "And now?"),
        used(21, 3, vector(9, 0, 1)),
        event(22, "abort", { reason: "user" }),
      ]),
    });
    assert.deepEqual(runsOf(ledger, "s1"), [
      ["main", 51, 2, true],
      ["main", 10, 0, false],
    ]);
    assert.deepEqual(toolsOf(ledger), [["view", 2, 5]]);
    const [run] = pageOf(ledger, "s1").runs;
    assert.deepEqual([run?.filesReread, run?.durationMs], [1, 13_000]);
    assert.equal(pageOf(ledger, "s1").rereads[0]?.chars, 8);
  });

  it("separates a subagent's work, and records its type", async (t) => {
    const of = (line: string) => line.replace(/^\{/u, `{"agentId":"a1",`);
    const ledger = await collect(t, {
      [file]: text([
        began,
        asks(1, "Look."),
        event(2, "assistant.turn_start", {}),
        says(3, "", "task"),
        used(4, 1, vector(50, 20, 5)),
        of(event(5, "subagent.started", { toolCallId: "c3.0", agentName: "explore" })),
        of(used(6, 2, vector(30, 0, 3))),
        of(says(7, "Nine.")),
        of(event(8, "subagent.completed", { toolCallId: "c3.0" })),
        used(10, 3, vector(60, 50, 6)),
        says(11, "Nine miles."),
      ]),
    });
    assert.deepEqual(runsOf(ledger, "s1"), [
      ["main", 51, 1, true],
      ["explore", 33, 0, true],
    ]);
    const { subagents } = ledger.ask("overview", everything, basis);
    assert.deepEqual(
      subagents.map(({ key, responses }) => [key, responses]),
      [
        [null, 2],
        ["explore", 1],
      ],
    );
  });

  it("of a version with only a total has a run where there was one prompt", async (t) => {
    const total = { "gpt-5.4": vector(110, 70, 11) };
    const once = [began, asks(1, "Look."), says(3, "Found."), ended(9, total)];
    assert.deepEqual(runsOf(await collect(t, { [file]: text(once) }), "s1"), [["main", 51, 0, true]]);
    const twice = [
      began,
      asks(1, "Look."),
      says(3, "Found."),
      asks(4, "Where?"),
      says(5, "Here."),
      ended(9, total),
    ];
    assert.deepEqual(runsOf(await collect(t, { [file]: text(twice) }), "s1"), []);
  });

  it("of a version with responses only in the store has them by their times", () => {
    const session = copilot.readEventLines([
      began,
      asks(1, "Look."),
      says(3, "", "view"),
      says(9, "Found."),
      asks(30, "Where?"),
      says(40, "Here."),
      asks(50, "Go on."),
    ]);
    const [like] = copilot.readEventLines([began, used(0, 1, vector(9, 0, 1))]).records;
    assert.ok(like !== undefined);
    const stored = [3, 9, 40].map((second) => ({
      ...like,
      source: "store" as const,
      at: copilot.start + second * 1000 - 100,
      key: `row ${second}`,
      usage: { ...like.usage, input: 0, output: second },
    }));
    const entries = attributedEntries(attributedEvents(session, stored));
    const runs = entries.filter(({ kind }) => kind === "run");
    assert.partialDeepStrictEqual(runs, [
      { output: 12, toolCalls: 1, completed: true },
      { output: 40, toolCalls: 0, completed: true },
    ]);
    const [response] = rowEntries(namedByNumbers(stored)).filter(({ kind }) => kind === "response");
    const calls = entries.filter(({ kind }) => kind === "tool-call");
    assert.deepEqual([runs.length, calls.length], [2, 1]);
    assert.ok(response?.kind === "response");
    assert.partialDeepStrictEqual(calls, [{ messageId: response.messageId }]);
  });

  it("records its compactions", async (t) => {
    const data = { success: true, preCompactionTokens: 900, postCompactionTokens: 90, trigger: "threshold" };
    const ledger = await collect(t, {
      [file]: text([began, ...steps, event(30, "session.compaction_complete", data)]),
    });
    assert.deepEqual(
      pageOf(ledger, "s1").compactions.map(({ trigger, preTokens, postTokens }) => [
        trigger,
        preTokens,
        postTokens,
      ]),
      [["auto", 900, 90]],
    );
  });
});

describe("a Gemini session", () => {
  const at = (second: number) => new Date(codex.start + second * 1000).toISOString();
  const header = { sessionId: "s1", projectHash: "p", lastUpdated: at(9) };
  const asks = (id: string, second: number, content: unknown) => ({
    id,
    timestamp: at(second),
    type: "user",
    content,
  });
  const says = (id: string, second: number, content: string, toolCalls: readonly object[] = []) => ({
    id,
    timestamp: at(second),
    type: "gemini",
    model: "gemini-3-pro",
    content,
    toolCalls,
    tokens: { input: 100, output: 9, cached: 40, thoughts: 1, tool: 0, total: 110 },
  });
  const call = (id: string, fields: object = {}) => ({
    id,
    name: "read_file",
    args: { file_path: "/a" },
    status: "success",
    timestamp: at(3),
    result: [{ functionResponse: { id, name: "read_file", response: { output: "four" } } }],
    ...fields,
  });
  const place = "gemini/.gemini/tmp/project/chats/session-1.jsonl";
  const rows = [
    header,
    asks("u1", 1, [{ text: "Look." }]),
    says("m1", 2, ""),
    says("m1", 2, "", [
      call("t1"),
      call("t2", { name: "query", displayName: "query (db MCP Server)", status: "error" }),
    ]),
    // Tool results are not prompts, and additions in a checkpoint come from the agent.
    asks("u2", 4, [{ functionResponse: { id: "t1", response: { output: "four" } } }]),
    { $set: { messages: [asks("s1", 4, "All that was said, in short.")] } },
    says("m2", 5, "Found."),
    asks("u3", 6, "And now?"),
  ];

  it("has a run from each prompt to the model's last word, and its calls", async (t) => {
    const ledger = await collect(t, { [place]: text(rows.map((row) => JSON.stringify(row))) });
    assert.deepEqual(runsOf(ledger, "s1"), [["main", 140, 2, true]]);
    assert.deepEqual(toolsOf(ledger), [
      ["query", 1, 5],
      ["read_file", 1, 5],
    ]);
    const { servers, tools } = ledger.ask("overview", everything, basis);
    assert.deepEqual(servers.map(({ key, calls, errors }) => [key, calls, errors]).slice(-1), [["db", 1, 1]]);
    assert.deepEqual(
      tools.flatMap(({ key, resultChars }) => (key === "read_file" ? [resultChars] : [])),
      [4],
    );
  });

  it("has the same runs and calls in the one object of an older version", async (t) => {
    const messages = [rows[1], rows[3], rows[6]];
    const old = { [place.replace(/l$/u, "")]: JSON.stringify({ ...header, messages }) };
    assert.deepEqual(runsOf(await collect(t, old), "s1"), [["main", 140, 2, true]]);
  });
});
