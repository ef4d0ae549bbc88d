/** Processor time of hooks in each way that an agent can reach the service, as ratios to `sh -c true` in the same loop. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import path from "node:path";
import { purserPaths, type PurserPaths } from "../../src/engine/base/paths.ts";
import { hookScript } from "../../src/engine/hooks/install/settings/hook-script.ts";
import { wantedHooks } from "../../src/engine/hooks/install/settings/wanted-hooks.ts";
import { hookPrograms, probeSession, type HookProgram } from "../../src/engine/hooks/program.ts";
import { post } from "../engine/service/support/hooks.ts";
import { quantileOf } from "./quantile.ts";

interface WaysInput {
  readonly home: PurserPaths;
  /** The built hook program. */
  readonly shim: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly service: { readonly pid: number; readonly port: number; readonly token: string };
  readonly rounds: number;
}

/** How an agent runs its commands, and its hooks around one tool call. */
const agents: Readonly<Record<HookProgram, { shell: string; events: readonly string[] }>> = {
  "claude-code": { shell: "/bin/sh", events: ["PreToolUse", "PostToolUse", "PostToolBatch"] },
  codex: { shell: "bash", events: ["PreToolUse", "PostToolUse", "PostModelRequest"] },
  copilot: { shell: "bash", events: ["PreToolUse", "PostToolUse"] },
  gemini: { shell: "bash", events: ["BeforeTool", "AfterTool"] },
};

const runs = 5;
const ways = ["node", "curl"] as const;
/** Promised: curl's share of what the hook program takes. */
const promised = 0.25;

function lineOf(
  program: HookProgram,
  event: string,
  way: "node" | "curl",
  { home, shim }: WaysInput,
): string {
  const script = way === "curl" ? path.join(home.folder, "hook.sh") : null;
  const about = { program, shim: { path: shim, runtime: "node" }, script, address: null };
  const hook = wantedHooks({ ...about, isShared: false, platform: "linux" }).find(
    (each) => each.event === event,
  );
  return String(hook?.handler["command"] ?? hook?.handler["bash"]);
}

/** Milliseconds of a process. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Milliseconds of the processes that one run of a command starts. */
function timeCommand(line: string, shell: string, input: string, env: WaysInput["env"]): number {
  const loop = `for each in {1..${runs}}; do "$SHELL_OF_AGENT" -c "$LINE" < "$INPUT" > /dev/null; done; times`;
  const { stdout, status } = spawnSync("bash", ["--norc", "-c", loop], {
    env: { ...env, LINE: line, INPUT: input, SHELL_OF_AGENT: shell },
    encoding: "utf8",
  });
  assert.equal(status, 0);
  const [, children = ""] = stdout.trim().split("\n");
  const times = [...children.matchAll(/(\d+)m([\d.,]+)s/gu)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds?.replace(",", ".")),
  );
  return (times.reduce((sum, time) => sum + time, 0) * 1000) / runs;
}

async function timePosts({ service }: WaysInput, body: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const count = 500;
  const before = processorTime(service.pid);
  for (let call = 0; call < count; call += 1)
    assert.equal((await post(service, body, { agent })).status, 200);
  agent.destroy();
  return (processorTime(service.pid) - before) / count;
}

/** Medians of rounds in which every way has its turn, so that a busy moment meets all alike. */
function measureCommands(input: WaysInput, body: string): Map<string, number> {
  const lines = hookPrograms.flatMap((program) =>
    ways.map((way) => ({
      name: `${program} ${way}`,
      line: lineOf(program, agents[program].events[0] ?? "", way, input),
      shell: agents[program].shell,
    })),
  );
  const all = [{ name: "true", line: "true", shell: "/bin/sh" }, ...lines];
  const times = new Map<string, number[]>(all.map(({ name }) => [name, []]));
  for (let round = 0; round < input.rounds; round += 1)
    for (const { name, line, shell } of all) times.get(name)?.push(timeCommand(line, shell, body, input.env));
  return new Map([...times].map(([name, each]) => [name, quantileOf(each, 0.5)]));
}

/** @returns what is not as promised */
export async function measureWays(input: WaysInput): Promise<string[]> {
  const { home, shim, rounds } = input;
  writeFileSync(
    path.join(home.folder, "hook.sh"),
    hookScript(
      { path: shim, runtime: "node" },
      purserPaths({ env: { PURSER_HOME: home.folder }, home: "/" }),
    ),
  );
  const body = JSON.stringify({ session_id: probeSession(randomUUID()), hook_event_name: "PreToolUse" });
  const file = path.join(home.folder, "input.json");
  writeFileSync(file, body);
  const faults: string[] = [];
  for (const load of ["quiet", "beside two busy loops"] as const) {
    const loops = load === "quiet" ? [] : [1, 2].map(() => spawn("/bin/sh", ["-c", "while :; do :; done"]));
    try {
      const times = measureCommands(input, file);
      const bare = times.get("true") ?? NaN;
      const ratio = (name: string) => (times.get(name) ?? NaN) / bare;
      const posted = (await timePosts(input, body)) / bare;
      console.log(
        `processor time as multiples of sh -c true (${bare.toFixed(1)} ms), ${load}, medians of ${rounds} rounds:`,
      );
      for (const program of hookPrograms) {
        const [node, curl] = ways.map((way) => ratio(`${program} ${way}`));
        const count = agents[program].events.length;
        const http = program === "claude-code" ? `http ${posted.toFixed(1)} (the service alone), ` : "";
        console.log(
          `  ${program}: ${http}curl ${curl?.toFixed(1)}, node ${node?.toFixed(1)}; ` +
            `a tool call with its ${count} hooks: ${((node ?? 0) * count).toFixed(0)} before, ${((curl ?? 0) * count).toFixed(0)} after`,
        );
        if (!((curl ?? NaN) <= promised * (node ?? NaN)))
          faults.push(`${program} with curl takes more than a quarter of what Node takes (${load})`);
      }
    } finally {
      for (const loop of loops) loop.kill("SIGKILL");
    }
  }
  return faults;
}
