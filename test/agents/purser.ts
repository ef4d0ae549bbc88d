import { execa } from "execa";
import { z } from "zod";
import type { Scratch } from "./scratch.ts";

const figure = z.looseObject({ provenance: z.enum(["official", "measured", "estimated", "unknown"]) });

const statusSchema = z.looseObject({
  schema: z.literal(1),
  sessions: z.array(
    z.looseObject({
      id: z.string(),
      cwd: z.string(),
      model: z.string(),
      window: figure.extend({ tokens: z.number().nullable() }),
      context: figure.extend({ tokens: z.number().nullable() }),
      advice: z.string(),
      cost: figure.extend({ usd: z.number().nullable() }),
      subagents: z.array(z.looseObject({ id: z.string() })),
      // A count, or the list of them.
      compactions: z.union([z.number(), z.array(z.unknown())]),
      skippedLines: z.union([z.number(), z.record(z.string(), z.unknown())]),
    }),
  ),
});

const usageRow = z.looseObject({
  input: z.number(),
  output: z.number(),
  cacheCreation: z.number(),
  cacheRead: z.number(),
});

const usageSchema = z.looseObject({
  schema: z.literal(1),
  rows: z.array(usageRow.extend({ key: z.string(), model: z.string() })),
  totals: usageRow,
});

export type PurserStatus = z.infer<typeof statusSchema>;
export type PurserUsage = z.infer<typeof usageSchema>;

export async function purserStatus(cli: string, scratch: Scratch): Promise<PurserStatus> {
  return statusSchema.parse(await runJson(cli, scratch, ["status", "--json", "--cwd", scratch.workspace]));
}

export async function purserUsage(cli: string, scratch: Scratch, by: string): Promise<PurserUsage> {
  return usageSchema.parse(await runJson(cli, scratch, ["usage", "--json", "--by", by]));
}

/** Runs the built CLI on the scratch config folder; nothing of the caller's environment but PATH reaches it. */
async function runJson(cli: string, scratch: Scratch, args: readonly string[]): Promise<unknown> {
  const { stdout } = await execa(process.execPath, [cli, ...args], {
    cwd: scratch.workspace,
    extendEnv: false,
    env: { PATH: process.env["PATH"], HOME: scratch.home, CLAUDE_CONFIG_DIR: scratch.config },
    timeout: 20_000,
  });
  return JSON.parse(stdout);
}
