import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as z from "zod";
import type { Result } from "../../../src/engine/base/result.ts";
import { trustHash } from "../../../src/engine/hooks/install/codex-trust.ts";
import { openAgent } from "../agent.ts";
import { codexVersion, installCodex } from "../codex-install.ts";
import { openCodex } from "../codex.ts";
import { copilotVersion, installCopilot } from "../copilot-install.ts";
import { openCopilot } from "../copilot.ts";
import { geminiVersion, installGemini } from "../gemini-install.ts";
import { openGemini } from "../gemini.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import type { Scratch } from "../scratch.ts";
import { answers, callsTool, codexTokens } from "../stand-in/codex-reply.ts";
import { calls as geminiCalls, geminiTokens, says as geminiSays } from "../stand-in/gemini-reply.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";
import { purserHomeOf, runPurser, setPurser } from "./purser.ts";

const cache = agentsCache(process.env, homedir());

/** An agent with a user's own settings, and a turn in which its model asks for two shell commands. */
interface Tried {
  readonly scratch: Scratch;
  readonly agent: "claude" | "codex" | "copilot" | "gemini";
  readonly settings: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Returns what the model was sent. */
  readonly turn: (first: string, second: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

const usage = usageOf(101, 0, 9001, 51);

async function claude(binary: string): Promise<Tried> {
  const opened = await openAgent(newestClaude, binary, "w");
  const { scratch, standIn } = opened;
  const bash = (command: string) => calls("Bash", { command, description: "Work" }, usage);
  return {
    scratch,
    agent: "claude",
    settings: join(scratch.config, "settings.json"),
    turn: async (first, second) => {
      const from = standIn.exchanges.length;
      await opened.turn({
        prompt: "Work.",
        lines: { main: [bash(first), bash(second), says("Done.", usage)] },
      });
      return standIn.exchanges
        .slice(from)
        .map(({ request }) => request.lastContent)
        .join("\n");
    },
    close: () => opened.close(),
  };
}

async function copilot(program: Parameters<typeof openCopilot>[0]): Promise<Tried> {
  const opened = await openCopilot(program, "w");
  const { scratch, home, standIn } = opened;
  const env = { COPILOT_HOME: home, COPILOT_ALLOW_ALL: "true" };
  const bash = (command: string) => calls("bash", { command, description: "Work" }, usage);
  return {
    scratch,
    agent: "copilot",
    settings: join(home, "hooks", "purser.json"),
    env: { COPILOT_HOME: home },
    turn: async (first, second) => {
      const from = standIn.exchanges.length;
      await opened.turn({
        prompt: "Work.",
        env,
        lines: { main: [bash(first), bash(second), says("Done.", usage)] },
      });
      return standIn.exchanges
        .slice(from)
        .map(({ request }) => request.lastContent)
        .join("\n");
    },
    close: () => opened.close(),
  };
}

async function codex(binary: string): Promise<Tried> {
  const opened = await openCodex(binary, "w");
  const { scratch, home, standIn } = opened;
  const tokens = codexTokens(9000, 0, 1000);
  const bash = (cmd: string) => callsTool("exec_command", { cmd }, tokens);
  return {
    scratch,
    agent: "codex",
    settings: join(home, "hooks.json"),
    env: { CODEX_HOME: home },
    turn: async (first, second) => {
      await opened.turn({
        prompt: "Work.",
        lines: { main: [bash(first), bash(second), answers("Done.", tokens)] },
      });
      // The last request of a turn has everything before it.
      return standIn.exchanges.at(-1)?.body ?? "";
    },
    close: () => opened.close(),
  };
}

async function gemini(program: Parameters<typeof openGemini>[0]): Promise<Tried> {
  const opened = await openGemini(program);
  const { scratch, standIn } = opened;
  const tokens = geminiTokens(9000, 0, 50);
  const bash = (command: string) =>
    geminiCalls("run_shell_command", { command, description: "Work" }, tokens);
  return {
    scratch,
    agent: "gemini",
    settings: join(scratch.home, ".gemini", "settings.json"),
    turn: async (first, second) => {
      await opened.turn({
        prompt: "Work.",
        lines: { main: [bash(first), bash(second), geminiSays("Done.", tokens)] },
      });
      return standIn.exchanges.at(-1)?.body ?? "";
    },
    close: () => opened.close(),
  };
}

const hookList = z.object({
  hooks: z.record(z.string(), z.array(z.object({ hooks: z.array(z.looseObject({})) }))),
});

/** Writes what Codex writes itself when a person reviews hooks. */
async function review(settings: string): Promise<void> {
  const { hooks } = hookList.parse(JSON.parse(await readFile(settings, "utf8")));
  for (const [event, [group]] of Object.entries(hooks)) {
    const place = event.replaceAll(/(?!^)[A-Z]/gu, (letter) => `_${letter}`).toLowerCase();
    const hash = trustHash({ event, value: group?.hooks[0] });
    const config = join(settings, "..", "config.toml");
    await appendFile(config, `\n[hooks.state."${settings}:${place}:0:0"]\ntrusted_hash = "${hash}"\n`);
  }
}

/** The guard stops it. What it prints shows that it ran, which the command itself does not. */
const destructive = "printf 'ran-%s' 42; chmod -R 777 .";
const harmless = "printf 'fine-%s' 4";

async function tryWays({ scratch, agent, settings, env, turn, close }: Tried): Promise<void> {
  const purser = (...args: readonly string[]) => runPurser(scratch, args, env);
  const set = (safety: "on" | "required") =>
    setPurser(scratch, { hookPosting: "never", guardFamilies: { safety } });
  const read = async () => (existsSync(settings) ? await readFile(settings) : null);
  try {
    const before = await read();
    set("on");
    await purser("service", "restart");
    await purser("hooks", "install", "--yes", "--agent", agent);
    if (agent === "codex") await review(settings);
    // Without its program only curl can pass a hook on.
    const script = join(purserHomeOf(scratch), "hook.sh");
    const text = await readFile(script, "utf8");
    await writeFile(script, text.replace(/^program=.*$/mu, "program='/gone/hook.cjs'"));

    const served = await turn(destructive, harmless);
    assert.match(served, /Context Purser/u);
    assert.doesNotMatch(served, /ran-42/u);
    assert.match(served, /fine-4/u);

    await purser("service", "stop");
    const open = await turn(destructive, harmless);
    assert.match(open, /ran-42/u);
    assert.match(open, /fine-4/u);

    set("required");
    const closed = await turn(destructive, harmless);
    assert.doesNotMatch(closed, /ran-42|fine-4/u);
    // Copilot CLI passes on no reason.
    assert.match(closed, agent === "copilot" ? /hook exited with code 2/u : /could not judge this call/u);

    await writeFile(script, text);
    await purser("hooks", "uninstall", "--yes", "--agent", agent);
    assert.deepEqual(await read(), before);
    assert.equal(existsSync(script), false);
  } finally {
    await purser("service", "stop");
    await close();
  }
}

/** How to open an agent, or why it cannot be installed here. */
function opening<Program>(
  installed: Result<Program>,
  open: (program: Program) => Promise<Tried>,
): string | (() => Promise<Tried>) {
  return installed.ok ? () => open(installed.value) : installed.detail.text;
}

const tried = {
  [`Claude Code ${newestClaude}`]: opening(await installClaude(newestClaude, cache), claude),
  [`Codex ${codexVersion}`]: opening(await installCodex(cache), codex),
  [`Copilot CLI ${copilotVersion}`]: opening(await installCopilot(cache), copilot),
  [`Gemini CLI ${geminiVersion}`]: opening(await installGemini(cache), gemini),
};

for (const [agent, open] of Object.entries(tried)) {
  const name = `${agent} with hooks through curl: a denial and an approval arrive, a dead service lets calls run, and none where guards are required`;
  if (typeof open === "string") test(name, { skip: `SKIPPED, the agent cannot be installed here: ${open}` });
  else test(name, { timeout: 180_000 }, async () => await tryWays(await open()));
}
