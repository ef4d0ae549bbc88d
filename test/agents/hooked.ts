import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { z } from "zod";
import type { ToldSettings } from "../../src/engine/settings/shape.ts";
import { childEnv } from "../engine/support/child-env.ts";
import type { Scratch } from "./scratch.ts";

const cli = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));

/** Runs the built CLI as the user of a scratch home does, in the workspace. @returns what it printed */
export async function purserOf(
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
      // Where hooks that are commands look for it too: they have the agent's environment.
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

/** What the user set, as in a file of their own: hooks are posted, whoever else has an account where the tests run. */
export function setPurser(scratch: Scratch, settings: ToldSettings = {}): void {
  const folder = purserHomeOf(scratch);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const all = { hookPosting: "always", ...settings } satisfies ToldSettings;
  writeFileSync(join(folder, "settings.json"), JSON.stringify(all), { mode: 0o600 });
}

/** Makes the workspace a repository on a branch. */
export function checkOut({ workspace }: Scratch, branch: string): void {
  mkdirSync(join(workspace, ".git", "objects"), { recursive: true });
  mkdirSync(join(workspace, ".git", "refs"), { recursive: true });
  writeFileSync(join(workspace, ".git", "HEAD"), `ref: refs/heads/${branch}\n`);
}

const exported = z.object({
  hook_events: z
    .array(z.looseObject({ event: z.string(), outcome: z.string().nullish(), rule: z.string().nullish() }))
    .default([]),
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

/** What the ledger has, read when the service has ended. */
export async function exportedLedger(scratch: Scratch): Promise<z.infer<typeof exported>> {
  await purserOf(scratch, ["service", "stop"]);
  const text = await purserOf(scratch, ["ledger", "export", "--format", "json"]);
  return z.object({ tables: exported }).parse(JSON.parse(text)).tables;
}

/** The process of the service that runs; null when none does. */
export function servicePid(scratch: Scratch): number | null {
  const file = join(purserHomeOf(scratch), "service.json");
  if (!existsSync(file)) return null;
  return z.looseObject({ pid: z.int() }).parse(JSON.parse(readFileSync(file, "utf8"))).pid;
}
