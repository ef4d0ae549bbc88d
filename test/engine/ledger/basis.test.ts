import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import type { LedgerEntry } from "../../../src/engine/ledger/entries/entries-entry.ts";
import { scratchFolder } from "../support/scratch.ts";
import { appendEntries, open, response } from "./support/support.ts";

test("A repository is one project in every answer, whether named by its root, a subfolder, a worktree or a link", async (t) => {
  const folder = scratchFolder(t);
  const at = (name: string) => path.join(folder, name);
  mkdirSync(at("argo/.git/worktrees/fix"), { recursive: true });
  mkdirSync(at("argo/stern"));
  mkdirSync(at("fix"));
  mkdirSync(at("copy/.git"), { recursive: true });
  writeFileSync(at("fix/.git"), `gitdir: ${at("argo/.git/worktrees/fix")}\n`);
  symlinkSync(at("argo"), at("link"), "junction");

  const ledger = await open(t, scratchFolder(t));
  const places = ["argo", "argo/stern", "fix", "link", "copy"].map(at);
  const usage = { input: 1000, output: 100, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 0 };
  await appendEntries(
    ledger,
    ...places.flatMap((cwd, index): LedgerEntry[] => [
      { kind: "session", id: `s${index}`, program: "claude-code", cwd, lastAt: index },
      response(index, { sessionId: `s${index}`, cwd, branch: path.basename(cwd), usage }),
      {
        kind: "run",
        id: `r${index}`,
        sessionId: `s${index}`,
        agent: "main",
        project: cwd,
        endedAt: index + 1,
        completed: true,
        input: 1,
        output: 1,
        cacheCreation: 0,
        cacheRead: 0,
      },
    ]),
  );
  const limits = { since: null, until: null };
  for (const project of places.slice(0, 4)) {
    assert.equal(ledger.ask("usage", { ...limits, by: "day", project }).totals.usage.input, 4000, project);
    const branches = ledger.ask("usage", { ...limits, by: "branch", project }).rows.map(({ key }) => key);
    assert.deepEqual(branches.toSorted(), ["argo", "fix", "link", "stern"]);
    assert.equal(ledger.ask("overview", { ...limits, project, program: null }).sessionCount, 4);
    assert.equal(ledger.ask("sessions", { cwd: project }).length, 4);
    assert.equal(ledger.ask("realRuns", { most: 10, project }).length, 4);
    assert.equal(ledger.ask("ordinaryWork", { since: 0, project })[0]?.sessions, 4);
  }
  const projects = ledger.ask("usage", { ...limits, by: "project" }).rows;
  assert.deepEqual(projects.map(({ key, usage: { input } }) => [key, input]).toSorted(), [
    [at("argo"), 4000],
    [at("copy"), 1000],
  ]);
  const overview = ledger.ask("overview", { ...limits, project: null, program: null });
  assert.deepEqual(overview.choices.projects, [at("argo"), at("copy")]);
  assert.deepEqual(
    ledger.ask("sessions", { cwd: at("copy") }).map(({ id }) => id),
    ["s4"],
  );
});
