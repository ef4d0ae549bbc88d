import assert from "node:assert/strict";
import { cpSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { countRollouts } from "../../../../src/engine/transcripts/codex.ts";
import { findRollouts } from "../../../../src/engine/transcripts/codex/codex-files.ts";
import { codexRoots } from "../../../../src/engine/transcripts/home-folder.ts";
import { readRollout } from "../../../../src/engine/transcripts/codex/codex-attribution.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";
import { localDays } from "../../../../src/engine/usage/local-day.ts";
import { addUsage, noUsage } from "../../../../src/engine/usage/token-counts.ts";
import { readRecordings, type Sum } from "../../support/recordings.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { open } from "../support/support.ts";
import { collectInto, contentOf, countedBySession } from "./support.ts";

const codexFolder = fileURLToPath(new URL("../../../recordings/codex-0.171.0", import.meta.url));

const sum = z.object({
  responses: z.number(),
  input: z.number(),
  output: z.number(),
  cacheCreation5m: z.number(),
  cacheCreation1h: z.number(),
  cacheRead: z.number(),
});
const session = z.looseObject({ id: z.string(), sum, subagents: z.array(z.looseObject({ sum })) });

describe("recordings of the real agents are collected", () => {
  for (const { generation, scenario, root, facts } of readRecordings()) {
    it(`with exactly the tokens sent: Claude Code ${generation} ${scenario}`, async (t) => {
      const ledger = await open(t, scratchFolder(t));
      const { collector, problems } = collectInto(ledger, "/", { env: { CLAUDE_CONFIG_DIR: root } });
      const { asOf, problems: unread } = await collector.catchUp();
      assert.deepEqual([asOf, unread, problems], [1000, [], []]);
      const counted = countedBySession(ledger);
      for (const each of facts.sessions) {
        const { id, sum: main, subagents } = session.parse(each);
        assert.deepEqual(counted.get(id), sumOf([main, ...subagents.map((agent) => agent.sum)]));
      }
      assert.deepEqual(sumOf([...counted.values()]), sumOf(Object.values(facts.byModel)));
    });
  }

  for (const scenario of readdirSync(codexFolder)) {
    it(`like counts from the files: Codex ${scenario}`, async (t) => {
      const home = path.join(codexFolder, scenario);
      const ledger = await open(t, scratchFolder(t));
      const { collector } = collectInto(ledger, "/", { env: { CODEX_HOME: home } });
      await collector.catchUp();
      const records = countRollouts(codexSessions(home));
      const reported = ledger
        .ask("sessions", {})
        .flatMap(({ id }) => ledger.ask("responses", id))
        .map(({ sessionId, at, model, usage }) => ({ sessionId, at, model, usage }));
      assert.deepEqual(
        reported.sort(byTime),
        records.map(({ sessionId, at, model, usage }) => ({ sessionId, at, model, usage })).sort(byTime),
      );
    });
  }

  for (const scenario of readdirSync(codexFolder)) {
    it(`with runs and tools that add up to all usage: Codex ${scenario}`, async (t) => {
      const ledger = await open(t, scratchFolder(t));
      const { collector } = collectInto(ledger, "/", {
        env: { CODEX_HOME: path.join(codexFolder, scenario) },
      });
      await collector.catchUp();
      const { totals, tools, sessions } = ledger.ask("overview", everything, basis);
      const { input, output, cacheCreation5m } = totals.usage;
      assert.deepEqual(
        tools.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
        totals.usage,
      );
      const runs = sessions.flatMap(({ id }) => ledger.ask("sessionPage", id, basis)?.runs ?? []);
      const ofRuns = runs.reduce((sum, { processingTokens }) => sum + processingTokens, 0);
      assert.equal(ofRuns, input + output + cacheCreation5m);
      const calls = tools.flatMap(({ key, calls: made }) => (key === null ? [] : [`${key} ${made}`]));
      assert.deepEqual(calls.sort(), codexCalls[scenario] ?? []);
    });
  }

  it("with forks and subagents of Codex linked to their parents", async (t) => {
    const ledger = await open(t, scratchFolder(t));
    const { collector } = collectInto(ledger, "/", { env: { CODEX_HOME: path.join(codexFolder, "fork") } });
    await collector.catchUp();
    const parents = ledger.ask("sessions", {}).map(({ parentId }) => parentId !== null);
    assert.deepEqual(parents.sort(), [false, true, true]);
    for (const { program, cwd } of ledger.ask("sessions", {}))
      assert.deepEqual([program, cwd], ["codex", "/home/dev/harbor"]);
  });

  it("with the limits of the plan", async (t) => {
    const ledger = await open(t, scratchFolder(t));
    const home = path.join(codexFolder, "tool-loop");
    await collectInto(ledger, "/", { env: { CODEX_HOME: home } }).collector.catchUp();
    const content = await contentOf(ledger);
    const limits = content.filter((line) => line.includes(`"name":"codex primary"`));
    assert.ok(limits.length > 0 && limits.every((line) => line.includes(`"used_percent":12.5`)));
  });

  it("once, however one session's files are copied and moved", async (t) => {
    const [folder, ledgerFolder] = [scratchFolder(t), scratchFolder(t)];
    const ledger = await open(t, ledgerFolder);
    for (const file of ["codex/sessions", "codex/archived_sessions"]) {
      const from = path.join(codexFolder, "fork", "sessions");
      cpSync(from, path.join(folder, file), { recursive: true });
      await collectInto(ledger, folder).collector.catchUp();
    }
    assert.equal(countedBySession(ledger).size, 3);
    const records = countRollouts(codexSessions(path.join(codexFolder, "fork")));
    const responses = [...countedBySession(ledger).values()].map((each) => each.responses);
    assert.equal(
      responses.reduce((sum, each) => sum + each, 0),
      records.length,
    );
  });
});

const basis = { catalogue: builtInCatalogue, dayOf: localDays() };
const everything = { since: null, until: null, project: null, program: null };
const codexCalls: Readonly<Record<string, readonly string[]>> = {
  subagent: ["exec_command 1", "spawn_agent 1", "wait_agent 1"],
  "tool-loop": ["exec_command 2"],
};

function codexSessions(home: string) {
  const { files } = findRollouts(codexRoots({ env: { CODEX_HOME: home }, home: "/" }));
  return files.flatMap((file) => {
    const reading = readRollout(file.path);
    return reading.ok ? [reading.value] : assert.fail(reading.detail.text);
  });
}

function byTime(one: { at: number | null; sessionId: string }, other: typeof one): number {
  return (one.at ?? 0) - (other.at ?? 0) || (one.sessionId < other.sessionId ? -1 : 1);
}

function sumOf(parts: readonly Sum[]): Sum {
  const add = (one: Sum, other: Sum) => ({
    ...addUsage(one, other),
    responses: one.responses + other.responses,
  });
  return parts.reduce(add, { ...noUsage, responses: 0 });
}
