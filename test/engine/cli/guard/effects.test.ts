import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import test, { type TestContext } from "node:test";
import { guardJson } from "../../../../src/engine/cli/guard/guard-schema.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { appendEntries, open } from "../../ledger/support/support.ts";
import { served } from "../../service/support/rules-service.ts";
import { restingFormats } from "../../../../src/engine/guard/guard-answers.ts";
import { shortenedSessions } from "../../guard/support/shortened-sessions.ts";
import { Scratch } from "../support/support.ts";

const now = new Date(2026, 10, 21, 10).getTime();
const rule = "waste-git-log-unbounded";

/** Advice that was ignored so often. */
function ignored(count: number, about: string): LedgerEntry[] {
  const all: LedgerEntry[] = [];
  for (let number = 1; number <= count; number += 1) {
    const of = { id: `${number}:${about}`, sessionId: `s${number}`, rule: about, family: "waste" } as const;
    const at = now - 60_000 + number;
    all.push({ kind: "guard-hit", ...of, action: "advise", done: "advised", at });
    all.push({ kind: "guard-outcome", ...of, source: "calls", done: "advised", outcome: "ignored", at });
  }
  return all;
}

async function place(t: TestContext) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const known = await scratch.purser(["guard", "list", "--family", "waste", "--json"]);
  const rules = guardJson.parse(JSON.parse(known.stdout)).rules ?? [];
  const [silent = rule, other = rule] = rules.map(({ id }) => id);
  const purser = async (...argv: string[]) => (await scratch.purser(["guard", ...argv])).stdout;
  const ledger = await open(t, path.join(scratch.root, ".purser"));
  await appendEntries(ledger, ...ignored(16, silent), ...ignored(2, other));
  await ledger.close();
  return { scratch, purser, silent, other };
}

test("lists effects by rule with silent ones; explain and status show them too", async (t) => {
  const { purser, silent, other } = await place(t);
  const { effects = [] } = guardJson.parse(JSON.parse(await purser("list", "--effects", "--json")));
  assert.deepEqual(
    effects.map((each) => [each.rule, each.advised, each.ignored, each.isSilent, each.wokenAt]).toSorted(),
    [
      [silent, 16, 16, true, null],
      [other, 2, 2, false, null],
    ].toSorted(),
  );
  const table = await purser("list", "--effects");
  assert.match(table, new RegExp(`${silent} +16 +0 +0 +16 +0 +0 +0 +at most 24%: silent\n`, "u"));
  assert.equal(
    await purser("list", "--effects", "--family", "safety"),
    "No rule has advised an agent yet.\n",
  );
  const explained = await purser("explain", silent);
  assert.match(explained, /reported 16 times: followed 0, progress 0, ignored 16/u);
  assert.match(explained, new RegExp(`purser guard wake ${silent} reactivates it`, "u"));
  assert.match(await purser("explain", other), /reported 2 times[^]*advice: at most \d\d%\n$/u);
  assert.match(await purser("status"), /at most 24%: silent/u);
});

test("a rule with an action in guard.yaml is never silent", async (t) => {
  const { scratch, purser, silent } = await place(t);
  writeFileSync(path.join(scratch.root, ".purser", "guard.yaml"), `set:\n  ${silent}: advise\n`);
  const { effects = [] } = guardJson.parse(JSON.parse(await purser("explain", silent, "--json")));
  assert.deepEqual(
    effects.map(({ isSilent, ignored: count }) => [isSilent, count]),
    [[false, 16]],
  );
});

test("a rule is called back through the service, and only one that there is", async (t) => {
  const { box, ledger } = await served(t);
  const { scratch, silent } = await place(t);
  await appendEntries(ledger, ...ignored(16, silent));
  const host = { home: box.folder, env: box.env, version: () => "1.0.0" };
  const woken = await scratch.purser(["guard", "wake", silent], host);
  assert.deepEqual([woken.code, woken.stderr], [0, ""]);
  assert.match(woken.stdout, new RegExp(`^${silent} is active again`, "u"));
  assert.deepEqual(ledger.ask("guardEffects", 0).advice, [
    { rule: silent, helped: 0, failed: 0, wokenAt: now },
  ]);
  const wrong = await scratch.purser(["guard", "wake", "no-such-rule"], host);
  assert.deepEqual([wrong.code, wrong.stdout], [1, ""]);
  assert.match(wrong.stderr, /there is no rule "no-such-rule"/u);
});

