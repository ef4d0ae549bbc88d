import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { rulesJson } from "../../../src/engine/cli/rules/rules-schema.ts";
import { selectJson } from "../../../src/engine/cli/rules/select-schema.ts";
import { trialJson } from "../../../src/engine/cli/rules/trial-command.ts";
import { isGiven } from "../../../src/engine/rules/trial/assign.ts";
import { sessionsPerUpdate } from "../../../src/engine/rules/trial/pace.ts";
import { driveClaude } from "../drive.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";
import { roleOf, sessionOf } from "../stand-in/role.ts";
import type { SeenRequest } from "../stand-in/request.ts";
import { startStandIn, type Script, type StandIn } from "../stand-in/stand-in.ts";
import { copyOf } from "./model.ts";
import { makeBenchWorkspace, type BenchWorkspace } from "./workspace.ts";

/**
 * The whole way of rules with the real Claude Code, against a stand-in of its API that plays what each rule does: tried in real
 * sessions by adaptive draws, measured on golden tasks until that pays no more, let in, and read by the agent.
 */

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const program = installed.ok ? installed.value : "";
const options = { skip: installed.ok ? false : installed.detail.text, timeout: 300_000 };

const model = "claude-sonnet-4-6";
const machine = "own";
const played = [
  { text: "Search once with one pattern for all names you need.", saves: 0.5 },
  { text: "End every file with one empty line.", saves: 0 },
  { text: "Read each file again after you have changed it.", saves: -1 },
] as const;
const maxAttempts = 4;
/** Processing tokens of a run or a session without any rule. */
const usual = 60_000;

/** Plays a model whose tokens depend on the rules in its context alone. It writes the file that the prompt names, if any. */
const script: Script = (request) => {
  if (roleOf(request) !== "main") return says('{"title": "A title"}', usageOf(1, 0, 0, 1));
  const tokens = playedIn(request).reduce((left, { saves }) => left * (1 - saves), usual);
  const task = /src\/(\w+)\.txt/u.exec(request.firstText)?.[1];
  if (task === undefined || request.lastContent.includes("tool_result"))
    return says("Done.", usageOf(0, Math.round(tokens) - 50, 900, 50));
  const file_path = `${copyOf(request)}/src/${task}.txt`;
  return calls("Write", { file_path, content: "done\n" }, usageOf(0, 0, 900, 0));
};

function playedIn({ systemText, allContent }: SeenRequest): readonly (typeof played)[number][] {
  return played.filter(({ text }) => `${systemText}\n${allContent}`.includes(text));
}

let standIn: StandIn;
let workspace: BenchWorkspace;
let config: string;
/** Folder of the agent under its own name. */
let bin: string;
/** Of the played rules, in their order. */
let ids: string[] = [];

before(async () => {
  bin = await mkdtemp(path.join(tmpdir(), "purser-bin-"));
  await symlink(program, path.join(bin, "claude"));
  standIn = await startStandIn({ tag: "worth", lifeMs: 300_000 });
  standIn.setScript(script);
  workspace = await makeBenchWorkspace(["one", "two"], {
    ANTHROPIC_BASE_URL: standIn.url,
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CODE_MAX_RETRIES: "0",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    PURSER_IDLE_MINUTES: "2",
    PATH: [bin, process.env["PATH"]].join(path.delimiter),
  });
  config = path.join(workspace.root, "user", ".claude");
  await mkdir(path.join(config, "agents"), { recursive: true });
  const definition = path.join(workspace.folder, ".purser", "golden", "agents", "backend.md");
  await copyFile(definition, path.join(config, "agents", "backend.md"));
  const home = workspace.homeOf(machine);
  await mkdir(home, { recursive: true });
  const settings = { hookPosting: "always", continuityStart: "off" };
  await writeFile(path.join(home, "settings.json"), JSON.stringify(settings));
});
after(async () => {
  await workspace.remove();
  await rm(bin, { recursive: true });
  await standIn.close();
});

