import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { nodeFiles } from "../../../../src/engine/base/disk/file-port.ts";
import { FileSpending } from "../../../../src/engine/budgets/spending/spending-file.ts";
import { reserveTokens } from "../../../../src/engine/budgets/spending/leases.ts";
import { recordUsage } from "../../../../src/engine/budgets/spending/record-usage.ts";
import { budgetJson, type BudgetJson } from "../../../../src/engine/cli/budgets/budgets-schema.ts";
import { jsonSchemaOf } from "../../support/json-schema.ts";
import { Scratch } from "../support/support.ts";
import { callOf, portsOn, valueOf } from "../../budgets/support/ports.ts";

function placeFor(t: TestContext) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  mkdirSync(path.join(scratch.root, ".git"));
  const now = () => new Date(2026, 10, 18, 12).getTime();
  const purser = (...argv: string[]) => scratch.purser(["budget", ...argv], { now });
  const json = async (...argv: string[]): Promise<BudgetJson> =>
    budgetJson.parse(JSON.parse((await purser(...argv, "--json")).stdout));
  const file = (id: string) => path.join(scratch.root, ".purser", "budgets", `${id}.json`);
  return { root: scratch.root, scratch, purser, json, file };
}

describe("purser budget's convoys", { concurrency: true }, () => {
  it("adds the given branches and joined sessions, each to one group only", async (t) => {
    const { purser, json } = placeFor(t);
    await purser("create", "fleet", "--branch", "oars/*, helm");
    await purser("create", "checkout");
    const members = async (id: string) => (await json("show", id)).budgets[0]?.members;
    assert.deepEqual(await members("fleet"), { branches: ["oars/*", "helm"], sessions: [] });
    const joined = await purser("join", "fleet", "--session", "s-1");
    assert.match(joined.stdout, /branches oars\/\*, helm; 1 joined.*\nSession s-1 joined fleet\n$/su);
    await purser("join", "checkout", "--session", "s-1");
    assert.deepEqual((await members("fleet"))?.sessions, []);
    assert.deepEqual((await members("checkout"))?.sessions, ["s-1"]);
    await purser("set", "checkout", "--agent", "5k");
    assert.deepEqual((await members("checkout"))?.sessions, ["s-1"]);
    assert.match((await purser("leave", "checkout", "--session", "s-1")).stdout, /s-1 left checkout/u);
    await purser("set", "fleet", "--branch", "none");
    assert.deepEqual(await members("fleet"), { branches: [], sessions: [] });
  });

  it("takes limits on subagents, keeps them with others, and removes them", async (t) => {
    const { purser, json } = placeFor(t);
    const fanOut = async () => (await json("show", "fleet")).budgets[0]?.fanOut;
    await purser("create", "fleet", "--at-once", "10", "--per-prompt", "40", "--ask-models", "opus, fable");
    assert.deepEqual(await fanOut(), { atOnce: 10, perPrompt: 40, models: ["opus", "fable"] });
    assert.match(
      (await purser("set", "fleet", "--depth", "2", "--at-once", "none")).stdout,
      /fleet asks before subagents beyond: 40 of a prompt; depth 2; not on opus, fable/u,
    );
    await purser("set", "fleet", "--agent", "5k");
    assert.deepEqual(await fanOut(), { perPrompt: 40, depth: 2, models: ["opus", "fable"] });
    await purser("set", "fleet", "--depth", "none", "--per-prompt", "none", "--ask-models", "none");
    assert.equal(await fanOut(), null);
    for (const wrong of ["0", "-1", "1.5", "1001", "many"])
      assert.match(
        (await purser("set", "fleet", "--depth", wrong)).stderr,
        /--depth takes a whole number from 1 to 1000/u,
      );
  });

  it("takes limits in dollars and credits, and explains a wrong one", async (t) => {
    const { purser, json } = placeFor(t);
    const created = await purser("create", "fleet", "--group", "5usd/day", "--agent", "300 credits");
    assert.match(created.stdout, /used so far: group \$0\.00 of \$5\.00 today|Earlier usage is counted/u);
    const record = ["record", "fleet", "--agent", "helm", "--tokens", "1000", "--usd", "3.10"];
    assert.equal((await purser(...record)).code, 0);
    assert.match((await purser("report", "fleet")).stdout, /\$3\.10 +\$0\.00 +\$5\.00 +\$1\.90 +62%/u);
    assert.match((await purser("list")).stdout, /\$5\.00\/day +300 credits\/total/u);
    const check = ["check", "fleet", "--agent", "helm", "--tokens", "10", "--usd"];
    const denied = await purser(...check, "2");
    assert.equal(denied.code, 3);
    assert.match(denied.stdout, /has used \$3\.10 of \$5\.00 today; this call is projected at \$2\.00/u);
    assert.match((await purser(...check, "1")).stdout, /^Allowed\. This call would nearly use up a budget/u);
    assert.deepEqual((await json("show", "fleet")).budgets[0]?.levels.convoy, {
      amount: 5,
      unit: "usd",
      period: "day",
    });
    for (const wrong of ["5eur", "-5usd", "NaN", "0usd", "$"]) {
      const set = await purser("set", "fleet", "--group", wrong);
      assert.equal(set.code, 2);
      assert.match(set.stderr, /--convoy takes tokens such as 500000, .+ dollars such as 5usd .+, not /u);
    }
    assert.equal((await purser(...check, "-1")).code, 2);
  });

  it("requires the session and a budget", async (t) => {
    const { purser } = placeFor(t);
    const which = await purser("join", "fleet");
    assert.deepEqual([which.code, which.stderr.includes("--session ID")], [2, true]);
    assert.equal((await purser("join", "fleet", "--session", "s-1")).code, 1);
    assert.equal((await purser("create", "fleet", "--branch", "x".repeat(201))).code, 2);
  });
});

