import path from "node:path";
import * as z from "zod";
import { usageJson, type UsageJson } from "../../../src/engine/cli/usage/usage-schema.ts";
import type { Corpus } from "../corpus/corpus.ts";

interface Totals {
  readonly input: number;
  readonly output: number;
  readonly cacheCreation: number;
  readonly cacheRead: number;
}

const ccusageJson = z.looseObject({
  totals: z.looseObject({
    inputTokens: z.int(),
    outputTokens: z.int(),
    cacheCreationTokens: z.int(),
    cacheReadTokens: z.int(),
  }),
});

/** Prints the corpus's totals and both programs' counts; returns whether all three are equal. */
export function checkTotals({ usage }: Pick<Corpus, "usage">, ours: string, theirs: string): boolean {
  const cacheCreation = usage.cacheCreation5m + usage.cacheCreation1h;
  const truth: Totals = { ...usage, cacheCreation };
  const purser: Totals = readUsage(ours).totals;
  const { totals } = ccusageJson.parse(JSON.parse(theirs));
  const peer: Totals = {
    input: totals.inputTokens,
    output: totals.outputTokens,
    cacheCreation: totals.cacheCreationTokens,
    cacheRead: totals.cacheReadTokens,
  };
  const text = ({ input, output, cacheCreation: written, cacheRead }: Totals) =>
    `input ${input}, output ${output}, cache creation ${written}, cache read ${cacheRead}`;
  console.log(`corpus:  ${text(truth)}\npurser:  ${text(purser)}\nccusage: ${text(peer)}`);
  return text(truth) === text(purser) && text(truth) === text(peer);
}

/** Parses the output of `purser usage --json`. */
export function readUsage(stdout: string): UsageJson {
  return usageJson.parse(JSON.parse(stdout));
}

/** Environment in which only the corpus is read and purser stores its data in its own folder. */
export function corpusOnly(root: string, scratch: string): Record<string, string> {
  const nothing = path.join(scratch, "nothing");
  return {
    CLAUDE_CONFIG_DIR: root,
    PURSER_HOME: path.join(scratch, "purser"),
    CODEX_HOME: nothing,
    COPILOT_HOME: nothing,
    GEMINI_CLI_HOME: nothing,
    HOME: nothing,
    USERPROFILE: nothing,
  };
}
