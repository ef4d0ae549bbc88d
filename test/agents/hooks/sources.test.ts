import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../../../src/engine/base/timing.ts";
import { checkJson } from "../../../src/engine/cli/sessions/self-check.ts";
import type { SessionSnapshot } from "../../../src/engine/sessions/snapshot.ts";
import { thisMachine } from "../../../src/engine/base/process/machine.ts";
import { purserPaths } from "../../../src/engine/base/disk/home.ts";
import { connectService } from "../../../src/engine/service/client.ts";
import { openAgent } from "../agent.ts";
import { purserHomeOf, runPurser, setPurser } from "./purser.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";
import type { Scratch } from "../scratch.ts";

const patience = 15_000; // ms for an event to arrive
const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = `Claude Code ${newestClaude}'s hooks are in the live session before and without its transcript`;

if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 120_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "s");
    const { scratch } = agent;
    const settings = join(scratch.config, "settings.json");
    // The user's own hook pauses the agent at each of these moments until the state was seen.
    const mine = JSON.stringify(
      {
        hooks: {
          SessionStart: heldUntil("starting"),
          PreCompact: heldUntil("compacting"),
          Stop: heldUntil("waiting"),
        },
      },
      null,
      2,
    );
    await writeFile(settings, mine);
    setPurser(scratch);
    await runPurser(scratch, ["service", "restart"]);
    await runPurser(scratch, ["hooks", "install", "--yes"]);
    const received: SessionSnapshot[] = [];
    const client = await listen(scratch, (sessions) => received.push(...sessions));
    try {
      const alone = await agent.turn({
        prompt: "Say a word.",
        args: ["--no-session-persistence"],
        lines: { main: [says("Ahoy.", usageOf(0, 10_000, 20_000, 40))] },
      });
      const states = received.filter(({ id }) => id === alone).map(({ activity }) => activity);
      assert.equal(states[0]?.state, "starting");
      assert.ok(states.some((activity) => activity?.state === "waiting" && activity.lastMessage === "Ahoy."));
      assert.ok(
        received.every(({ id, turns }) => id !== alone || turns === 0),
        "no row told any of it",
      );

      const talked = await agent.turn({
        prompt: "Print a word.",
        lines: {
          main: [
            calls("Bash", { command: "echo one", description: "Print" }, usageOf(0, 10_000, 120_000, 40)),
            says("One.", usageOf(0, 100, 130_000, 60)),
          ],
        },
      });
      received.length = 0;
      await agent.turn({
        prompt: "/compact",
        resume: talked,
        lines: { summary: [says("<summary>A word was printed.</summary>", usageOf(0, 500, 130_000, 200))] },
      });
      await client.ask("status", {});
      const seen = received.filter(({ id }) => id === talked);
      assert.ok(
        seen.some(({ activity, compactions }) => activity?.state === "compacting" && compactions === 0),
      );
      const last = await onceEnded(client, talked);
      assert.equal(last.compactions, 1, "reported by the hook and by the transcript, counted once");
    } finally {
      client.dispose();
      await runPurser(scratch, ["hooks", "uninstall", "--yes"]);
      await runPurser(scratch, ["service", "stop"]);
      await agent.close();
    }
  });

const gated = `Claude Code ${newestClaude} is asked once about open work, and its skill tells of its own session`;
if (!installed.ok)
  test(gated, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(gated, { timeout: 120_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "g");
    const { scratch, standIn } = agent;
    try {
      await runPurser(scratch, ["hooks", "install", "--yes"]);
      await writeFile(join(scratch.home, ".purser", "settings.json"), '{ "stopGate": "ask" }');
      // The service has read it before the agent begins.
      await runPurser(scratch, ["service", "restart"]);
      const file = join(scratch.workspace, "mast.ts");
      const id = await agent.turn({
        prompt: "Write the mast.",
        lines: {
          main: [
            calls("Write", { file_path: file, content: "export {};\n" }, usageOf(0, 10_000, 20_000, 40)),
            says("Written.", usageOf(0, 100, 30_000, 60)),
            says("It is meant.", usageOf(0, 100, 30_100, 60)),
          ],
        },
      });
      const isAsked = standIn.exchanges.map(({ request }) =>
        request.lastContent.includes("Purser asks once"),
      );
      assert.deepEqual(isAsked, [false, false, true]);
      const before = standIn.exchanges.length;
      await agent.turn({
        prompt: "/check-tokens",
        resume: id,
        lines: { main: [says("Enough.", usageOf(0, 600, 30_200, 20))] },
      });
      const shown = standIn.exchanges[before]?.request.lastContent ?? "";
      const command = /node \S*cli\.cjs\S* status --session (?<id>[\w-]+) --json/u.exec(shown);
      assert.equal(command?.groups?.["id"], id, shown.slice(0, 2000));
      const json = checkJson.parse(
        JSON.parse(await runPurser(scratch, ["status", "--session", id, "--json"])),
      );
      assert.deepEqual([json.session, json.tokensUsed, json.tokenLimit], [id, 30_800, 200_000]);
    } finally {
      await runPurser(scratch, ["hooks", "uninstall", "--yes"]);
      await runPurser(scratch, ["service", "stop"]);
      await agent.close();
    }
  });

