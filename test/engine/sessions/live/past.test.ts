import { assert } from "../../support/assert-texts.ts";
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { findCompactions, inWindows } from "../../../../src/engine/sessions/learn.ts";
import { compactionsOfPast, type PastLimits } from "../../../../src/engine/sessions/live/past.ts";
import { SessionSource } from "../../../../src/engine/sessions/live/sessions-source.ts";
import { SessionView } from "../../../../src/engine/sessions/live/sessions-view.ts";
import { agents, type AgentName, type SessionRoot } from "../../../../src/engine/transcripts/agents.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";
import { makeFifo } from "../../support/make-fifo.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { writeTree } from "../../support/write-tree.ts";
import { began, compacted, ended, estimate, head, prompt } from "../../transcripts/codex/live/event-rows.ts";
import { idAt, meta, response, turn, vector } from "../../transcripts/codex/rollout-rows.ts";
import { viewSettings } from "../support/view-settings.ts";

const recordings = fileURLToPath(new URL("../../../recordings", import.meta.url));
const now = Date.parse("2027-03-01T12:00:00Z");
const day = 24 * 60 * 60_000;
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

/** Each agent's home, with its folders of sessions. */
const kept: Partial<Record<AgentName, readonly string[]>> = {
  codex: ["codex/sessions", "codex/archived_sessions"],
  copilot: ["copilot"],
  gemini: ["gemini/tmp"],
};

function scratchHome(t: TestContext) {
  const home = scratchFolder(t);
  const roots = agents.flatMap(({ name }): SessionRoot[] =>
    (kept[name] ?? []).map((folder) => ({ agent: name, path: path.join(home, folder) })),
  );
  return {
    home,
    roots,
    /** Copies a recording of a real agent. */
    record: (recording: string, to: string) =>
      cpSync(path.join(recordings, recording), path.join(home, to), { recursive: true }),
    write: (tree: Readonly<Record<string, string>>) => writeTree(home, tree),
    /** Sets the age of the files that match. Days. */
    age: (pattern: string, days: number) => {
      const files = globSync(pattern, { cwd: home });
      assert.ok(files.length > 0, pattern);
      const at = (now - days * day) / 1000;
      for (const file of files) utimesSync(path.join(home, file), at, at);
    },
    /** The learned facts: agent, model, window and size of each compaction. */
    learn: async (limits?: Partial<PastLimits>) => {
      const all = { searched: Infinity, read: Infinity, found: Infinity, ...limits };
      const found = await compactionsOfPast({ roots, now }, limits === undefined ? undefined : all);
      return inWindows(found, builtInCatalogue).map(
        ({ agent, model, window, preTokens }) => `${agent} ${model} ${window}: ${preTokens}`,
      );
    },
  };
}

const inCodex = "codex gpt-5.1-codex 258400: 19802";
const fullCodex = "codex gpt-5.1-codex 258400: 258400";
const inCopilot = "copilot claude-sonnet-4-5 20000: 16137";
const inGemini = "gemini gemini-2.5-pro 1048576: 600000";
const withRecordings = (t: TestContext) => {
  const held = scratchHome(t);
  held.record("codex-0.171.0/compaction/sessions", "codex/sessions");
  held.record("codex-0.171.0/subagent/sessions", "codex/sessions");
  held.record("copilot-1.0.102/compaction/session-state", "copilot/session-state");
  held.record("gemini-0.61.0/compression/tmp", "gemini/tmp");
  held.age("codex/**/*.jsonl", 90);
  held.age("copilot/**/*.jsonl", 91);
  held.age("gemini/**/*.jsonl", 92);
  return held;
};

/** A rollout with a compaction at this size, automatic or manual. */
function rollout(second: number, size: number, end: "auto" | "manual") {
  const id = idAt(second);
  const lines = [
    ...head.map((line) => line.replaceAll(idAt(0), id)),
    response(2, id, `r ${second}`, vector(size - 10, 0, 10)),
    ended(3),
    began(4),
    compacted(6),
    estimate(7, 6071),
    end === "auto" ? prompt(8, "Tell its end.") : ended(8),
  ];
  return { [`codex/sessions/2026/11/02/rollout-2026-11-02T09-00-00-${id}.jsonl`]: text(lines) };
}

