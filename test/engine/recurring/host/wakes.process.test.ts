import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { z } from "zod";
import { agentPlace } from "../../../../src/engine/recurring/wake/agent-folder.ts";
import type { WakeJob } from "../../../../src/engine/jobs/bench-answers.ts";
import { isUnderWay } from "../../../../src/engine/jobs/compare-answers.ts";
import { readTrustedAgents } from "../../../../src/engine/recurring/read-agents.ts";
import { noShell } from "../../support/fake-claude.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { wakePlace } from "../../cli/economy/wake-place.ts";
import { windowSettingsOf } from "../../service/support/window-settings.ts";

const stateShape = z.looseObject({
  lastSlot: z.number().nullable(),
  retriedSlot: z.number().nullable(),
  learned: z.object({ turns: z.number(), wakes: z.number(), sessions: z.number() }).nullable(),
  current: z.unknown(),
  recent: z.array(z.looseObject({ outcome: z.string() })),
  sessions: z.record(z.string(), z.looseObject({ id: z.string() })),
});

/** A service with an agent, as a window finds it. */
async function begin(t: TestContext, setup: Parameters<typeof wakePlace>[1]) {
  const place = wakePlace(t, setup);
  const { box, env, project, purser } = place;
  const agreed = await purser("agent", "agree", "keeper", "--yes");
  assert.equal(agreed.code, 0, agreed.stderr);
  const client = await box.client("1.0.0", { PATH: env.PATH, AHEAD: "0" });
  const tell = async (wakes: boolean, isTrusted = true) => {
    const settings = { ...windowSettingsOf({ wakes }, { [project]: {} }), isTrusted };
    const done = await client.ask("configure", { roots: box.roots, env: {}, folders: [project], settings });
    assert.ok(done.ok);
  };
  const jobs = async (): Promise<readonly WakeJob[]> => {
    const listed = await client.ask("benchList", {});
    assert.ok(listed.ok, listed.ok ? "" : listed.detail.text);
    return listed.value.wakes ?? [];
  };
  const start = async (change: { isFresh?: boolean; slot?: number | null } = {}) => {
    const ask = { kind: "wake" as const, project, agent: "keeper", isFresh: false, slot: null, ...change };
    const started = await client.ask("benchStart", { ask, env: {}, project });
    assert.ok(started.ok, started.ok ? "" : started.detail.text);
    return started.value.id;
  };
  const jobWhen = async (id: string, is: (job: WakeJob) => boolean): Promise<WakeJob> => {
    let found: WakeJob | undefined;
    await waitUntil(async () => {
      found = (await jobs()).find((job) => job.id === id);
      return found !== undefined && is(found);
    });
    assert.ok(found !== undefined);
    return found;
  };
  const ended = (id: string) => jobWhen(id, ({ state }) => !isUnderWay(state));
  const cancel = async (id: string) => assert.ok((await client.ask("benchCancel", { id })).ok);
  const file = agentPlace(box.home.wakes, project, "keeper").state;
  const state = () => stateShape.parse(JSON.parse(readFileSync(file, "utf8")));
  return { ...place, client, tell, jobs, start, cancel, jobWhen, ended, state };
}

