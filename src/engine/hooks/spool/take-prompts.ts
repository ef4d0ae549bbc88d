import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { namesIfReadable } from "../../base/disk/read-if-there.ts";
import { parseJson } from "../../base/parse-json.ts";
import { errorCode } from "../../base/error-code.ts";
import { hookCallers } from "../program.ts";
import { longestLate, type LatePrompt } from "./late-prompt.ts";
import { isSpoolFile } from "./spool-file.ts";

const latePrompt = z.object({
  caller: z.enum(hookCallers),
  id: z.string().min(1).max(200),
  at: z.number(),
  headers: z.array(z.string()),
  body: z.string(),
});

/**
 * Takes the prompts that passed before this service could answer them, oldest first: their files are removed before anybody acts on them, so
 * that none is taken twice.
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
      return prompt !== undefined && Math.abs(now - prompt.at) < longestLate ? [prompt] : [];
    } catch (error) {
      onProblem(`${file}: ${errorCode(error)}`);
      return [];
    }
  });
}
