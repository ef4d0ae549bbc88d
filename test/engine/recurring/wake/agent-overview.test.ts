import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { takeLock } from "../../../../src/engine/base/lock.ts";
import { agentPlace } from "../../../../src/engine/recurring/wake/agent-folder.ts";
import { overviewPorts, readOverviews } from "../../../../src/engine/recurring/wake/agent-overview.ts";
import { agree } from "../../../../src/engine/recurring/consent/agreement.ts";
import type { AgentState } from "../../../../src/engine/recurring/wake/recurring-wake-state.ts";
import { agentSession, overview, wake } from "../../../extension/support/recurring.ts";

const at = Date.parse("2026-11-02T10:05:00Z");
const [hour, half] = [3_600_000, 1_800_000];

function place(t: TestContext) {
  const root = mkdtempSync(path.join(tmpdir(), "purser-overview-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const [project, wakes] = [path.join(root, "harbor"), path.join(root, "wakes")];
  mkdirSync(path.join(project, ".purser", "agents"), { recursive: true });
  const write = (name: string, text: string) =>
    writeFileSync(path.join(project, ".purser", "agents", `${name}.md`), text);
  write(
    "keeper",
    `---\nprogram: claude\nmodel: claude-sonnet-4-5\nschedule: "*/30 * * * *"\ntimezone: UTC\n---\nYou keep the harbor.\n`,
  );
  const ports = overviewPorts(wakes, { now: () => at, pid: process.pid });
  const own = agentPlace(wakes, project, "keeper");
  const state = (changes: Partial<AgentState>) => {
    mkdirSync(own.folder, { recursive: true });
    const all = {
      schema: 1,
      sessions: {},
      current: null,
      outbox: [],
      recent: [],
      lastSlot: null,
      pause: null,
    };
    writeFileSync(own.state, JSON.stringify({ ...all, ...changes }));
  };
  const read = async () => {
    const [keeper] = (await readOverviews(project, ports)).filter(({ name }) => name === "keeper");
    assert.ok(keeper);
    return keeper;
  };
  return { project, write, ports, own, state, read };
}

describe("an agent's state, read without starting anything", () => {
  it("is its file alone before it is ever woken", async (t) => {
    const { read } = place(t);
    const { faults, isAgreed, isBusy, running, nextWake, dueSince, sessions, wakes } = await read();
    assert.deepEqual(
      {
        faults,
        isAgreed,
        isBusy,
        running,
        nextWake: nextWake === null ? null : nextWake - at,
        dueSince,
        sessions,
        wakes,
      },
      {
        faults: [],
        isAgreed: false,
        isBusy: false,
        running: null,
        nextWake: half - 5 * 60_000,
        dueSince: null,
        sessions: [],
        wakes: [],
      },
    );
  });

  it("is due from the slot that it was not woken for, once it is agreed to as it is now", async (t) => {
    const { read, own, write } = place(t);
    const { agent } = await read();
    assert.ok(agent);
    assert.ok(agree(own, { definition: agent.hash, checks: [], at: at - hour }).ok);
    const agreed = await read();
    assert.deepEqual([agreed.isAgreed, agreed.dueSince], [true, at - 5 * 60_000]);
    write("keeper", `---\nprogram: claude\nmodel: other\nschedule: "*/30 * * * *"\n---\nYou keep it.\n`);
    const changed = await read();
    assert.deepEqual([changed.isAgreed, changed.dueSince], [false, null]);
  });

  it("counts a wake as running only while its process holds the lease, otherwise as interrupted", async (t) => {
    const { read, own, state, ports } = place(t);
    const { task, ...session } = agentSession();
    const row = wake({ id: "w2", at: at - 60_000, endedAt: at - 60_000, outcome: "interrupted" });
    state({
      sessions: { [task ?? ""]: session },
      recent: [wake()],
      current: { row, mark: "wake-w2", slot: null, session: null },
    });
    const killed = await read();
    assert.deepEqual(
      [killed.isBusy, killed.running, killed.wakes.map(({ id }) => id)],
      [false, null, ["w2", "w1"]],
    );
    const lease = await takeLock({ folder: own.folder, name: "wake" }, { ...ports.lock, unique: () => "x" });
    assert.ok(lease.ok);
    // This process holds it, as another program would.
    const running = await read();
    assert.deepEqual([running.isBusy, running.running?.id, running.wakes.length], [true, "w2", 1]);
    state({ recent: [wake()] });
    const asking = await read();
    assert.deepEqual([asking.isBusy, asking.running], [true, null]);
    await lease.value.release();
    assert.equal((await read()).isBusy, false);
    assert.equal(overview().isBusy, false);
  });

  it("has its sessions by task, the newest first, and no pause that is over", async (t) => {
    const { read, state } = place(t);
    const { task, ...old } = agentSession({ lastAt: 1 });
    state({
      sessions: { [task ?? ""]: old, "": { ...old, id: "new", lastAt: 2 } },
      pause: { until: at - 1, failures: 1 },
    });
    const seen = await read();
    assert.deepEqual(
      seen.sessions.map((each) => [each.task, each.id]),
      [
        [null, "new"],
        ["H-12", old.id],
      ],
    );
    assert.equal(seen.pausedUntil, null);
    state({ pause: { until: at + 1, failures: 1 } });
    assert.equal((await read()).pausedUntil, at + 1);
  });

  it("lists a faulty file's lines, and treats a damaged state as empty", async (t) => {
    const { read, state, write, own } = place(t);
    state({});
    writeFileSync(own.state, "{");
    assert.deepEqual((await read()).wakes, []);
    write("keeper", "---\nprogram: claude\nmodle: x\n---\n");
    const faulty = await read();
    assert.deepEqual([faulty.agent, faulty.faults.map(({ line }) => line).sort()], [null, [2, 3]]);
  });
});
