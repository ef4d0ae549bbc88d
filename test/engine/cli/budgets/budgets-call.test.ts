import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import {
  budgetCheckJson,
  budgetJson,
  budgetRecordJson,
  type BudgetCheckJson,
  type BudgetRecordJson,
} from "../../../../src/engine/cli/budgets/budgets-schema.ts";
import { jsonSchemaOf } from "../../support/json-schema.ts";
import { Scratch } from "../support/support.ts";

const noon = new Date(2026, 10, 18, 12).getTime();

async function placeFor(t: TestContext, ...limits: string[]) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  mkdirSync(path.join(scratch.root, ".git"));
  const time = { now: noon };
  const purser = (...argv: string[]) => scratch.purser(["budget", ...argv], { now: () => time.now });
  const check = async (...argv: string[]): Promise<BudgetCheckJson> =>
    budgetCheckJson.parse(JSON.parse((await purser("check", ...argv, "--json")).stdout));
  const record = async (...argv: string[]): Promise<BudgetRecordJson> =>
    budgetRecordJson.parse(JSON.parse((await purser("record", ...argv, "--json")).stdout));
  assert.equal((await purser("create", "fleet", ...limits)).code, 0);
  return { scratch, time, purser, check, record };
}

describe("purser budget check", { concurrency: true }, () => {
  it("answers by its exit code, in words, and in JSON", async (t) => {
    const { purser, check } = await placeFor(t, "--convoy", "1000", "--agent", "400");
    const yes = await purser("check", "fleet", "--agent", "helm", "--tokens", "300");
    assert.deepEqual([yes.code, yes.stdout, yes.stderr], [0, "Allowed: 100 tokens left after it\n", ""]);
    const near = await purser("check", "fleet", "--agent", "helm", "--tokens", "350");
    assert.equal(near.code, 0);
    assert.match(
      near.stdout,
      /^Allowed\. This call would nearly use up a budget: the agent "helm" of session helm has used 0 of 400 tokens in total; this call is projected at 350 \(given by the caller\)/u,
    );
    const no = await purser("check", "fleet", "--agent", "helm", "--tokens", "401");
    assert.equal(no.code, 3);
    assert.match(
      no.stdout,
      /^Not allowed\. This call would pass a budget: the agent "helm" of session helm has used 0 of 400 tokens in total; this call is projected at 401 \(given by the caller\)\. To raise it: purser budget set fleet --agent TOKENS\n$/u,
    );
    const answer = await check("fleet", "--agent", "helm", "--tokens", "401");
    assert.deepEqual(
      [
        answer.allowed,
        answer.reason,
        answer.remainingTokens,
        answer.level,
        answer.projected.tokens,
        answer.lease,
      ],
      [false, "agent_budget_exceeded", 0, "agent", 401, null],
    );
    assert.deepEqual(
      answer.levels.map(({ level, verdict, subject, sessionId }) => [level, verdict, subject, sessionId]),
      [
        ["agent", "exceeded", "helm", "helm"],
        ["convoy", "ok", "fleet", null],
      ],
    );
  });

  it("sets aside what it allows, so that simultaneous calls never pass a limit", async (t) => {
    const { purser, check, record, time } = await placeFor(t, "--convoy", "1000", "--agent", "none");
    const asked = await Promise.all(
      ["a", "b", "c", "d"].map((agent) => check("fleet", "--agent", agent, "--tokens", "300", "--reserve")),
    );
    const leases = asked.flatMap(({ lease, allowed }) => {
      assert.equal(allowed, lease !== null);
      return lease ?? [];
    });
    assert.equal(leases.length, 3);
    const [first, second] = leases;
    assert.equal(first?.expiresAt, new Date(noon + 600_000).toISOString());
    const settled = ["fleet", "--agent", "a", "--tokens", "350", "--lease", first.id];
    assert.deepEqual((await record(...settled)).beyondLease, 50);
    assert.deepEqual(
      [(await record(...settled)).isNew, (await record(...settled)).beyondLease],
      [false, null],
    );
    assert.equal((await purser("release", second?.id ?? "")).code, 0);
    assert.equal(
      (await check("fleet", "--agent", "e", "--tokens", "1")).remainingTokens,
      1000 - 350 - 300 - 1,
    );
    time.now += 600_001;
    assert.equal((await check("fleet", "--agent", "e", "--tokens", "1")).remainingTokens, 1000 - 350 - 1);
  });

  it("finds the group by session or branch, and estimates tokens that are not given", async (t) => {
    const { scratch, purser, check } = await placeFor(t, "--convoy", "100k");
    writeFileSync(path.join(scratch.root, ".git", "HEAD"), "ref: refs/heads/fleet\n");
    assert.deepEqual([(await check("--agent", "helm", "--tokens", "1")).convoyId], ["fleet"]);
    writeFileSync(path.join(scratch.root, ".git", "HEAD"), "ref: refs/heads/main\n");
    assert.equal((await check("--agent", "helm", "--tokens", "1")).convoyId, null);
    await purser("join", "fleet", "--session", "s-1");
    const { convoyId, agentId, projected } = await check("--session", "s-1", "--type", "Explore");
    assert.deepEqual(
      [convoyId, agentId, projected.tokens, projected.basis],
      ["fleet", "main", 20_000, "default"],
    );
    assert.match(projected.source.text, /completed runs of Explore/u);
  });

  it("prints one line: exit code 2 for wrong arguments, 1 if there is no answer", async (t) => {
    const { purser, scratch } = await placeFor(t);
    for (const argv of [
      ["check"],
      ["check", "fleet"],
      ["check", "fleet", "--agent", "a", "--tokens", "-1"],
      ["check", "fleet", "--agent", "a", "--tokens", "1.5"],
      ["check", "fleet", "--agent", "a", "--reserve", "--for", "0"],
      ["check", "../x", "--agent", "a", "--tokens", "1"],
      ["record", "fleet", "--agent", "a"],
      ["record", "fleet", "--agent", "a", "--tokens", "many"],
      ["record", "fleet", "--agent", "a", "--tokens", "1", "--total", "--lease", "x"],
      ["record", "fleet", "--agent", "x".repeat(201), "--tokens", "1"],
      ["release"],
    ]) {
      const { code, stdout, stderr } = await purser(...argv);
      assert.deepEqual([code, stdout], [2, ""], argv.join(" "));
      assert.match(stderr, /^purser budget.*: .+\n$/u);
    }
    const unknown = await purser("check", "nobody", "--agent", "a", "--tokens", "1");
    assert.deepEqual([unknown.code, unknown.stderr.includes("purser budget create nobody")], [1, true]);
    writeFileSync(path.join(scratch.root, ".purser", "budgets", "fleet.json"), "{");
    assert.equal((await purser("check", "fleet", "--agent", "a", "--tokens", "1")).code, 1);
    assert.equal(
      (await purser("record", "fleet", "--agent", "a", "--tokens", "1")).code,
      0,
      "a fact is a fact",
    );
  });
});

