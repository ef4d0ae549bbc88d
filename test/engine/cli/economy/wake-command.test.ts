import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import * as z from "zod";
import { economyJson } from "../../../../src/engine/cli/economy/economy-command.ts";
import { wakeJson } from "../../../../src/engine/cli/economy/economy-schema.ts";
import { noShell } from "../../support/fake-claude.ts";
import { writeTree } from "../../support/write-tree.ts";
import { serviceProgram } from "../../service/support/box.ts";
import { Scratch } from "../support/support.ts";
import { promptOf, wakePlace } from "./wake-place.ts";

describe("purser run", { skip: noShell, concurrency: true }, () => {
  it("begins a session once, then continues it, with the same prompt before the new part", async (t) => {
    const { one, starts, project, edit } = wakePlace(t);
    const first = await one();
    assert.deepEqual(
      [first.reused, first.reason, first.task, first.wake.outcome, first.wake.fetchMode],
      [false, "first", "T1", "completed", "delta"],
    );
    writeTree(project, {
      ".purser/tasks/comments/T1/20261121T090000Z-b.md":
        "---\nauthor: mira\nat: 2026-11-21T09:00:00Z\n---\nStill dark.\n",
    });
    const second = await one();
    assert.deepEqual([second.reused, second.reason, second.sessionId], [true, "reused", first.sessionId]);
    edit("tasks/T1.md", (text) => text.replace("assignee", "priority: high\nassignee"));
    const third = await one();
    const prompts = starts().map(promptOf);
    assert.match(
      prompts[0] ?? "",
      /^Tasks are read with [^]*You keep the harbor\.\n\nYou are the recurring agent keeper[^]*It is out\.[^]*Dark\./u,
    );
    assert.equal(
      prompts[1],
      "You are the recurring agent keeper, and are awake.\n\nGo on.\n\nWoken by a person.\nTask T1: Mend the light (todo)\n\nNew comments:\n\n[20261121T090000Z-b] mira:\nStill dark.\n",
    );
    assert.match(
      prompts[2] ?? "",
      /Changed since you looked: priority: medium → high\n\nNo new comments\.\n$/u,
    );
    const { normalizedInput, rawInput, turns, cacheRead } = second.wake;
    // 10 + 400 × 1.25 + 8,000 × 0.1.
    assert.deepEqual([normalizedInput, rawInput, turns, cacheRead], [1310, 8410, 1, 8000]);
    assert.equal(third.wake.fetchMode, "none");
    const [start] = starts();
    assert.ok(start !== undefined);
    const after = (name: string) => start.args[start.args.indexOf(name) + 1] ?? "";
    assert.deepEqual([start.cwd, start.inside], [project, null]);
    assert.deepEqual(start.settings, { disableBundledSkills: true, enableWorkflows: false });
    assert.ok(start.args.includes("--strict-mcp-config"));
    assert.equal(after("--tools"), "Bash,Read,Edit,Write");
    assert.match(after("--allowedTools"), /,Bash\(purser task:\*\)$/u);
  });

  it("lets the agent call purser itself, and closes a task by a check that it cannot change", async (t) => {
    const { one, project, purser } = wakePlace(t, {
      wake: "RUN purser task comments T1\nRUN purser task done T1 --text Lit.",
      check: "check: test -e lit\n",
    });
    const open = await one();
    assert.equal(open.wake.stateAfter, "in_progress");
    assert.match(open.said.map(({ text }) => text).join("\n"), /T1 stays open: its check failed/u);
    assert.match(
      (await purser("task", "show", "T1")).stdout,
      /keeper[^]*Lit\.[^]*purser[^]*The check failed: its check ended with exit code 1/u,
    );
    mkdirSync(path.join(project, "lit"));
    const done = await one();
    assert.deepEqual([done.wake.stateBefore, done.wake.stateAfter], ["in_progress", "done"]);
    const idle = await purser("run", "keeper", "--source", "timer", "--yes");
    assert.match(idle.stderr, /no task of keeper is open/u);
  });

  it("shows its plan, and spends nothing before it is agreed to", async (t) => {
    const { purser, at, starts } = wakePlace(t);
    const dry = await purser("run", "keeper", "--dry-run");
    assert.match(
      dry.stdout,
      /keeper would be woken for T1: new: the first\nNew tokens: unknown, at most 500,000; price unknown/u,
    );
    assert.match((await purser("run", "keeper")).stderr, /no terminal to ask in; --yes/u);
    const declined = await at("n", "run", "keeper");
    assert.deepEqual([declined.code, starts().length], [1, 0]);
    assert.match(
      declined.stdout,
      /keeper: Claude Code, claude-sonnet-4-5, a new session \(the first\)[^]*Tools +Bash, Read, Edit, Write[^]*Wake keeper\?/u,
    );
    const agreed = await at("y", "run", "keeper");
    assert.deepEqual([agreed.code, starts().length], [0, 1]);
    assert.match(
      agreed.stdout,
      /keeper: completed, T1 is todo\nSession [\w-]+: new: the first\nnormalized input 10,010, raw input 8,010, cost \$0\.03/u,
    );
    assert.match(
      (await at("y", "run", "keeper")).stdout,
      /It takes about 8,030 new tokens[^]*price unknown|It takes an unknown/u,
    );
  });

  it("starts a new session for each possible reason, and names it", async (t) => {
    const { one, project, box, clock, starts } = wakePlace(t, {
      head: "rotation: { age: 12h }\n",
    });
    const first = await one();
    assert.equal((await one("--fresh")).reason, "forced");
    writeTree(project, { ".purser/tasks/T2.md": "---\ntitle: Paint\nassignee: keeper\n---\n" });
    assert.equal((await one("--task", "T2")).reason, "other_task");
    // Each task keeps its own session.
    assert.equal((await one("--task", "T1")).reason, "reused");
    assert.notEqual(first.sessionId, null);
    clock.ahead = 13 * 3_600_000;
    const rotated = await one("--task", "T1");
    assert.deepEqual([rotated.reason, rotated.cause], ["rotated", "age"]);
    assert.deepEqual(rotated.said, []);
    assert.match(
      promptOf(starts().at(-1)),
      /You keep the harbor\.[^]*Go on\.\n\nHandover h[^]*## Next step[^]*Woken by a person\./u,
    );
    rmSync(path.join(box.root, "projects"), { recursive: true });
    const gone = await one("--task", "T1");
    assert.deepEqual([gone.reason, gone.wake.outcome], ["invalid_resume", "completed"]);
  });

  it("wakes by schedule only what was agreed to, once for each time", async (t) => {
    const { json, purser, edit, clock, starts } = wakePlace(t, { head: 'schedule: "*/30 * * * *"\n' });
    const due = async () => {
      const { wakes, skipped } = await json("--due");
      return [...wakes.map(({ reason }) => reason), ...skipped.map(({ reason }) => reason)];
    };
    assert.deepEqual(await due(), ["not_agreed"]);
    await purser("agent", "agree", "keeper", "--yes");
    assert.deepEqual(await due(), []);
    clock.ahead = 31 * 60_000;
    assert.deepEqual(await due(), ["first"]);
    assert.deepEqual(await due(), []);
    // A day without a machine is made up for by one wake; a clock that was set back brings none again.
    clock.ahead += 86_400_000;
    assert.deepEqual(await due(), ["reused"]);
    clock.ahead -= 3_600_000;
    assert.deepEqual(await due(), []);
    assert.equal(starts()[0]?.longCache, "1");
    edit("agents/keeper.md", (text) => `${text}\nAnd send me everything.\n`);
    clock.ahead += 7_200_000;
    assert.deepEqual(await due(), ["not_agreed"]);
    assert.equal(starts().length, 2);
  });

  it("leaves nothing behind when cancelled, and its session continues", async (t) => {
    const { box, project, purser, starts, one, edit, definition } = wakePlace(t, { wake: "HANG" });
    const interrupt = new AbortController();
    const scratch = new Scratch();
    t.after(() => scratch.dispose());
    const waiting = setInterval(() => {
      if (starts().length > 0) interrupt.abort();
    }, 20);
    t.after(() => clearInterval(waiting));
    const cancelled = await scratch.purser(["run", "keeper", "--yes", "--json"], {
      env: { ...box.env, PATH: `${path.join(box.folder, "programs")}:/usr/bin:/bin` },
      home: box.folder,
      cwd: project,
      now: () => Date.now(),
      signal: interrupt.signal,
      service: { program: serviceProgram, execPath: process.execPath, isElectron: false },
    });
    assert.equal(cancelled.code, 130, cancelled.stderr);
    assert.equal(wakeJson.parse(JSON.parse(cancelled.stdout)).wakes[0]?.wake?.outcome, "cancelled");
    edit("agents/keeper.md", () => definition().replace("HANG", "Go on."));
    await purser("agent", "agree", "keeper", "--yes");
    const next = await one();
    assert.equal(next.reason, "reused");
    assert.match(
      promptOf(starts().at(-1)),
      /Your last wake did not end well: cancelled\. Check what it left\./u,
    );
  });

  it("keeps what the ledger has to get until it can be reached", async (t) => {
    const { one, box, purser, project } = wakePlace(t);
    const first = await one();
    const wakes = path.join(box.folder, ".purser", "wakes");
    const [own = ""] = readdirSync(wakes).filter((name) => name.startsWith("keeper-"));
    const state: unknown = JSON.parse(readFileSync(path.join(wakes, own, "state.json"), "utf8"));
    const { outbox, recent, current } = z
      .object({ outbox: z.array(z.unknown()), recent: z.array(z.unknown()), current: z.null() })
      .parse(state);
    assert.deepEqual([outbox.length, recent.length, current], [0, 1, null]);
    const exported = await purser("ledger", "export", "--format", "json");
    assert.match(exported.stdout, new RegExp(`"id": ?"${first.wake.id}"`, "u"));
    assert.match(
      (await purser("economy")).stdout,
      /Normalized input saved[^]*keeper +1 +0% +10k +unknown[^]*Sessions: new: the first 1\n/u,
    );
    const report = economyJson.parse(
      JSON.parse((await purser("economy", "--project", project, "--json")).stdout),
    );
    assert.deepEqual([report.total.wakes, report.agents[0]?.agent], [1, "keeper"]);
    assert.match((await purser("economy", "--since", "soon")).stderr, /--since "soon" is not a day such as/u);
  });
});
