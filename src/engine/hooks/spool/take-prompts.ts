import path from "node:path";
import * as z from "zod/mini";
import { readFileSync, rmSync, readdirSync } from "node:fs";
import { namesIfReadable } from "../../base/disk/read-if-there.ts";
import { parseJson } from "../../base/parse-json.ts";
import { errorCode } from "../../base/error-code.ts";
import { hookCallers, type HookCaller } from "../program.ts";
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

/**
 * How long a prompt waits for a service. It contains the user's text, so it is not stored longer than useful.
 * Milliseconds.
 */
export const maxLateMs = 10 * 60_000;

/**
 * Leaves a prompt for the service that is just starting. Removes those that no service has taken.
 * @throws when the file cannot be written
 */
export function writeLatePrompt(folder: string, prompt: LatePrompt): void {
  writeSpoolFile(folder, `${prompt.at}-${prompt.id}`, [JSON.stringify(prompt)]);
  for (const name of readdirSync(folder).filter(isSpoolFile)) {
    const age = prompt.at - Number(name.split("-")[0]);
    if (!(Math.abs(age) < maxLateMs)) rmSync(path.join(folder, name), { force: true });
  }
}

const latePrompt = z.object({
  caller: z.enum(hookCallers),
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  at: z.number(),
  headers: z.array(z.string()),
  body: z.string(),
});

/**
 * Takes the prompts that passed before this service could answer them, oldest first. Their files are removed
 * before they are used, so that none is taken twice.
 */
export async function takeLatePrompts(
  folder: string,
  { now, onProblem }: { readonly now: number; readonly onProblem: (message: string) => void },
): Promise<LatePrompt[]> {
  const names = (await namesIfReadable(folder)).filter(isSpoolFile).sort();
  return names.flatMap((name) => {
    const file = path.join(folder, name);
    try {
      const text = readFileSync(file, "utf8");
      rmSync(file);
      const prompt = latePrompt.safeParse(parseJson(text)).data;
      if (prompt === undefined) onProblem(`${file} is not what purser writes, and was removed`);
      return prompt !== undefined && Math.abs(now - prompt.at) < maxLateMs ? [prompt] : [];
    } catch (error) {
      onProblem(`${file}: ${errorCode(error)}`);
      return [];
    }
  });
}
