import { readSettings, hookFile } from "../../hooks/install.ts";
import { ownHooks } from "../../hooks/repair-hooks.ts";
import { hookPrograms, isWithShim } from "../../hooks/program.ts";
import { isObject } from "../../base/parse.ts";
import { playHook } from "../doctor/play-hook.ts";
import type { CliHost } from "../cli-ports.ts";
import { hookAddress, installContext } from "./hooks-context.ts";

/** Test calls per kind of hook; their median counts. */
const calls = 3;

/** Names of Gemini CLI's events, as the ledger has them. */
const ledgerNames: Readonly<Record<string, string>> = {
  BeforeAgent: "UserPromptSubmit",
  BeforeTool: "PreToolUse",
  AfterTool: "PostToolUse",
  AfterAgent: "Stop",
};

/**
 * Measures now how long the user's own hooks take from their start to the answer, without what handlers do: test calls reach none. Of agents
 * whose hooks differ, the slowest counts. Milliseconds, by the ledger's names of events.
 */
export async function startTimes(host: CliHost): Promise<ReadonlyMap<string, number>> {
  const context = installContext(host, host.cwd, await hookAddress(host, false));
  const slowest = new Map<string, number>();
  for (const program of hookPrograms) {
    const found = hookFile(program, "user", context);
    const settings = found.ok ? await readSettings(found.value.file, context.disk) : found;
    if (!settings.ok || settings.value.bytes === null) continue;
    const times = new Map<string, number | null>();
    for (const { event, value } of ownHooks(settings.value.bytes, program)) {
      const kind = isObject(value) && "url" in value ? "http" : isWithShim(event) ? "shim" : "command";
      if (!times.has(kind)) times.set(kind, await medianOf(program, event, value, context.platform, host));
      const name = ledgerNames[event] ?? event;
      const time = times.get(kind) ?? null;
      if (time !== null) slowest.set(name, Math.max(time, slowest.get(name) ?? 0));
    }
  }
  return slowest;
}

/** Null where no service answers. */
async function medianOf(
  program: (typeof hookPrograms)[number],
  event: string,
  handler: unknown,
  platform: NodeJS.Platform,
  { env, cwd, signal }: CliHost,
): Promise<number | null> {
  const times: number[] = [];
  while (times.length < calls) {
    const played = await playHook({ program, event, handler, env, cwd, platform, signal });
    if (played.kind !== "answered") return null;
    times.push(played.ms);
  }
  return times.toSorted((one, other) => one - other)[1] ?? null;
}
