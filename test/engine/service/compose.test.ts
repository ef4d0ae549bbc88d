import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import { composeLedger } from "../../../src/engine/service/compose-ledger.ts";
import { programs } from "../support/programs.ts";
import { responseRow } from "../cli/support/support.ts";
import { ServiceSandbox } from "./support/box.ts";
import type { WindowSettings } from "../../../src/engine/settings/editor-window.ts";
import { writeTree } from "../support/write-tree.ts";
import { WrittenChat } from "../transcripts/vscode-chat/written-chat.ts";
import { windowSettingsOf } from "./support/window-settings.ts";

const { ledgerPrograms } = programs;
const everything = { since: null, until: null, project: null, program: null };

it("The service reads transcripts into a ledger in its own threads, answers from it, and writes it at its end", async (t) => {
  const box = new ServiceSandbox(t);
  const ports = box.servicePorts();
  const ledger = composeLedger({ ...ports, programs: ledgerPrograms });
  box.transcript("s-1.jsonl", responseRow({ id: "1" }) + responseRow({ id: "2", cwd: "/argo/stern" }));
  const client = await box.host({ ledger });
  const fresh = await client.ask("catchUp", {});
  assert.ok(fresh.ok && fresh.value.freshness.asOf !== null);
  const first = await client.ask("overview", { asked: everything });
  assert.ok(first.ok);
  assert.deepEqual(
    [first.value.answer.totals.responses, first.value.answer.sessions.map(({ id }) => id)],
    [2, ["s-1"]],
  );
  const page = await client.ask("sessionPage", { asked: "s-1" });
  assert.equal(page.ok && page.value.answer?.turns.length, 2);
  const used = await client.ask("useCounts", { asked: 0 });
  assert.deepEqual(used.ok && used.value.answer.sessions.map(({ name, count }) => [name, count]), [
    ["claude-code", 1],
  ]);
  const golden = await client.ask("goldenBook", { asked: 0 });
  assert.deepEqual(golden.ok && golden.value.answer.runs, []);
  const usage = await client.ask("usage", { ...everything, by: "project", project: "/argo/stern" });
  assert.equal(usage.ok && usage.value.report.totals.responses, 1);
  const prices = { "claude-opus-4-5": { input: 0, output: 0, cacheRead: 0 } };
  ledger.configure(prices);
  const free = await client.ask("usage", { ...everything, by: "day" });
  assert.equal(free.ok && free.value.report.totals.usd, 0);
  const claimed = await client.ask("claimAnomaly", { id: "none" });
  assert.equal(claimed.ok && claimed.value.isFirst, false);
  assert.equal(await client.shutdown("asked", 5000), true);
  assert.deepEqual(box.faults(), []);
  assert.ok(existsSync(path.join(box.home.folder, "ledger.sqlite")));
});

it("The service collects VS Code's chats of a window's own folder, but no other agent's that a window names", async (t) => {
  const box = new ServiceSandbox(t);
  const ports = box.servicePorts();
  const client = await box.host({ ledger: composeLedger({ ...ports, programs: ledgerPrograms }) });
  box.transcript("s-1.jsonl", responseRow({ id: "1" }));
  const elsewhere = path.join(box.folder, "elsewhere");
  const user = path.join(elsewhere, "data", "User");
  const chats = path.join(user, "globalStorage", "emptyWindowChatSessions");
  new WrittenChat(path.join(chats, "c-1.jsonl"))
    .send({ id: "r1" })
    .report("r1", 2000, 20)
    .end("r1", 2000)
    .flush(5000);
  const other = path.join(elsewhere, "claude");
  writeTree(other, { "projects/-argo/s-2.jsonl": responseRow({ id: "2" }) });
  const roots = [
    ...box.roots,
    { agent: "vscode-chat" as const, path: user },
    { agent: "claude-code" as const, path: other },
  ];
  const usedAfter = async (settings: { settings?: WindowSettings }) => {
    assert.ok((await client.ask("configure", { roots, env: {}, folders: [], ...settings })).ok);
    const fresh = await client.ask("catchUp", {});
    assert.ok(fresh.ok && fresh.value.freshness.asOf !== null);
    const usage = await client.ask("usage", { ...everything, by: "agent" });
    assert.ok(usage.ok);
    const { report, places } = usage.value;
    assert.deepEqual(new Set(places), new Set(box.roots.map(({ path: root }) => root)));
    return report.rows.map(({ key, usage: { input, output } }) => [key, input, output]);
  };
  const claude = ["claude-code", 1000, 10];
  assert.deepEqual(await usedAfter({}), [claude], "a terminal's folders are its own");
  assert.deepEqual(await usedAfter({ settings: windowSettingsOf({}) }), [claude, ["vscode-chat", 2000, 20]]);
  assert.equal(await client.shutdown("asked", 5000), true);
  assert.deepEqual(box.faults(), []);
});

it("The service takes no folder with an endless name", async (t) => {
  const client = await new ServiceSandbox(t).host();
  const endless = { agent: "vscode-chat" as const, path: `/${"a".repeat(4096)}` };
  const refused = await client.ask("configure", { roots: [endless], env: {}, folders: [] });
  assert.match(refused.ok ? "" : refused.detail.text, /not its parameters/u);
});
