import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import type { HookCaller } from "../program.ts";
import { isSpoolFile, writeSpoolFile } from "./spool-file.ts";

/** A prompt that passed before a service could answer it. */
export interface LatePrompt {
  readonly caller: HookCaller;
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Headers that its hook would have been posted with, as lines. */
  readonly headers: readonly string[];
  /** The hook's input. */
  readonly body: string;
}

/** How long a prompt waits for a service. It has the user's text, so no more of it is kept than is of use. Milliseconds. */
export const longestLate = 10 * 60_000;

/**
 * Leaves a prompt for the service that is just starting. Removes those that no service has taken.
 * @throws when the file cannot be written
 */
export function writeLatePrompt(folder: string, prompt: LatePrompt): void {
  writeSpoolFile(folder, `${prompt.at}-${prompt.id}`, [JSON.stringify(prompt)]);
  for (const name of readdirSync(folder).filter(isSpoolFile)) {
    const age = prompt.at - Number(name.split("-")[0]);
    if (!(Math.abs(age) < longestLate)) rmSync(path.join(folder, name), { force: true });
  }
}