describe("the past sessions of agents", () => {
  it("show where each compacted by itself, long after they were followed", async (t) => {
    const { learn } = withRecordings(t);
    assert.deepEqual(await learn(), [inCodex, inCopilot, inGemini]);
  });

  it("ignore compactions that were requested or have an unknown cause", async (t) => {
    const { record, write, learn, age } = scratchHome(t);
    record("copilot-1.0.102/compaction-asked/session-state", "copilot/session-state");
    write({ ...rollout(0, 9000, "manual"), ...rollout(60, 8000, "auto") });
    age("{codex,copilot}/**/*.jsonl", 20);
    assert.deepEqual(await learn(), ["codex gpt-5.5 258400: 8000"]);
  });

  it("are ignored after half a year", async (t) => {
    const { age, learn } = withRecordings(t);
    age("copilot/**/*.jsonl", 179);
    age("codex/**/*.jsonl", 181);
    age("gemini/**/*.jsonl", 1000);
    assert.deepEqual(await learn(), [inCopilot]);
  });

  it("are ignored if the agent names no window", async (t) => {
    const { home, learn } = withRecordings(t);
    const [file = ""] = globSync("copilot/**/*.jsonl", { cwd: home });
    const rows = readFileSync(path.join(home, file), "utf8");
    writeFileSync(path.join(home, file), rows.replaceAll(/"maxPromptTokens":\d+/gu, '"maxPromptTokens":0'));
    assert.deepEqual(
      (await learn()).filter((each) => each.startsWith("copilot")),
      [],
    );
  });

  it("include sessions that Codex archived, and only main chains", async (t) => {
    const { record, write, age, learn } = scratchHome(t);
    record("codex-0.171.0/compaction/sessions/2026/11/02", "codex/archived_sessions");
    const spawned = { source: { subagent: { thread_spawn: { parent_thread_id: idAt(0) } } } };
    const opening = text([meta(0, { id: idAt(60), session_id: idAt(0), ...spawned })]);
    for (const [name, rows] of Object.entries(rollout(60, 8000, "auto"))) write({ [name]: opening + rows });
    age("codex/**/*.jsonl", 40);
    assert.deepEqual(await learn(), [inCodex]);
  });

  it("are learned from, whatever else is in the folders", async (t) => {
    const { home, write, age, learn } = withRecordings(t);
    const damaged = [
      '{"type":"compacted","session.compaction_complete":"<state_snapshot>',
      "\0\u{1f30a}\xff",
      "[]\n",
    ];
    const garbage = `${damaged.join("\n")}${'"compacted" session.compaction_complete <state_snapshot>\n'.repeat(9)}`;
    const bare = '{"timestamp":"x","type":"compacted","payload":7}\n{"type":"compacted"}\n';
    const place = "codex/sessions/2026/11/03";
    write({
      [`${place}/rollout-2026-11-03T09-00-00-${idAt(1)}.jsonl`]: garbage,
      [`${place}/rollout-2026-11-03T09-00-00-${idAt(2)}.jsonl`]: bare,
      [`${place}/rollout-2026-11-03T09-00-00-${idAt(3)}.jsonl`]: "",
      [`${place}/rollout-2026-11-03T09-00-00-${idAt(4)}.jsonl.zst`]: garbage,
      [`copilot/session-state/torn/events.jsonl`]: garbage,
      [`copilot/session-state/bare/events.jsonl`]: '{"type":"session.compaction_complete"}\n',
      "gemini/tmp/p/chats/session-2026-11-03T09-00-aaaaaaaa.jsonl": garbage,
      "gemini/tmp/p/chats/session-2026-11-03T09-00-bbbbbbbb.json": garbage,
    });
    age("{codex,copilot,gemini}/**/*.{jsonl,json,zst}", 30);
    mkdirSync(path.join(home, place, `rollout-2026-11-03T09-00-00-${idAt(5)}.jsonl`));
    makeFifo(t, path.join(home, place, `rollout-2026-11-03T09-00-00-${idAt(6)}.jsonl`));
    const locked = path.join(home, place, `rollout-2026-11-03T09-00-00-${idAt(7)}.jsonl`);
    writeFileSync(locked, garbage);
    chmodSync(locked, 0);
    assert.deepEqual((await learn()).toSorted(), [inCodex, inCopilot, inGemini]);
  });

  it("are read from the latest on, until there are enough", async (t) => {
    const { home, record, write, age, learn } = withRecordings(t);
    assert.deepEqual(await learn({ searched: 0 }), []);
    assert.deepEqual(await learn({ read: 0 }), []);
    record("codex-0.171.0/context-full/sessions", "codex/sessions");
    write({ ...rollout(0, 9000, "auto") });
    const [newest, older] = ["codex gpt-5.5 258400: 9000", fullCodex];
    age("codex/**/*050000.jsonl", 5);
    age("codex/**/*-7000-8000-000000000001.jsonl", 4);
    // Each agent has its own share of the results, and all share the bytes.
    assert.deepEqual(await learn({ found: 1 }), [newest, inCopilot, inGemini]);
    assert.deepEqual(await learn({ found: 2 }), [newest, older, inCopilot, inGemini]);
    const both = globSync("codex/**/*-7000-8000-{000000050000,000000000001}.jsonl", { cwd: home });
    const bytes = both.reduce((sum, file) => sum + statSync(path.join(home, file)).size, 0);
    assert.deepEqual(await learn({ read: bytes }), [newest, older]);
    assert.deepEqual(await learn({ searched: bytes }), [newest, older]);
    // A session that is too large does not keep a smaller one out.
    assert.deepEqual((await learn({ read: bytes - 1 })).slice(0, 2), [newest, inCodex]);
  });

  it("show a session of today where it will be compacted", async (t) => {
    const { roots, record, write, age } = scratchHome(t);
    record("codex-0.171.0/compaction/sessions", "codex/sessions");
    age("codex/**/*.jsonl", 90);
    const id = idAt(60);
    const lines = [meta(60, { id }), began(61), turn(61, id, "gpt-5.1-codex"), prompt(61, "Count.")];
    const name = `codex/sessions/2027/03/01/rollout-2027-03-01T09-00-00-${id}.jsonl`;
    write({ [name]: text([...lines, response(62, id, "r", vector(5000, 0, 10))]) });
    age(name, 0);
    const clock = { now: () => now };
    const source = new SessionSource({
      roots,
      clock,
      isAlive: () => false,
      learn: () => findCompactions({ roots, now }),
      onProblem: (message) => assert.fail(message),
    });
    t.after(() => source.dispose());
    const { settings } = viewSettings();
    const ports = { clock, settings, platform: process.platform };
    const view = new SessionView(source, { env: {}, folders: [] }, ports);
    t.after(() => view.dispose());
    const { sessions } = await view.readNow();
    assert.deepEqual(
      sessions.map(({ id: session, headroom: { value, source: from } }) => [session, value, from]),
      [[id, 19_802 - 5010, "learned from 1 of yours"]],
    );
  });

  it("are empty if no agent has a folder", async (t) => {
    assert.deepEqual(await scratchHome(t).learn(), []);
  });
});
