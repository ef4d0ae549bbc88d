import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { checkJson } from "../../../../src/engine/cli/sessions/self-check.ts";
import { statusJson, type StatusJson } from "../../../../src/engine/cli/sessions/sessions-outcome.ts";
import { makeRollout } from "../../../host/transcripts/codex.ts";
import { makeEvents } from "../../../host/transcripts/copilot.ts";
import { makeChatSession } from "../../../host/transcripts/vscode-chat.ts";
import { readRecordings } from "../../support/recordings.ts";
import { writeTree } from "../../support/write-tree.ts";
import { responseRow, Scratch } from "../support/support.ts";

let scratch: Scratch;

/** Gives each test of a suite its own. Outside a suite it would for the tests of other files too: they share a process. */
function useScratch(): void {
  beforeEach(() => {
    scratch = new Scratch();
  });
  afterEach(() => {
    scratch.dispose();
  });
}

/** A response from the day before yesterday: recent, not live. */
function recent(): string {
  return recentTo(Date.now());
}

/** @param now milliseconds since the epoch */
function recentTo(now: number): string {
  const at = new Date(now - 48 * 3_600_000).toISOString();
  const usage = { input_tokens: 500, cache_read_input_tokens: 60_000, output_tokens: 300 };
  const message = { id: "m1", model: "claude-sonnet-4-6", usage };
  return `${JSON.stringify({ type: "assistant", message, requestId: "r1", timestamp: at, cwd: "/argo" })}\n`;
}

async function statusOf(argv: readonly string[], root?: string): Promise<StatusJson> {
  const env = { CLAUDE_CONFIG_DIR: root ?? scratch.root };
  const { code, stdout, stderr } = await scratch.purser(["status", "--json", ...argv], {
    env,
    now: () => Date.now(),
  });
  assert.equal(code, 0, stderr);
  return statusJson.parse(JSON.parse(stdout));
}