test(
  "a rule that saves is drawn more often, found worth having, let in and read; one that costs is not",
  options,
  async (t) => {
    await purser("service", "restart");
    await purser("hooks", "install", "--yes");
    ids = [];
    for (const { text } of played) {
      const added = await purser("rules", "add", "backend", "--rule", text);
      ids.push(/^(r[0-9a-f]{10}) /u.exec(added)?.[1] ?? assert.fail(added));
    }
    for (const id of ids) await purser("rules", "approve", id);
    const [saver = "", idle = "", costly = ""] = ids;

    // Real work: each set of the rules in one session, by ids of sessions that draw it, and two more for the first update.
    const begun = await purser("trial", "start", "backend", "--project", ".", "--yes", "--json");
    const trial = trialJson.parse(JSON.parse(begun)).trials?.[0]?.id ?? assert.fail(begun);
    for (let number = 0; number < sessionsPerUpdate; number += 1) {
      const wanted = ids.filter((_, bit) => ((number >> bit) & 1) === 1);
      await workWith(trial, wanted, (session) =>
        ids.every((rule) => isGiven(trial, session, rule) === wanted.includes(rule)),
      );
    }
    const tried = await statusOf(trial);
    const counted = tried.drawn.filter(({ leftOut }) => leftOut === null);
    assert.deepEqual(
      counted.map(({ completed }) => completed),
      Array.from({ length: sessionsPerUpdate }, () => 1),
    );
    const believed = ids.map((id) => tried.rules.find((rule) => rule.id === id) ?? assert.fail(id));
    t.diagnostic(
      `real work: ${believed.map(({ saves, expected }) => `${saves?.toFixed(2)} ${expected?.toFixed(3)}`).join(", ")}`,
    );
    const [ofSaver = 0, ofIdle = 0, ofCostly = 0] = believed.map(
      ({ saves }) => saves ?? assert.fail("unknown"),
    );
    assert.ok(ofSaver > 0.6 && ofCostly < 0.4 && ofIdle > 0.4 && ofIdle < 0.6);
    assert.deepEqual(
      believed.map(({ verdict }) => verdict),
      ["undecided", "undecided", "undecided"],
    );

    // The next service adapts the chances: now a session has the saver, and not the costly rule, that would have drawn otherwise.
    await purser("service", "restart");
    const chances = (await statusOf(trial)).rules.map(({ chance }) => chance ?? 0.5);
    const [ofMore = 0.5, , ofLess = 0.5] = chances;
    await workWith(
      trial,
      [saver],
      (session) =>
        !isGiven(trial, session, saver) &&
        isGiven(trial, session, saver, ofMore) &&
        !isGiven(trial, session, idle, 0.95) &&
        isGiven(trial, session, costly) &&
        !isGiven(trial, session, costly, ofLess),
    );
    await purser("trial", "stop", trial);

    // Golden tasks: measured until a further round would take more than it is expected to save.
    const selected = await purser(
      "select",
      "backend",
      "--yes",
      "--json",
      "--parallel",
      "2",
      "--model",
      model,
    );
    const { end, receipts } = selectJson.parse(JSON.parse(selected));
    assert.deepEqual(end, { kind: "done" });
    const found = ids.map((id) => receipts.find(({ subject }) => subject.id === id) ?? assert.fail(id));
    t.diagnostic(
      found
        .map(({ verdict, expected }) => `${verdict.kind} ${expected?.grade} ${expected?.share.toFixed(3)}`)
        .join(", "),
    );
    const expected = found.map((receipt) => receipt.expected ?? assert.fail("nothing is expected"));
    assert.deepEqual(
      expected.map(({ grade }) => grade),
      ["worth", "none", "none"],
    );
    const { use, paid } = expected[0] ?? assert.fail();
    assert.ok(use !== null && use.perWeek > 0, "by the sessions in the ledger");
    assert.ok(
      paid !== null && paid.sessions > 0 && paid.sessions < use.perWeek * use.weeks,
      "pays before the next model",
    );
    assert.deepEqual(await statuses(), ["measured", "shelved", "shelved"]);
    assert.deepEqual(await work(randomUUID()), [], "it waits for the user");

    await purser("rules", "approve", saver);
    assert.deepEqual(await statuses(), ["active", "shelved", "shelved"]);
    assert.deepEqual(idsOf(await work(randomUUID())), [saver], "read from the agent's memory");
    assert.deepEqual(standIn.failures, []);
  },
);

/** Runs `purser` as the user, and returns its standard output. */
async function purser(...argv: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await workspace.purser(machine, argv);
  assert.equal(exitCode, 0, `purser ${argv.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

async function statusOf(trial: string) {
  return (
    trialJson.parse(JSON.parse(await purser("trial", "status", trial, "--json"))).trial ?? assert.fail(trial)
  );
}

/**
 * Works in a session that draws the named rules, and no others. One that a busy machine answered late is left out of the trial, and is
 * repeated.
 * @param wanted ids of the rules
 */
async function workWith(
  trial: string,
  wanted: readonly string[],
  fits: (session: string) => boolean,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const session = sessionThat(fits);
    const seen = await work(session);
    const given = idsOf(seen);
    if (given.join() === wanted.join()) return;
    const counted = (await statusOf(trial)).drawn.find(
      ({ id, leftOut }) => id === session && leftOut === null,
    );
    assert.ok(
      counted === undefined && attempt < maxAttempts,
      `${session} has ${given.join()}, not ${wanted.join()}`,
    );
  }
}

function idsOf(rules: readonly (typeof played)[number][]): string[] {
  return rules.map(({ text }) => ids[played.findIndex((each) => each.text === text)] ?? assert.fail(text));
}

async function statuses() {
  const { rules } = rulesJson.parse(JSON.parse(await purser("rules", "list", "--json")));
  return ids.map((id) => rules.find((rule) => rule.id === id)?.status);
}

function sessionThat(fits: (session: string) => boolean): string {
  for (;;) {
    const session = randomUUID();
    if (fits(session)) return session;
  }
}

/** Works in a session of the agent, and returns the rules that its first request has. */
async function work(session: string): Promise<readonly (typeof played)[number][]> {
  const from = standIn.exchanges.length;
  const { printed, stderr } = await driveClaude({
    binary: program,
    scratch: {
      root: workspace.scratch,
      home: path.join(workspace.root, "user"),
      config,
      workspace: workspace.folder,
      remove: () => Promise.resolve(),
    },
    api: { ANTHROPIC_BASE_URL: standIn.url },
    prompt: "Moor the ship.",
    model,
    args: ["--agent", "backend", "--session-id", session],
    env: { PURSER_HOME: workspace.homeOf(machine) },
  });
  assert.equal(printed?.session_id, session, stderr);
  const own = standIn.exchanges.slice(from).map(({ request }) => request);
  const first = own.find((request) => sessionOf(request) === session && roleOf(request) === "main");
  assert.ok(first !== undefined);
  return playedIn(first);
}
