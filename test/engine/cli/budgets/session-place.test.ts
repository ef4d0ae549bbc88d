import { assert } from "../../support/assert-texts.ts";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { it, type TestContext } from "node:test";
import {
  budgetCheckJson,
  budgetJson,
  budgetRecordJson,
} from "../../../../src/engine/cli/budgets/budgets-schema.ts";
import { makeLedgerSetup } from "../support/ledger-place.ts";
import { responseRow } from "../support/support.ts";

/** Two projects with a budget each; session s-1 began in a folder of the first, on its branch `fix`. */
async function twoProjects(t: TestContext) {
  const { box, purser } = makeLedgerSetup(t);
  const folderOf = (name: string) => {
    const folder = path.join(box.folder, name);
    mkdirSync(path.join(folder, ".git"), { recursive: true });
    writeFileSync(path.join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
    return folder;
  };
  const [harbor, lagoon] = [folderOf("harbor"), folderOf("lagoon")];
  const began = path.join(harbor, "packages");
  mkdirSync(began);
  const row = responseRow({ id: "1", cwd: began }).replace(
    '"cwd"',
    '"sessionId":"s-1","gitBranch":"fix","cwd"',
  );
  box.transcript("s-1.jsonl", row);
  const run = async (cwd: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    await purser(["budget", ...argv], { cwd, env: { ...box.env, ...env } });
  for (const [cwd, id] of [
    [harbor, "fix"],
    [lagoon, "main"],
  ] as const)
    assert.equal((await run(cwd, ["create", id, "--convoy", "5k", "--agent", "none"])).code, 0);
  return { box, harbor, lagoon, began, run };
}

it("checks a session against its own project and branch, from any folder", async (t) => {
  const { harbor, lagoon, began, run } = await twoProjects(t);
  const argv = ["check", "--session", "s-1", "--tokens", "100"];
  const said = await run(lagoon, argv);
  assert.deepEqual(
    [said.code, said.stderr, said.stdout],
    [0, "", `Allowed: 3,890 tokens left after it\nProject: ${harbor} (session s-1 started there)\n`],
  );
  const { project, convoyId, place } = budgetCheckJson.parse(
    JSON.parse((await run(lagoon, [...argv, "--json"])).stdout),
  );
  assert.deepEqual(
    [project, convoyId, place],
    [harbor, "fix", { from: "session", folder: began, branch: "fix", why: null }],
  );
});

it("A session's usage is recorded, reserved and released in its own project", async (t) => {
  const { harbor, lagoon, run } = await twoProjects(t);
  const own = ["--session", "s-1"];
  const call = [...own, "--agent", "helm", "--tokens", "100"];
  const { lease } = budgetCheckJson.parse(
    JSON.parse((await run(lagoon, ["check", ...call, "--reserve", "--json"])).stdout),
  );
  const leases = async (cwd: string) =>
    budgetJson
      .parse(JSON.parse((await run(cwd, ["report", "--json"])).stdout))
      .budgets.flatMap((budget) => budget.leases?.map(({ id }) => id) ?? []);
  assert.deepEqual([await leases(harbor), await leases(lagoon)], [[lease?.id], []]);
  assert.equal((await run(lagoon, ["release", lease?.id ?? "", ...own])).code, 0);
  assert.deepEqual(await leases(harbor), []);
  const recorded = budgetRecordJson.parse(
    JSON.parse((await run(lagoon, ["record", ...call, "--json"])).stdout),
  );
  assert.deepEqual([recorded.project, recorded.convoyId], [harbor, "fix"]);
});

it("names the current folder and the reason if it does not use the session's own", async (t) => {
  const { box, harbor, lagoon, began, run } = await twoProjects(t);
  const check = async (cwd: string, argv: readonly string[], env?: Readonly<Record<string, string>>) => {
    const { stdout } = await run(cwd, ["check", ...argv, "--tokens", "1", "--json"], env);
    const { project, convoyId, place } = budgetCheckJson.parse(JSON.parse(stdout));
    return { project, convoyId, ...place };
  };
  const here = { project: lagoon, convoyId: "main", folder: lagoon, branch: "main" };
  const unknown = { ...here, from: "cwd", why: "the folder of session s-9 is unknown" };
  assert.deepEqual(await check(lagoon, ["--session", "s-9"]), unknown);
  const { stdout } = await run(lagoon, ["check", "--session", "s-9", "--tokens", "1"]);
  assert.match(
    stdout,
    /^Project: .+lagoon \(the current folder's: the folder of session s-9 is unknown\)$/mu,
  );
  assert.deepEqual(await check(lagoon, ["--agent", "helm"]), { ...here, from: "cwd", why: null });
  const told = ["--session", "s-1", "--cwd", lagoon];
  assert.deepEqual(await check(harbor, told), { ...here, from: "option", why: null });
  const own = { CLAUDE_CODE_SESSION_ID: "s-1" };
  assert.deepEqual(
    await check(lagoon, ["--session", "s-1"], own),
    { project: harbor, convoyId: null, from: "session", folder: began, branch: "main", why: null },
    "asked from inside of the session, its branch is the one it works on now",
  );
  const gone = path.join(box.folder, "gone");
  const row = responseRow({ id: "2", cwd: gone }).replace('"cwd"', '"sessionId":"s-2","cwd"');
  box.transcript("s-2.jsonl", row);
  const lost = { ...here, from: "cwd", why: `${gone}, where session s-2 began, is gone` };
  assert.deepEqual(await check(lagoon, ["--session", "s-2"]), lost);
  rmSync(began, { recursive: true });
  const { project, from } = await check(lagoon, ["--session", "s-1"]);
  assert.deepEqual([project, from], [harbor, "session"], "a folder that is gone is still of its project");
});

it("A session is named by the start of its ID, as elsewhere", async (t) => {
  const { lagoon, harbor, run } = await twoProjects(t);
  const check = ["check", "--tokens", "100"];
  // The first check reads the transcripts.
  await run(lagoon, [...check, "--session", "s-1"]);
  const said = await run(lagoon, [...check, "--session", "s-"]);
  assert.match(said.stdout, new RegExp(`Project: ${harbor} \\(session s-1 started there\\)`, "u"));
  const joined = await run(lagoon, ["join", "main", "--session", "s-"]);
  assert.match(joined.stdout, /Session s-1 joined main/u);
});
