import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { usageJson, type UsageJson } from "../../../../src/engine/cli/usage/usage-schema.ts";
import { fillHome, makeLedgerSetup, type LedgerSetup } from "../support/ledger-place.ts";
import { responseRow } from "../support/support.ts";

const questions = [
  ["--by", "day"],
  ["--by", "session"],
  ["--by", "project"],
  ["--by", "model"],
  ["--by", "agent"],
  ["--agent", "codex"],
  ["--agent", "gemini", "--by", "session"],
  ["--by", "model", "--project", "/home/dev/harbor"],
  ["--since", "2026-11-03"],
  ["--until", "2026-11-02", "--by", "agent"],
];

async function ask({ purser }: LedgerSetup, ...argv: string[]): Promise<UsageJson> {
  const { code, stdout, stderr } = await purser(["usage", "--json", ...argv]);
  assert.equal(code, 0, stderr);
  return usageJson.parse(JSON.parse(stdout));
}

describe("purser usage and the service's ledger", { concurrency: true }, () => {
  it("has the same sums from the ledger as from the files, of all agents", async (t) => {
    const place = makeLedgerSetup(t);
    fillHome(place);
    const inFiles = await Promise.all(questions.map((question) => ask(place, ...question)));
    const started = await place.purser(["usage", "--by", "tool"]);
    assert.match(started.stderr, /^(?:Reading \d+ transcripts …\n)?No known price for 2 responses/u);
    assert.match(started.stdout, /^Tool +Model/u);
    assert.match(started.stdout, /\nAs of \d\d:\d\d:\d\d, from the ledger\n$/u);
    for (const [index, question] of questions.entries()) {
      const { rows, totals, undated, source, asOf } = await ask(place, ...question);
      const file = inFiles[index];
      assert.ok(file?.source === "transcripts");
      const asked = question.join(" ");
      assert.deepEqual([totals, undated], [file.totals, file.undated], asked);
      // Only the ledger attributes the turns shared by a session and its fork.
      if (asked !== "--by session") assert.deepEqual(rows, file.rows, asked);
      assert.deepEqual([source, asOf === null], ["ledger", false]);
    }
    const byAgent = inFiles[4]?.rows.map(({ key }) => key) ?? [];
    assert.deepEqual([...new Set(byAgent)], ["claude-code", "codex", "copilot", "gemini"]);
    for (const by of ["branch", "subagent", "tool", "skill", "server"])
      assert.deepEqual((await ask(place, "--by", by)).totals, inFiles[0]?.totals, by);
  });

  it("reads what was just written when it is to be fresh, and other folders by itself", async (t) => {
    const place = makeLedgerSetup(t);
    const file = place.box.transcript("s-1.jsonl", responseRow({ id: "1" }));
    assert.equal((await ask(place, "--by", "branch")).totals.responses, 1);
    for (const id of ["2", "3"]) {
      appendFileSync(file, responseRow({ id }));
      const { totals, source } = await ask(place, "--fresh");
      assert.deepEqual([totals.responses, source], [Number(id), "ledger"]);
    }
    const nothing = await place.purser(["usage", "--since", "2027-01-01"]);
    assert.match(nothing.stdout, /^No responses since 2027-01-01 in the ledger\.\nAs of /u);
    const elsewhere = { env: { ...place.box.env, CLAUDE_CONFIG_DIR: path.join(place.box.folder, "other") } };
    const other = await place.purser(["usage", "--json"], elsewhere);
    const { source, totals } = usageJson.parse(JSON.parse(other.stdout));
    assert.deepEqual([source, totals.responses], ["transcripts", 0]);
    const only = await place.purser(["usage", "--by", "tool"], elsewhere);
    assert.equal(only.code, 1);
    assert.match(
      only.stderr,
      /the service uses another time zone or other folders .+ purser service restart/u,
    );
  });

  it("can be interrupted while it waits, and reports why there is no answer", async (t) => {
    const { purser } = makeLedgerSetup(t);
    const service = { program: "/no-service", execPath: "/no-runtime", isElectron: false };
    const failed = await purser(["usage", "--by", "tool"], { service });
    assert.deepEqual([failed.code, failed.stdout], [1, ""]);
    assert.match(failed.stderr, /^purser usage: \/no-runtime: ENOENT\n$/u);
    // It may leave a service that has just started, which would answer.
    await assert.rejects(purser(["usage", "--by", "tool"], { signal: AbortSignal.abort() }));
  });
});
