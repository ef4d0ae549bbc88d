import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { z } from "zod";
import { handoverJson } from "../../../src/engine/cli/handover/print-handover.ts";
import type { PartialSettings } from "../../../src/engine/settings/shape.ts";
import { childEnv } from "../../engine/support/child-env.ts";
import type { Scratch } from "../scratch.ts";

const cli = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));

/** Runs the built CLI in the workspace as the user of a scratch home. @returns its standard output */
export async function runPurser(
  { home, config, workspace }: Scratch,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await execa(process.execPath, [cli, ...args], {
    cwd: workspace,
    extendEnv: false,
    env: {
      ...childEnv,
      HOME: home,
      CLAUDE_CONFIG_DIR: config,
      // Command hooks look here too, since they inherit the agent's environment.
      PURSER_HOME: purserHomeOf({ home }),
      PURSER_IDLE_MINUTES: "2",
      ...env,
    },
    timeout: 60_000,
  });
  return stdout;
}

export function purserHomeOf({ home }: Pick<Scratch, "home">): string {
  return join(home, ".purser");
}

/**
 * Writes the user's settings. Hooks are posted by default, whatever other accounts the test machine has. No
 * session gets an earlier one's work, so that requests of two sessions can be compared.
 */
export function setPurser(scratch: Scratch, settings: PartialSettings = {}): void {
  const folder = purserHomeOf(scratch);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const all = { hookPosting: "always", continuityStart: "off", ...settings } satisfies PartialSettings;
  writeFileSync(join(folder, "settings.json"), JSON.stringify(all), { mode: 0o600 });
}

/** Makes the workspace a repository on a branch. */
export function checkOut({ workspace }: Scratch, branch: string): void {
  mkdirSync(join(workspace, ".git", "objects"), { recursive: true });
  mkdirSync(join(workspace, ".git", "refs"), { recursive: true });
  writeFileSync(join(workspace, ".git", "HEAD"), `ref: refs/heads/${branch}\n`);
}

/** The branch on which a session worked, by the document that hands it over now. */
export async function workBranch(
  scratch: Scratch,
  session: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  return handoverJson.parse(JSON.parse(await runPurser(scratch, ["handover", session, "--json"], env)))
    .branch;
}

/** A late answer on a busy machine is empty, like one without content. */
const outcome = z
  .string()
  .nullish()
  .transform((word) => (word === "late" ? "none" : word));

const exported = z.object({
  hook_events: z.array(z.looseObject({ event: z.string(), outcome, rule: z.string().nullish() })).default([]),
  guard_hits: z.array(z.looseObject({ id: z.string(), rule: z.string(), done: z.string() })).default([]),
  questions: z
    .array(
      z.looseObject({
        agent: z.string(),
        to_agent: z.string().nullish(),
        body: z.string(),
        status: z.string(),
        chars: z.number().nullish(),
      }),
    )
    .default([]),
});

/** Stops the service and returns the ledger's exported tables. */
export async function exportedLedger(scratch: Scratch): Promise<z.infer<typeof exported>> {
  await runPurser(scratch, ["service", "stop"]);
  const text = await runPurser(scratch, ["ledger", "export", "--format", "json"]);
  return z.object({ tables: exported }).parse(JSON.parse(text)).tables;
}

/** Whether purser noted that a service that a hook started, or a handler of a hook, took too long. */
export function wasLate(scratch: Scratch): boolean {
  const read = (name: string) => {
    const file = join(purserHomeOf(scratch), name);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };
  return read("hook-start") === "late" || /hook handler \S+ took more than/u.test(read("service.log"));
}

/** The pid of the running service; null when none runs. */
export function servicePid(scratch: Scratch): number | null {
  const file = join(purserHomeOf(scratch), "service.json");
  if (!existsSync(file)) return null;
  return z.looseObject({ pid: z.int() }).parse(JSON.parse(readFileSync(file, "utf8"))).pid;
}
