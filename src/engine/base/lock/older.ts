import * as z from "zod";
import { parseJson } from "../parse-json.ts";
import { errorCode } from "../error-code.ts";
import type { FilePort } from "../disk/file-port.ts";
import type { Machine } from "../process/machine.ts";

/** Content of a lock of versions before `numbered.ts`: one file, which its holder creates, touches and removes. */
const owner = z.object({ pid: z.int(), host: z.string() });

/** A holder whose process cannot be checked is gone after a longer silence. Milliseconds. */
const silence = 60_000;

/**
 * Whether a process of an older version holds its lock, as may happen during an update. A file left by a killed process does
 * not count.
 *
 * @param silenceOf how long ago a file was written, milliseconds
 * @throws the system's error
 */
export async function isHeldByOlder(
  file: string,
  silenceOf: (file: string) => Promise<number>,
  { files, machine }: { readonly files: FilePort; readonly machine: Machine },
): Promise<boolean> {
  let text: string;
  try {
    text = (await files.read(file)).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
  const held = owner.safeParse(parseJson(text)).data;
  if (held?.host === machine.id.host && !machine.isAlive(held.pid)) return false;
  return (await silenceOf(file)) <= silence;
}
