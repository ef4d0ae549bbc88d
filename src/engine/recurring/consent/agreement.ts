import { compose } from "../../base/language.ts";
import path from "node:path";
import { sha256Hex } from "../../base/hash.ts";
import * as z from "zod/mini";
import { ensurePrivateFolder, writePrivateFile } from "../../base/private-files.ts";
import { readSmallText, readSmallTextAsync } from "../../base/files.ts";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { readJson } from "../../base/parse.ts";
import type { AgentPlace } from "../wake/agent-folder.ts";

/**
 * A person agrees to an agent's file as it was, and to the checks of its tasks, which are commands. A file that came with a repository, or was
 * changed by a pull, spends nothing and runs nothing before its person has seen it.
 */
const agreement = z.object({
  schema: z.literal(1),
  /** Of the agent's file. */
  definition: z.string(),
  /** Milliseconds since the epoch. */
  at: z.int(),
  checks: z.array(z.string()).check(z.maxLength(1000)),
});
export type Agreement = z.output<typeof agreement>;

/** Bytes. */
const maxFileSize = 256 * 1024;

/** Null without an agreement. */
export function readAgreement({ agreement: file }: Pick<AgentPlace, "agreement">): Agreement | null {
  return parseAgreement(readSmallText(file, maxFileSize));
}

/** Does not make its thread wait for the disk. */
export async function readAgreementAsync({
  agreement: file,
}: Pick<AgentPlace, "agreement">): Promise<Agreement | null> {
  return parseAgreement(await readSmallTextAsync(file, maxFileSize));
}

function parseAgreement(text: string | null): Agreement | null {
  return readJson(agreement, text);
}

export function hasAgreedToCheck(agreed: Agreement | null, check: string): boolean {
  return agreed?.checks.includes(sha256Hex(check)) === true;
}

/** Changes with every agreement. `wakes` is the folder of all agents' states. */
export function agreedFile(wakes: string): string {
  return path.join(wakes, "agreed");
}

/** Another definition replaces the previous one. */
export function agree(
  place: Pick<AgentPlace, "folder" | "agreement">,
  {
    definition,
    checks,
    at,
  }: { readonly definition: string; readonly checks: readonly string[]; readonly at: number },
): Result<null, "unwritable"> {
  const before = readAgreement(place);
  const all = [...new Set([...(before?.checks ?? []), ...checks.map((check) => sha256Hex(check))])].slice(
    -1000,
  );
  // Agreeing again to the same file keeps the agent due.
  const since = before?.definition === definition ? before.at : at;
  const ready = ensurePrivateFolder(place.folder);
  if (!ready.ok) return fail("unwritable", ready.detail);
  try {
    writePrivateFile(
      place.agreement,
      JSON.stringify({ schema: 1, definition, at: since, checks: all } satisfies Agreement),
    );
    // The service's schedule watches this file alone.
    writePrivateFile(agreedFile(path.dirname(place.folder)), `${at}\n`);
    return succeed(null);
  } catch (error) {
    return fail("unwritable", compose`${place.agreement}: ${errorCode(error)}`);
  }
}