describe("purser status", () => {
  useScratch();

  it("lists the folders searched for each agent, and the missing ones, when there are no sessions", async () => {
    const { code, stdout, stderr } = await scratch.purser(["status"]);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
    const [heading, claude = "", ...others] = stdout.split("\n");
    assert.equal(heading, "No sessions found. Looked in:");
    assert.equal(claude, `  Claude Code: ${scratch.root}`);
    assert.ok(
      others.some((line) => /^ {2}Codex: .+ \(not found\)/u.test(line)),
      stdout,
    );
  });

  it("reports that no session is live, and how to see the others", async () => {
    scratch.transcript("-argo/s-1.jsonl", recent());
    const { code, stdout } = await scratch.purser(["status"], { now: () => Date.now() });
    assert.equal(code, 0);
    assert.match(stdout, /^No live session among 1 transcripts in .+ --all shows recent ones\.\n$/u);
  });

  it("prints an aligned table of a session's context, cost and advice", async () => {
    scratch.transcript("-argo/5f0c0000-s.jsonl", recent());
    const { stdout, stderr } = await scratch.purser(["status", "--all"], { now: () => Date.now() });
    assert.equal(stderr, "");
    const [header = "", , row = ""] = stdout.split("\n");
    assert.match(
      header,
      /^Session +ID +Project +Model +Context +Used +Until compaction +Next call +Cost +Advice$/u,
    );
    assert.match(
      row,
      /^argo · (?:\d\d-\d\d )?\d\d:\d\d +5f0c0000 +\/argo +claude-sonnet-4-6 +60,500 \/ ~200,000 +~30% +~106k +~\$0\.23 +~\$0\.024 +continue$/u,
    );
  });

  it("gives the basis of each figure and the tier of each price in JSON", async () => {
    const sources = async (rows: string) => {
      scratch.transcript("-argo/5f0c0000-s.jsonl", rows);
      const [session] = (await statusOf(["--all"])).sessions;
      assert.ok(session);
      assert.match(session.context.source.text, /./u);
      return session.cost.source.text;
    };
    assert.equal(await sources(recent()), "list price of each response");
    const contracted = recent().replace('"output_tokens"', '"service_tier":"priority","output_tokens"');
    assert.match(await sources(contracted), /^list price of each response, of the standard tier/u);
  });

  it("colours only on request", async () => {
    scratch.transcript("-argo/s.jsonl", recent());
    const plain = await scratch.purser(["status", "--all"], { now: () => Date.now() });
    const coloured = await scratch.purser(["status", "--all"], { now: () => Date.now(), isTTY: true });
    assert.doesNotMatch(plain.stdout, /\u001b/u);
    assert.match(coloured.stdout, /\u001b\[1m/u);
  });

  it("colours its advice as the status bar does, and the words stay", async () => {
    scratch.transcript("-argo/5f0c0000-s.jsonl", recent());
    const advised = async (
      wrapUpAt: number,
      endTurnAt: number,
      env: Record<string, string>,
      isTTY: boolean,
    ) => {
      scratch.set({ wrapUpAt, endTurnAt });
      const host = { env: { CLAUDE_CONFIG_DIR: scratch.root, ...env }, now: () => Date.now(), isTTY };
      const [table, one] = [
        await scratch.purser(["status", "--all"], host),
        await scratch.purser(["status", "--session", "5f0c"], host),
      ];
      const row = table.stdout.trimEnd().split("\n").at(-2) ?? "";
      return [row.slice(row.lastIndexOf("  ") + 2), one.stdout.trimEnd().split("; ").at(-1)];
    };
    const [red, yellow, plain] = ["\u001b[31m", "\u001b[33m", "\u001b[39m"];
    const table: readonly [number, number, Record<string, string>, boolean, string, string][] = [
      [50, 40, {}, true, "continue", "CONTINUE"],
      [75, 40, {}, true, `${yellow}wrap up${plain}`, `${yellow}WRAP_UP${plain}`],
      [75, 75, {}, true, `${red}end turn${plain}`, `${red}END_TURN${plain}`],
      [75, 75, {}, false, "end turn", "END_TURN"],
      [75, 75, { NO_COLOR: "1" }, true, "end turn", "END_TURN"],
      [75, 75, { TERM: "dumb" }, true, "end turn", "END_TURN"],
      [75, 75, { FORCE_COLOR: "1" }, false, `${red}end turn${plain}`, `${red}END_TURN${plain}`],
      [75, 75, { FORCE_COLOR: "0" }, true, "end turn", "END_TURN"],
    ];
    for (const [wrapUpAt, endTurnAt, env, isTTY, ...said] of table)
      assert.deepEqual(await advised(wrapUpAt, endTurnAt, env, isTTY), said);
  });

  it("applies the user's settings, and reports those it cannot read", async () => {
    scratch.transcript("-argo/5f0c0000-s.jsonl", recent());
    scratch.set({
      wrapUpAt: 75,
      endTurnAt: 20,
      models: { "claude-sonnet-4-6": { window: 121_000 } },
      colour: 1,
    });
    const { stdout, stderr } = await scratch.purser(["status", "--all"], { now: () => Date.now() });
    assert.match(stdout, /60,500 \/ 121,000\* +50% .* wrap up\n~ estimated · \* as the agent/mu);
    assert.match(stderr, /settings\.json: there is no setting "colour"$/mu);
  });

  it("prints one line with exit code 2 for wrong arguments", async () => {
    for (const argv of [["--nope"], ["--cwd"], ["here"], ["--json=yes"]]) {
      const { code, stdout, stderr } = await scratch.purser(["status", ...argv]);
      assert.equal(code, 2, argv.join(" "));
      assert.equal(stdout, "");
      assert.match(stderr, /^purser status: .+\n$/u);
    }
  });

  it("keeps to the sessions of a folder and what is below it", async () => {
    scratch.transcript("-a/a.jsonl", responseRow({ id: "1", cwd: path.join(scratch.root, "a/deep") }));
    scratch.transcript("-b/b.jsonl", responseRow({ id: "2", cwd: path.join(scratch.root, "ab") }));
    const { sessions } = await statusOf(["--all", "--cwd", "a"]);
    assert.deepEqual(
      sessions.map(({ id }) => id),
      ["a"],
    );
  });

  it("counts and shows lines it could not use", async () => {
    scratch.transcript(
      "-argo/s.jsonl",
      `${recent()}{"type":"assistant"\n{"type":"brand-new"}\n{"type":"brand-new"}\n`,
    );
    const { sessions } = await statusOf(["--all"]);
    assert.deepEqual(sessions[0]?.skippedLines, { malformed: 1, "brand-new": 2 });
    const { stderr } = await scratch.purser(["status", "--all"], { now: () => Date.now() });
    assert.match(stderr, /skipped lines: 1 malformed, 2 brand-new/u);
  });

  it("with --watch prints a line of JSON each time, until it is interrupted", async () => {
    scratch.transcript("-argo/s.jsonl", recent());
    const interrupt = new AbortController();
    const lines: string[] = [];
    const stdout = {
      isTTY: false,
      write: (text: string) => {
        lines.push(text);
        interrupt.abort();
      },
    };
    const { code } = await scratch.purser(["status", "--all", "--json", "--watch"], {
      stdout,
      signal: interrupt.signal,
      now: () => Date.now(),
    });
    assert.equal(code, 0);
    assert.ok(lines.length > 0);
    for (const line of lines) assert.equal(statusJson.parse(JSON.parse(line)).sessions.length, 1);
  });
});

describe("purser status on files that are not as an agent makes them", () => {
  useScratch();

  /** The home with all sessions, which work in a folder of it. */
  function placeIn(workspace = scratch.root) {
    return { claude: scratch.root, home: scratch.root, workspace };
  }

  /** A link that leads only to itself. */
  function circle(name: string): string {
    const link = path.join(scratch.root, name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(link, link);
    return link;
  }

  it("shows the other sessions if an agent's folder or store cannot be read", async () => {
    makeRollout(placeIn(), 1).turn(20_000);
    makeEvents(placeIn(), 2).turn(20_000);
    const links = [circle(".gemini/tmp"), circle(".config/Code/User")];
    circle(".copilot/session-store.db");
    const { sessions, problems } = await statusOf([]);
    assert.deepEqual(sessions.map(({ agent }) => agent).toSorted(), ["codex", "copilot"]);
    for (const link of links)
      assert.ok(
        problems.some((problem) => problem.path.startsWith(link)),
        link,
      );
  });

  it("shows a session with an unreadable folder", async () => {
    makeRollout(placeIn(circle("argo")), 1).turn(20_000);
    makeRollout(placeIn(`/argo/${"x".repeat(5000)}`), 2).turn(20_000);
    makeRollout(placeIn("/ar\u0000go"), 3).turn(20_000);
    const { sessions } = await statusOf([]);
    assert.equal(sessions.length, 3);
  });

  it("shows a chat with times that no date can hold", async () => {
    const chat = makeChatSession(placeIn(), 1);
    chat.turn(20_000);
    const request = { requestId: "r2", timestamp: 1e300, modelState: { value: 1, completedAt: 8.7e15 } };
    appendFileSync(chat.file, `${JSON.stringify({ kind: 2, k: ["requests"], v: [request] })}\n`);
    const [session] = (await statusOf([])).sessions;
    assert.equal(session?.context.tokens, 20_000);
  });

  it("prints no control characters of an id", async () => {
    const folder = path.join(scratch.root, ".copilot/session-state", "\u001b[31mid");
    mkdirSync(folder, { recursive: true });
    const data = { context: { cwd: scratch.root } };
    const row = { type: "session.start", id: "1", timestamp: new Date().toISOString(), data };
    writeFileSync(path.join(folder, "events.jsonl"), `${JSON.stringify(row)}\n{\n`);
    const { stdout, stderr } = await scratch.purser(["status"], { now: () => Date.now() });
    assert.match(stdout, /^purser-cli-\w+ · \d\d:\d\d +id +/mu);
    assert.match(stderr, /^purser-cli-\w+ · \d\d:\d\d: skipped lines: 1 malformed$/mu);
    assert.doesNotMatch(stdout + stderr, /\u001b/u);
  });
});

describe("purser status on what the real CLIs wrote", () => {
  useScratch();

  for (const { generation, scenario, root, facts } of readRecordings())
    it(`${generation} ${scenario}: contexts, compactions and subagents are what was sent`, async () => {
      const { sessions } = await statusOf(["--all"], root);
      for (const fact of facts.sessions) {
        const found = sessions.find(({ id }) => id === fact.id);
        assert.ok(found, fact.id);
        assert.equal(found.compactions, fact.compactions.length);
        assert.deepEqual(
          new Set(found.subagents.map(({ id }) => id)),
          new Set(fact.subagents.map(({ agentId }) => agentId)),
        );
        assert.equal(found.context.tokens, fact.contextTokens);
        const { malformed } = found.skippedLines;
        assert.equal(malformed, undefined);
      }
    });
});

describe("purser status --session", () => {
  useScratch();

  const at = Date.UTC(2026, 10, 10);
  const check = (argv: string[], env: Record<string, string> = {}) =>
    scratch.purser(["status", "--session", ...argv], {
      env: { CLAUDE_CONFIG_DIR: scratch.root, ...env },
      now: () => at,
    });

  it("prints one session's context in plain figures, for an agent to read", async () => {
    scratch.transcript("-argo/5f0c0000-s.jsonl", recentTo(at));
    const { code, stdout } = await check(["5f0c", "--json"]);
    assert.equal(code, 0);
    assert.deepEqual(checkJson.parse(JSON.parse(stdout)), {
      schema: 1,
      session: "5f0c0000-s",
      cli: "claude-code",
      timestamp: "2026-11-10T00:00:00.000Z",
      tokenLimit: 200_000,
      tokensUsed: 60_500,
      tokensRemaining: 139_500,
      percentUsed: 30.25,
      percentRemaining: 69.75,
      provenance: "measured",
      tokensUntilCompaction: 106_200,
      recommendation: "CONTINUE",
      tenTurnsFreshUsd: null,
      tenTurnsUsd: null,
      thresholds: null,
    });
    const own = await check(["current"], { CLAUDE_CODE_SESSION_ID: "5f0c0000-s" });
    assert.equal(
      own.stdout,
      "5f0c0000-s: 60,500 of 200,000 tokens (30%); 106,200 until compaction; CONTINUE\n",
    );
  });

  it("knows Copilot's session from within, also from within a subagent of the only one here", async () => {
    const usage = { inputTokens: 9000, outputTokens: 10, maxPromptTokens: 20_000 };
    const row = (type: string, data: object) =>
      `${JSON.stringify({ type, data, timestamp: new Date(at).toISOString() })}\n`;
    const rows =
      row("session.start", { context: { cwd: scratch.root } }) + row("session.usage_record", { usage });
    writeTree(path.join(scratch.root, ".copilot", "session-state"), { "c-1/events.jsonl": rows });
    const within = (id: string) =>
      check(["current"], { COPILOT_AGENT_SESSION_ID: id, COPILOT_HOME: path.join(scratch.root, ".copilot") });
    const said = "c-1: 9,000 of 20,000 tokens (45%); 6,990 until compaction; CONTINUE\n";
    assert.equal((await within("c-1")).stdout, said);
    assert.equal((await within("7e94f49c")).stdout, said);
    writeTree(path.join(scratch.root, ".copilot", "session-state"), { "c-2/events.jsonl": rows });
    assert.equal((await within("7e94f49c")).code, 1);
  });

  it("reports what it does not find", async () => {
    scratch.transcript("-argo/5f0c0000-s.jsonl", recentTo(at));
    scratch.transcript("-argo/5f0c0000-t.jsonl", recentTo(at));
    for (const [id, said] of [
      ["5f0c", /several sessions begin with "5f0c"/u],
      ["7", /no session of the last week has the ID "7"/u],
      ["current", /no session is live in this folder/u],
    ] as const) {
      const { code, stderr } = await check([id]);
      assert.equal(code, 1);
      assert.match(stderr, said);
    }
  });
});