describe("purser budget record", { concurrency: true }, () => {
  it("adds calls up, accepts growing totals, and separates runs", async (t) => {
    const { purser, record } = await placeFor(t, "--convoy", "1000/day", "--agent", "500/run");
    const call = ["fleet", "--agent", "helm", "--run", "r1"];
    await record(...call, "--tokens", "30");
    assert.equal((await record(...call, "--tokens", "12")).isNew, true);
    assert.equal((await record(...call, "--tokens", "100", "--total")).isNew, true);
    assert.equal((await record(...call, "--tokens", "90", "--total")).isNew, false);
    await record("fleet", "--agent", "helm", "--run", "r2", "--tokens", "7");
    const said = await purser("record", "fleet", "--agent", "oars", "--tokens", "1");
    assert.equal(said.stdout, "Recorded 1 tokens of oars\n");
    const report = budgetJson.parse(JSON.parse((await purser("report", "fleet", "--json")).stdout));
    assert.deepEqual(
      report.budgets[0]?.standings?.map(({ level, runId, used }) => [level, runId, used]).toSorted(),
      [
        ["agent", "oars", 1],
        ["agent", "r1", 100],
        ["agent", "r2", 7],
        ["convoy", null, 108],
      ],
    );
  });

  it("counts a session only once if the ledger reports it too", async (t) => {
    const { scratch, record, check } = await placeFor(t, "--convoy", "1000");
    await record("fleet", "--agent", "main", "--session", "s-1", "--tokens", "100");
    const { FileSpending } = await import("../../../../src/engine/budgets/spending/spending-file.ts");
    const { nodeFiles } = await import("../../../../src/engine/base/disk/file-port.ts");
    const own = {
      project: scratch.root,
      files: nodeFiles,
      unique: () => "u",
      pause: () => Promise.resolve(),
    };
    const row = {
      agentId: "main",
      type: null,
      branch: "fleet",
      day: "2026-11-18",
      tokens: 130,
      ofRun: 0,
      at: null,
    };
    const session = {
      sessionId: "s-1",
      program: null,
      cwd: null,
      branch: null,
      runSince: null,
      mainAt: null,
    };
    await new FileSpending(own).writeTotals("test", [{ ...session, agents: [row] }]);
    assert.equal((await check("fleet", "--agent", "x", "--tokens", "1")).remainingTokens, 1000 - 130 - 1);
  });
});

it("purser budget list reports files that are not budgets, and still succeeds", async (t) => {
  const { scratch, purser } = await placeFor(t);
  const stray = path.join(scratch.root, ".purser", "budgets", "everything copy.json");
  writeFileSync(stray, "{}");
  const { code, stdout, stderr } = await purser("list");
  assert.deepEqual([code, stdout.includes("fleet")], [0, true]);
  assert.match(stderr, /^purser budget: .+everything copy\.json is no budget and limits nothing: .+\n$/u);
  const listed = budgetJson.parse(JSON.parse((await purser("list", "--json")).stdout));
  assert.deepEqual([listed.strays.map(({ file }) => file), listed.faults], [[stray], []]);
});

for (const [name, schema] of [
  ["check", budgetCheckJson],
  ["record", budgetRecordJson],
] as const)
  it(`media/schemas describes \`purser budget ${name} --json\` prints; UPDATE_GOLDEN=1 writes it again`, async () => {
    const file = fileURLToPath(
      new URL(`../../../../media/schemas/budget-${name}.schema.json`, import.meta.url),
    );
    const style = { ...(await resolveConfig(file)), filepath: file };
    const text = await format(JSON.stringify(jsonSchemaOf(schema)), style);
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(file, text);
    assert.equal(readFileSync(file, "utf8"), text);
  });
