import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { statusJson, type StatusJson } from "../../../src/engine/cli/sessions/sessions-outcome.ts";
import { usageJson } from "../../../src/engine/cli/usage/usage-schema.ts";
import type { UsageJson } from "../../../src/engine/cli/usage/usage-schema.ts";
import { childEnv } from "../../engine/support/child-env.ts";
import type { Scratch } from "../scratch.ts";

/** The CLI as it is shipped: built by `node esbuild.mjs`. */
export const builtCli = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));

/** `purser status --json` for the scratch workspace, checked against its documented shape. */
export async function purserStatus(cli: string, scratch: Scratch): Promise<StatusJson> {
  return statusJson.parse(await runJson(cli, scratch, ["status", "--json", "--cwd", scratch.workspace]));
}

/** `purser usage --json`, checked against its documented shape. */
export async function purserUsage(cli: string, scratch: Scratch, by: string): Promise<UsageJson> {
  return usageJson.parse(await runJson(cli, scratch, ["usage", "--json", "--by", by]));
}

/** Runs the built CLI on the scratch config folder with only the environment variables any program needs. */
async function runJson(cli: string, scratch: Scratch, args: readonly string[]): Promise<unknown> {
  const { stdout } = await execa(process.execPath, [cli, ...args], {
    cwd: scratch.workspace,
    extendEnv: false,
    env: { ...childEnv, HOME: scratch.home, CLAUDE_CONFIG_DIR: scratch.config },
    timeout: 20_000,
  });
  return JSON.parse(stdout);
}
