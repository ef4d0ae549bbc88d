import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import { promisify } from "node:util";
import * as library from "../../../src/engine/budgets/library.ts";
import { scratchFolder } from "../support/scratch.ts";

const run = promisify(execFile);

function valueOf<Value>(outcome: library.Outcome<Value>): Value {
  assert.ok(outcome.ok, outcome.ok ? "" : `${outcome.reason}: ${outcome.detail}`);
  return outcome.value;
}

const root = path.resolve(import.meta.dirname, "../../..");
const compiler = path.join(root, "node_modules", "typescript", "bin", "tsc");
const names = [
  "createBudget",
  "loadBudget",
  "saveBudget",
  "deleteBudget",
  "listBudgets",
  "checkBudget",
  "recordUsage",
  "getBudgetReport",
].toSorted();

/** The guide's example, which people try first. */
const guide = readFileSync(path.join(root, "media/guide/budgets.md"), "utf8");
const example = /```ts\n(import [^\n]*context-purser\/budget.*?)```/su.exec(guide)?.[1] ?? "";

it("The packed library runs, and is typed, in a separate project without a network", async (t) => {
  const folder = scratchFolder(t);
  const [stage, filePath] = [path.join(folder, "stage"), path.join(folder, "place")];
  for (const each of [path.join(stage, "dist"), filePath]) mkdirSync(each, { recursive: true });
  for (const file of ["package.json", "README.md", "LICENSE", ".npmignore"])
    cpSync(path.join(root, file), path.join(stage, file));
  // The package includes the CLI; nothing here runs it.
  writeFileSync(path.join(stage, "dist", "cli.cjs"), "#!/usr/bin/env node\n");
  await run(process.execPath, ["esbuild.mjs", "--library", path.join(stage, "dist")], { cwd: root });
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const offline = [
    "--offline",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--cache",
    path.join(folder, "cache"),
  ];
  await run(npm, ["pack", "--pack-destination", filePath, ...offline], { cwd: stage });
  const [tarball] = readdirSync(filePath);
  assert.match(tarball ?? "", /^context-purser-.*\.tgz$/u);
  writeFileSync(
    path.join(filePath, "package.json"),
    JSON.stringify({ name: "orchestra", private: true, type: "module" }),
  );
  await run(npm, ["install", `./${tarball}`, ...offline], { cwd: filePath });
  assert.notEqual(example, "", "the guide has an example");
  writeFileSync(path.join(filePath, "example.ts"), example);
  const own = `import * as budgets from "context-purser/budget";
const named: string[] = Object.keys(budgets).toSorted();
const made: budgets.Outcome<budgets.StoredBudget> = await budgets.createBudget({ project: ".", convoyId: "typed" });
// @ts-expect-error no such level
await budgets.createBudget({ project: ".", convoyId: "x", levels: { fleet: { limit: 1, period: "day" } } });
console.log(JSON.stringify([named, made.ok]));
`;
  writeFileSync(path.join(filePath, "own.ts"), own);
  const options = { module: "nodenext", target: "es2023", strict: true, skipLibCheck: false, types: [] };
  const files = ["example.ts", "own.ts"];
  const config = { compilerOptions: { ...options, exactOptionalPropertyTypes: true }, files };
  writeFileSync(path.join(filePath, "tsconfig.json"), JSON.stringify(config));
  await run(process.execPath, [compiler, "-p", filePath]).catch((error: unknown) => {
    assert.fail(error instanceof Error && "stdout" in error ? String(error.stdout) : String(error));
  });
  const env = { ...process.env, PURSER_HOME: path.join(folder, "purser") };
  const node = async (file: string) => (await run(process.execPath, [file], { cwd: filePath, env })).stdout;
  assert.match(await node("example.js"), /^left: 481750 tokens\n$/u);
  assert.deepEqual(JSON.parse(await node("own.js")), [names, true]);
  assert.ok(existsSync(path.join(filePath, ".purser", "budgets", "typed.json")));
});

it("The eight functions do what purser budget does, on the same files", async (t) => {
  const project = scratchFolder(t);
  const home = process.env["PURSER_HOME"];
  process.env["PURSER_HOME"] = path.join(scratchFolder(t), "purser");
  t.after(() => {
    if (home === undefined) delete process.env["PURSER_HOME"];
    else process.env["PURSER_HOME"] = home;
  });
  const levels = { convoy: { limit: 1000, period: "total" }, agent: { limit: 400, period: "day" } } as const;
  const at = { project, convoyId: "fleet" };
  const made = valueOf(
    await library.createBudget({ ...at, levels, warnPercent: 70, members: { branches: ["oars"] } }),
  );
  assert.equal(made.file, path.join(project, ".purser", "budgets", "fleet.json"));
  assert.deepEqual(valueOf(await library.loadBudget(at)), made);
  const again = await library.createBudget(at);
  assert.deepEqual([again.ok, again.ok ? "" : again.reason], [false, "exists"]);
  const asked = { ...at, agentId: "helm", projectedTokens: 300 };
  const free = valueOf(await library.checkBudget(asked));
  assert.deepEqual(
    [free.allowed, free.reason, free.remainingTokens, free.lease, free.text],
    [true, "warning_threshold", 100, null, free.text],
  );
  const { lease } = valueOf(await library.checkBudget({ ...asked, reserve: 60_000 }));
  assert.ok(lease?.tokens === 300);
  const second = valueOf(await library.checkBudget({ ...asked, reserve: true }));
  assert.deepEqual([second.allowed, second.reason, second.lease], [false, "agent_budget_exceeded", null]);
  assert.match(second.text, /purser budget set fleet --agent TOKENS$/u);
  const used = { ...at, agentId: "helm", tokens: 250, leaseId: lease.id };
  assert.deepEqual(valueOf(await library.recordUsage(used)), { tokens: 250, isNew: true, beyondLease: 0 });
  assert.equal(valueOf(await library.recordUsage(used)).isNew, false);
  const total = { ...at, agentId: "oars", sessionId: "s1", tokens: 90, isTotal: true };
  for (const tokens of [90, 80]) await library.recordUsage({ ...total, tokens });
  const report = valueOf(await library.getBudgetReport(at));
  assert.deepEqual(
    report.levels
      .map(({ level, subject, used: tokens, verdict }) => [level, subject, tokens, verdict])
      .toSorted(),
    [
      ["agent", "helm", 250, "ok"],
      ["agent", "oars", 90, "ok"],
      ["convoy", "fleet", 340, "ok"],
    ],
  );
  const changed = { ...made.budget, warnPercent: 60 };
  const saved = valueOf(await library.saveBudget({ project, budget: changed, revision: made.revision }));
  assert.equal(saved.budget.warnPercent, 60);
  const late = await library.saveBudget({ project, budget: changed, revision: made.revision });
  assert.deepEqual([late.ok, late.ok ? "" : late.reason], [false, "changed"]);
  writeFileSync(path.join(project, ".purser", "budgets", "fleet copy.json"), "{}");
  const listed = valueOf(await library.listBudgets({ project: path.join(project, ".") }));
  assert.deepEqual([listed.budgets.length, listed.strays.length], [1, 1]);
  assert.equal(valueOf(await library.deleteBudget(at)), made.file);
  const gone = await library.checkBudget(asked);
  assert.deepEqual([gone.ok, gone.ok ? "" : gone.reason], [false, "not_found"]);
  assert.deepEqual(Object.keys(library).toSorted(), names);
});