describe("wakes as jobs of the service", { skip: noShell, concurrency: true }, () => {
  it("come by schedule once the setting is on, and not when it is off again", async (t) => {
    const { client, tell, jobs, starts, state } = await begin(t, { head: 'schedule: "* * * * * *"\n' });
    await tell(true);
    await waitUntil(async () => (await jobs()).filter(({ wake }) => wake?.row !== null).length >= 2);
    await tell(false);
    await waitUntil(async () => (await jobs()).every((job) => !isUnderWay(job.state)));
    const before = starts().length;
    const read = await client.ask("economyView", { since: 0, project: null });
    assert.ok(read.ok);
    const { wakes } = read.value.view;
    assert.equal(wakes.length, before);
    assert.ok(wakes.every(({ source, outcome }) => source === "timer" && outcome === "completed"));
    assert.equal(wakes.filter(({ reason }) => reason === "reused").length, before - 1);
    assert.equal(Object.keys(state().sessions).length, 1);
    const own = (await jobs()).flatMap(({ ask }) => ask.slot ?? []);
    assert.equal(new Set(own).size, own.length, "each time once");
  });

  it("come once for each time although a cron wakes the same agent at the same times", async (t) => {
    const { client, tell, jobs, starts, purser } = await begin(t, { head: 'schedule: "* * * * * *"\n' });
    const since = Math.floor(Date.now() / 1000);
    await tell(true);
    const crons = [1, 2].map(async () => {
      for (let times = 0; times < 3; times += 1) await purser("run", "--due", "--json");
    });
    await Promise.all(crons);
    await waitUntil(async () => (await jobs()).some(({ wake }) => wake?.row !== null));
    await tell(false);
    await waitUntil(async () => (await jobs()).every((job) => !isUnderWay(job.state)));
    const read = await client.ask("economyView", { since: 0, project: null });
    assert.ok(read.ok);
    const { wakes } = read.value.view;
    assert.equal(wakes.length, starts().length, "each is in the ledger, once");
    assert.ok(wakes.length <= Math.floor(Date.now() / 1000) - since + 1, `${wakes.length} wakes`);
    const ordered = wakes.toSorted((one, other) => one.at - other.at);
    for (const [index, wake] of ordered.entries())
      assert.ok(wake.at >= (ordered[index - 1]?.endedAt ?? 0), "none overlaps another");
    // Late ones found the time taken, and started nothing.
    assert.ok((await jobs()).every(({ state }) => state.kind === "done"));
  });

  it("follow at once a requested wake if they are due by then", async (t) => {
    const { tell, start, cancel, starts, jobs, edit, purser } = await begin(t, {
      head: 'schedule: "* * * * * *"\n',
      wake: "HANG",
    });
    const id = await start();
    await waitUntil(() => starts().length === 1);
    await tell(true);
    // It is busy, so it is checked again in a minute, or as soon as it ends.
    await waitUntil(async () => (await jobs()).some(({ state }) => state.kind === "running"));
    edit("agents/keeper.md", (text) => text.replace("HANG", "Go on."));
    assert.equal((await purser("agent", "agree", "keeper", "--yes")).code, 0);
    await cancel(id);
    await waitUntil(async () => (await jobs()).some(({ ask, wake }) => ask.slot !== null && wake?.row));
    await tell(false);
  });

  it("run what a person agreed to, report progress, and end in the ledger", async (t) => {
    const { client, start, ended, project, env, state } = await begin(t, {});
    const ask = { kind: "wake" as const, project, agent: "keeper", isFresh: false, slot: null };
    const planned = await client.ask("wakePlan", { ask, env: { PATH: env.PATH } });
    assert.ok(planned.ok, planned.ok ? "" : planned.detail.text);
    const { plan } = planned.value;
    assert.deepEqual(
      [plan.isAgreed, plan.reason, plan.session, plan.task?.title, plan.tokens, plan.most],
      [true, "first", null, "Mend the light", null, 500_000],
    );
    const first = await ended(await start());
    assert.deepEqual([first.state.kind, first.wake?.row?.outcome], ["done", "completed"]);
    const second = await ended(await start());
    assert.deepEqual([second.wake?.plan?.reason, second.wake?.plan?.session?.wakes], ["reused", 1]);
    const fresh = await ended(await start({ isFresh: true }));
    assert.equal(fresh.wake?.row?.reason, "forced");
    const read = await client.ask("economyView", { since: 0, project });
    assert.equal(read.ok && read.value.view.wakes.length, 3);
    // The program's wakes in the ledger decide how long a session continues.
    const { row } = fresh.wake;
    for (let session = 0; session < 6; session += 1) {
      const wakes = Array.from({ length: 60 }, (_, index) => ({
        ...row,
        id: `${session}.${index}`,
        sessionId: `s${session}`,
        at: row.at + index,
        endedAt: row.at + index,
        turns: 4,
        reason: index === 0 ? ("forced" as const) : ("reused" as const),
        normalizedInput: index === 0 ? 40_000 : 2000 + 240 * index,
      }));
      assert.ok((await client.ask("wakeRecord", { wakes })).ok);
    }
    await ended(await start());
    const { learned } = state();
    assert.ok(learned !== null && learned.turns < 200 && learned.sessions >= 6, JSON.stringify(learned));
  });

  it("of one agent wait for each other, and are cancelled with nothing left behind", async (t) => {
    const { client, start, jobWhen, ended, starts, state } = await begin(t, { wake: "HANG" });
    const [one, other] = [await start(), await start()];
    await waitUntil(() => starts().length === 1);
    const waiting = await jobWhen(other, ({ state: { kind } }) => kind === "queued");
    assert.deepEqual(waiting.state, { kind: "queued", ahead: 1 });
    assert.ok((await client.ask("benchCancel", { id: other })).ok);
    assert.ok((await client.ask("benchCancel", { id: one })).ok);
    const ends = [await ended(one), await ended(other)];
    assert.deepEqual(
      ends.map((job) => [job.state.kind, job.wake?.row?.outcome]),
      [
        ["cancelled", "cancelled"],
        ["cancelled", undefined],
      ],
    );
    assert.equal(starts().length, 1);
    assert.equal(state().current, null);
  });

  it("are interrupted by the end of the service, which makes their time due again, once", async (t) => {
    const { client, start, starts, state } = await begin(t, { wake: "HANG" });
    const slot = Date.now() - 5000;
    await start({ slot });
    await waitUntil(() => starts().length === 1);
    await client.ask("shutdown", { reason: "asked" });
    await waitUntil(() => state().current === null && state().recent.length === 1);
    const { lastSlot, retriedSlot, recent, sessions } = state();
    assert.deepEqual([lastSlot, retriedSlot, recent[0]?.outcome], [slot - 1, slot, "interrupted"]);
    assert.equal(Object.keys(sessions).length, 1);
  });

  it("do not start if the file changed since the agreement, or its program is missing", async (t) => {
    const { client, start, ended, edit, project, starts } = await begin(t, {});
    edit("agents/keeper.md", (text) => `${text}And sweep.\n`);
    const { state } = await ended(await start());
    assert.ok(state.kind === "failed");
    assert.match(state.detail.text, /keeper\.md is not agreed to as it is now/u);
    const ask = { kind: "wake" as const, project, agent: "keeper", isFresh: false, slot: null };
    const missing = await client.ask("wakePlan", { ask, env: { PATH: "/nowhere" } });
    assert.match(missing.ok ? "" : missing.detail.text, /Claude Code was not found/u);
    const nobody = await client.ask("wakePlan", { ask: { ...ask, agent: "nobody" }, env: {} });
    assert.match(nobody.ok ? "" : nobody.detail.text, /there is no agent "nobody"/u);
    assert.deepEqual(starts(), []);
  });

  it("are read only of folders that are trusted, their project included", async (t) => {
    const { box, project } = wakePlace(t, {});
    const read = async (folder: string, isTrusted: (each: string) => boolean, name: string | null = null) => {
      const ports = { wakes: box.home.wakes, clock: { now: () => Date.now() }, pid: process.pid, isTrusted };
      return (await readTrustedAgents(folder, name, ports)).map((each) => each.name);
    };
    const below = path.join(project, "below");
    writeFileSync(path.join(project, "x"), "");
    assert.deepEqual(await read(project, () => true), ["keeper"]);
    assert.deepEqual(await read(below, (each) => each === below), []);
    assert.deepEqual(await read(below, (each) => each === project), ["keeper"]);
    assert.deepEqual(await read(project, () => false), []);
    assert.deepEqual(await read(project, () => true, "keeper"), ["keeper"]);
    assert.deepEqual(await read(project, () => true, "nobody"), []);
  });
});