const measured = `Claude Code ${newestClaude}'s own figures come by purser's mod, where no status line is shown and no transcript is kept`;
if (!installed.ok)
  test(measured, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(measured, { timeout: 120_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "m");
    const { scratch } = agent;
    // The user's own hook pauses the agent before it ends, so that the figures can be seen.
    const held = [{ hooks: [{ type: "command", command: "cat >/dev/null; sleep 1.2; echo '{}'" }] }];
    await writeFile(
      join(scratch.config, "settings.json"),
      JSON.stringify({ hooks: { Stop: held, SessionEnd: held } }),
    );
    setPurser(scratch);
    await runPurser(scratch, ["service", "restart"]);
    const received: SessionSnapshot[] = [];
    const client = await listen(scratch, (sessions) => received.push(...sessions));
    try {
      await runPurser(scratch, ["hooks", "install", "--yes", "--status-line"]);
      const id = await agent.turn({
        prompt: "Say a word.",
        args: ["--no-session-persistence"],
        lines: { main: [says("Ahoy.", usageOf(0, 10_000, 20_000, 40))] },
      });
      const own = received.filter((session) => session.id === id);
      assert.ok(
        own.some(({ occupancy, window }) => occupancy.value === 30_000 && window.value === 200_000),
        JSON.stringify(own.map(({ occupancy, window }) => [occupancy, window])),
      );
      await runPurser(scratch, ["hooks", "uninstall", "--yes"]);
      assert.ok(!existsSync(join(scratch.config, "skills")));
    } finally {
      client.dispose();
      await runPurser(scratch, ["service", "stop"]);
      await agent.close();
    }
  });

/** A hook that continues once its session was seen in a state, or after 10 seconds, in which case the assertion fails. */
function heldUntil(state: string) {
  const id = String.raw`id=$(sed -n 's/.*"session_id":"\([^"]*\)".*/\1/p')`;
  const wait = `for i in $(seq 100); do [ -e "$HOME/seen/$id.${state}" ] && break; sleep 0.1; done`;
  return [{ hooks: [{ type: "command", command: `${id}; ${wait}; echo '{}'` }] }];
}

/** @param hear called with each snapshot; its sessions' states then count as seen */
async function listen(scratch: Scratch, hear: (sessions: readonly SessionSnapshot[]) => void) {
  const home = purserPaths({ env: { PURSER_HOME: purserHomeOf(scratch) }, home: scratch.home });
  const found = await connectService({
    home,
    machine: thisMachine(),
    clock: systemClock,
    version: "0.0.0",
    onProblem: (message) => assert.fail(message),
  });
  assert.ok(found.ok, found.ok ? "" : found.detail.text);
  const client = found.value;
  await client.ask("configure", {
    roots: [{ agent: "claude-code", path: scratch.config }],
    env: {},
    folders: [],
  });
  const seen = join(scratch.home, "seen");
  mkdirSync(seen);
  client.on("snapshot", ({ sessions }) => {
    hear(sessions);
    for (const { id, activity } of sessions)
      if (activity !== null) writeFileSync(join(seen, `${id}.${activity.state}`), "");
  });
  await client.ask("subscribe", {});
  return client;
}

/** The session, once its last hook was received. */
async function onceEnded(client: Awaited<ReturnType<typeof listen>>, id: string): Promise<SessionSnapshot> {
  const end = Date.now() + patience;
  for (;;) {
    const now = await client.ask("status", {});
    assert.ok(now.ok);
    const session = now.value.sessions.find((one) => one.id === id);
    if (session?.activity?.state === "ended") return session;
    assert.ok(Date.now() < end, `${id} is still ${session?.activity?.state ?? "unknown"}`);
    await pause(100);
  }
}