describe("purser budget", { concurrency: true }, () => {
  it("creates, shows, lists, changes and deletes", async (t) => {
    const { purser, json, file } = placeFor(t);
    assert.match(
      (await purser("list")).stdout,
      /^No budgets in .+; create one with purser budget create ID\n$/u,
    );
    const created = await purser("create", "fleet", "--project", "2M/month", "--warn", "70");
    assert.deepEqual([created.code, created.stderr], [0, ""]);
    assert.match(created.stdout, /fleet +2,000,000\/month +300,000\/total +100,000\/total +– +70%/u);
    const [budget] = (await json("show", "fleet")).budgets;
    assert.deepEqual(budget?.levels, {
      session: null,
      agent: { amount: 100_000, unit: "tokens", period: "total" },
      convoy: { amount: 300_000, unit: "tokens", period: "total" },
      project: { amount: 2_000_000, unit: "tokens", period: "month" },
    });
    await purser("set", "fleet", "--agent", "none", "--convoy", "1.5M", "--session=50_000/run");
    const changed = (await json("list")).budgets[0];
    assert.deepEqual(changed?.levels, {
      session: { amount: 50_000, unit: "tokens", period: "run" },
      agent: null,
      convoy: { amount: 1_500_000, unit: "tokens", period: "total" },
      project: { amount: 2_000_000, unit: "tokens", period: "month" },
    });
    assert.equal(changed.warnPercent, 70);
    await purser("set", "fleet", "--period", "week");
    assert.equal((await json("show", "fleet")).budgets[0]?.levels.session?.period, "week");
    const deleted = await purser("delete", "fleet");
    assert.deepEqual(
      [deleted.code, deleted.stdout],
      [0, `Deleted ${file("fleet")}; past spending stays counted\n`],
    );
    assert.deepEqual((await json("list")).budgets, []);
  });

  it("reports what was used and is set aside", async (t) => {
    const { root, purser, json } = placeFor(t);
    await purser("create", "fleet", "--group", "100/day", "--agent", "50/run");
    const idle = (await purser("report")).stdout;
    assert.match(idle, /Group +fleet +0 +0 +100 +100 +0% +today, from 2026-11-18 +ok/u);
    assert.match(idle, /Agent +each +0 +0 +50 +50 +0% +in this run +ok/u);
    let ids = 0;
    const own = {
      project: root,
      files: nodeFiles,
      unique: () => `lease${(ids += 1)}`,
      pause: () => Promise.resolve(),
    };
    const ports = portsOn(nodeFiles, { ...own, spending: new FileSpending(own) });
    valueOf(await recordUsage({ call: callOf(), usage: 45, as: { kind: "total" } }, ports));
    valueOf(
      await recordUsage(
        { call: callOf({ agentId: "\u001b[31moars" }), usage: 60, as: { kind: "total" } },
        ports,
      ),
    );
    const { stdout } = await purser("report", "fleet");
    assert.match(stdout, /Group +fleet +105 +0 +100 +0 +105% +today.+ exceeded/u);
    assert.match(stdout, /Agent +oars of s1 +60 +0 +50 +0 +120% +run of s1 +exceeded/u);
    assert.match(stdout, /Agent +helm of s1 +45 +0 +50 +5 +90% +run of s1 +warning/u);
    await purser("set", "fleet", "--group", "1000");
    valueOf(await reserveTokens(callOf({ projectedTokens: 5 }), ports));
    assert.match(
      (await purser("report")).stdout,
      /5 tokens are reserved for one call; the next reservation ends at 12:10:00\n$/u,
    );
    const [reported] = (await json("report", "fleet")).budgets;
    assert.deepEqual(
      reported?.leases?.map(({ agentId, tokens }) => [agentId, tokens]),
      [["helm", 5]],
    );
    assert.equal(reported.standings?.find(({ subject }) => subject === "helm")?.remaining, 0);
  });

  it("finds the project from a folder in it, and from another worktree", async (t) => {
    const { root, scratch, purser, json } = placeFor(t);
    await purser("create", "fleet");
    const inner = path.join(root, "src", "deep");
    mkdirSync(inner, { recursive: true });
    const other = path.join(root, "..", `${path.basename(root)}-tree`);
    const tree = path.join(root, "trees", "fix");
    mkdirSync(tree, { recursive: true });
    writeFileSync(path.join(tree, ".git"), `gitdir: ${path.join(root, ".git", "worktrees", "fix")}\n`);
    for (const cwd of [inner, tree]) assert.equal((await json("list", "--cwd", cwd)).budgets.length, 1, cwd);
    const elsewhere = await scratch.purser(["budget", "show", "fleet", "--cwd", other]);
    assert.equal(elsewhere.code, 1);
  });

  it("stops at a damaged file, names it with a remedy, and shows the others", async (t) => {
    const { purser, json, file } = placeFor(t);
    await purser("create", "fleet");
    await purser("create", "other");
    writeFileSync(file("fleet"), readFileSync(file("fleet"), "utf8").replace("300000", "600000"));
    const shown = await purser("show", "fleet");
    assert.deepEqual([shown.code, shown.stdout], [1, ""]);
    assert.match(
      shown.stderr,
      /^purser budget: .+fleet\.json cannot be used: .+--accept takes it as it is.+\n$/u,
    );
    const listed = await purser("list");
    assert.deepEqual([listed.code, listed.stdout.includes("other"), listed.stderr], [1, true, shown.stderr]);
    assert.deepEqual(
      (await json("list")).faults.map(({ reason }) => reason),
      ["corrupt"],
    );
    for (const argv of [["report"], ["report", "other"], ["set", "fleet", "--warn", "90"]]) {
      const { code, stderr } = await purser(...argv);
      // The report contains the same message without a service.
      assert.deepEqual([code, stderr.includes(shown.stderr)], [1, true], argv.join(" "));
    }
    assert.equal((await purser("set", "fleet", "--accept")).code, 0);
    assert.equal((await json("show", "fleet")).budgets[0]?.levels.convoy?.amount, 600_000);
    writeFileSync(file("fleet"), "");
    assert.match((await purser("set", "fleet", "--accept")).stderr, /it is empty.+create it again/u);
    assert.equal((await purser("delete", "fleet")).code, 0);
    assert.equal((await purser("list")).code, 0);
  });

  it("answers one line and 1 when it cannot be done", async (t) => {
    const { purser } = placeFor(t);
    await purser("create", "fleet");
    for (const argv of [
      ["create", "fleet"],
      ["show", "x"],
      ["delete", "x"],
      ["report", "x"],
      ["set", "x", "--warn", "9"],
    ]) {
      const { code, stdout, stderr } = await purser(...argv);
      assert.deepEqual([code, stdout], [1, ""], argv.join(" "));
      assert.match(stderr, /^purser budget: .+purser budget (?:create|set)(?: .+)?\n$/u);
    }
  });

  it("prints one line with exit code 2 for wrong arguments, and writes nothing", async (t) => {
    const { root, purser } = placeFor(t);
    const wrong = [
      ["begin"],
      ["create"],
      ["create", "../x"],
      ["create", "CON"],
      ["create", "Fleet"],
      ["create", "fleet", "--agent", "many"],
      ["create", "fleet", "--agent", "0"],
      ["create", "fleet", "--agent", "0.0001k"],
      ["create", "fleet", "--agent", "1k/year"],
      ["create", "fleet", "--warn", "101"],
      ["create", "fleet", "--period", "year"],
      ["create", "fleet", "--agent", "none", "--convoy", "none"],
      ["set", "fleet"],
      ["set", "fleet", "--accept", "--warn", "9"],
      ["list", "fleet"],
      ["show", "--json"],
      ["show", "fleet", "--nope"],
    ];
    for (const argv of wrong) {
      const { code, stdout, stderr } = await purser(...argv);
      assert.deepEqual([code, stdout], [2, ""], argv.join(" "));
      assert.match(stderr, /^purser budget.*: .+\n$/u);
    }
    assert.deepEqual(readdirSync(root), [".git"]);
    assert.equal((await purser()).code, 0);
    assert.match((await purser("--help")).stdout, /^purser budget: /u);
    assert.match((await purser("set", "--help")).stdout, /^purser budget: /u);
  });
});

it("media/schemas describes the output of `purser budget --json`; UPDATE_GOLDEN=1 writes it again", async () => {
  const file = fileURLToPath(new URL("../../../../media/schemas/budget.schema.json", import.meta.url));
  const style = { ...(await resolveConfig(file)), filepath: file };
  const schema = await format(JSON.stringify(jsonSchemaOf(budgetJson)), style);
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(file, schema);
  assert.equal(readFileSync(file, "utf8"), schema);
});