test("status counts calls that were not judged, with when, agent, tool, reason and remedy", async (t) => {
  const { scratch, purser } = await place(t);
  assert.doesNotMatch(await purser("status"), /Not judged/u);
  const ledger = await open(t, path.join(scratch.root, ".purser"));
  const hit = (id: string, rule: string, done: "unjudged" | "asked"): LedgerEntry => ({
    kind: "guard-hit",
    id,
    sessionId: "s",
    agentId: null,
    at: Date.now() - 60_000,
    program: "codex",
    tool: "Bash",
    rule,
    family: "safety",
    action: "ask",
    done,
    excerpt: null,
    folder: null,
    savedBytes: null,
  });
  await appendEntries(ledger, hit("1", "not-judged-alone", "unjudged"), hit("2", "not-judged", "asked"));
  await ledger.close();
  const { notJudged } = guardJson.parse(JSON.parse(await purser("status", "--json")));
  assert.deepEqual([notJudged?.calls, notJudged?.ran, notJudged?.newest.length], [2, 1, 2]);
  const text = await purser("status");
  assert.match(text, /\nNot judged: 2 calls\. 1 ran\. Required families let none pass\.\n/u);
  assert.match(text, /, Codex, Bash, not judged: No service of purser answered.*purser doctor/u);
  assert.match(text, /, Codex, Bash, asked: Purser's service was too busy.*purser service restart/u);
});

function wakeEntry(rule: string, at: number): LedgerEntry {
  return { kind: "guard-wake", id: `${rule}@${at}`, rule, at };
}

const days = 24 * 60 * 60_000;
const gains = { sessions: 20, command: "npm test", rule: "smaller-output-tap", from: now - 3 * days };
const loses = { sessions: 20, command: "kubectl get", from: now - 3 * days, isFetched: () => true };

test("effects shows gross, minus and net by program, format and tool, and what is switched off", async (t) => {
  const { scratch } = await place(t);
  const purser = async (...argv: string[]) => (await scratch.purser(["guard", ...argv])).stdout;
  assert.match(await purser("effects"), /^No output has been shortened in this time\.\n/u);
  const ledger = await open(t, path.join(scratch.root, ".purser"));
  await appendEntries(ledger, ...shortenedSessions({ ...gains, sessions: 2 }));
  await ledger.close();
  assert.match(await purser("effects"), /gross [\d,]+ · minus 0 · net [\d,]+ · not known yet · net \$/u);
  assert.match(await purser("effects", "--since", "1d"), /^No output has been shortened/u);
  const again = await open(t, path.join(scratch.root, ".purser"));
  await appendEntries(again, ...shortenedSessions(gains), ...shortenedSessions(loses));
  await again.close();
  const text = await purser("effects");
  assert.match(text, /60× the original fetched: [\d,]+ tokens\n/u);
  assert.match(
    text,
    /\nProgram +Outputs +Gross +Minus +Net +90% confidence\n─+\nnpm test +60 +[\d,]+ +0 +[\d,]+ +[\d,]+ … [\d,]+\nkubectl get +60 +[\d,]+ +[\d,]+ +−[\d,]+ +−[\d,]+ … −[\d,]+\n/u,
  );
  const off =
    /Outputs of "kubectl get" are no longer shortened by smaller-output-json: its net is not above zero \(−[\d,]+ … −[\d,]+ tokens\)\. To shorten them again: purser output on "kubectl get"\n/u;
  assert.match(text, off);
  const status = await purser("status");
  assert.match(status, off);
  assert.match(status, /That saved −?[\d,]+ tokens net \(/u);
  const { net } = guardJson.parse(JSON.parse(await purser("effects", "--json")));
  assert.ok(net !== null && net !== undefined);
  assert.deepEqual(
    net.resting.map(({ id, why }) => [id, why]),
    [["smaller-output-json:kubectl get", "loses"]],
  );
  assert.equal(net.total.net, net.total.gross - net.total.minus);
  writeFileSync(path.join(scratch.root, ".purser", "guard.yaml"), "set:\n  smaller-output-json: advise\n");
  assert.doesNotMatch(await purser("effects"), /are no longer shortened/u, "the user chose it");
});

test("a format that is switched off is switched on again, and that is taken back", async (t) => {
  const { box, ledger } = await served(t);
  const { scratch } = await place(t);
  await appendEntries(ledger, ...shortenedSessions(loses));
  // The terminal reads files, and changes them through the service.
  const files = await open(t, path.join(box.folder, ".purser"));
  await appendEntries(files, ...shortenedSessions(loses));
  const host = { home: box.folder, env: box.env, version: () => "1.0.0" };
  const output = async (...argv: string[]) => await scratch.purser(["output", ...argv], host);
  const resting = () => restingFormats(ledger.ask("savedOutputs", 0)).map(({ id }) => id);
  const id = "smaller-output-json:kubectl get";
  assert.deepEqual(resting(), [id]);
  const other = await output("on", "make");
  assert.match(other.stderr, /are shortened already; switched off are: "kubectl get"/u);
  const on = await output("on", "kubectl", "get");
  assert.deepEqual([on.code, on.stderr], [0, ""]);
  assert.match(on.stdout, /^Outputs of "kubectl get" are shortened again/u);
  assert.deepEqual(resting(), []);
  await appendEntries(
    files,
    ...ledger.ask("savedOutputs", 0).wakes.map(({ format, at }) => wakeEntry(format, at)),
  );
  const undone = await output("undo", "kubectl get", "--json");
  assert.deepEqual(JSON.parse(undone.stdout), { schema: 1, worksAgain: [id] });
  assert.deepEqual(resting(), [id]);
  assert.match((await output("undo", "make")).stderr, /were not switched on by hand/u);
});
