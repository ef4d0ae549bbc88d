import * as z from "zod/mini";
import { readPrivateFile, writePrivateFile } from "../../base/private-files.ts";
import { parseJson } from "../../base/parse.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { sentence } from "../../base/language.ts";

const machine = z.object({
  /** `ssh://host`, `wsl://NAME`, `docker://NAME`, or an absolute folder. */
  address: z.string(),
  /** The words that run purser there. */
  command: z.array(z.string()),
  titles: z.boolean(),
  paths: z.boolean(),
  /** Set by a person; null for the machine's own label. */
  label: z.nullable(z.string()),
  /** Machines whose rows came from this address: one, or several from a folder. */
  ids: z.array(z.object({ id: z.string(), label: z.string() })),
  /** Milliseconds since the epoch. */
  syncedAt: z.nullable(z.number()),
  /** Up to when its transcripts were read, by its own clock. */
  asOf: z.nullable(z.number()),
});
const file = z.object({ version: z.literal(1), machines: z.array(machine) });

/** Another machine, as a person added it. */
export type KnownMachine = z.infer<typeof machine>;

export function readMachines(path: string): Result<readonly KnownMachine[]> {
  const text = readPrivateFile(path);
  if (!text.ok) return text;
  if (text.value === null) return succeed([]);
  const parsed = file.safeParse(parseJson(text.value));
  if (parsed.success) return succeed(parsed.data.machines);
  return fail("failed", sentence("{0} is damaged; remove it and add the machines again", path));
}

/** @throws the system's error */
export function writeMachines(path: string, machines: readonly KnownMachine[]): void {
  writePrivateFile(path, `${JSON.stringify({ version: 1, machines }, null, 2)}\n`);
}
