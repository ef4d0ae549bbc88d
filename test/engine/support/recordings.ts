import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { findTranscripts, type TranscriptFile } from "../../../src/engine/transcripts/claude/claude-files.ts";

const folder = fileURLToPath(new URL("../../recordings", import.meta.url));
const tokens = z.int().nonnegative();
const sum = z.strictObject({
  responses: tokens,
  input: tokens,
  output: tokens,
  cacheCreation5m: tokens,
  cacheCreation1h: tokens,
  cacheRead: tokens,
});
/** What the stand-in for the model's API really sent, stored beside each recording. */
const facts = z.looseObject({
  byModel: z.record(z.string(), sum),
  unwritten: sum,
  sessions: z.array(
    z.looseObject({
      id: z.string(),
      contextTokens: tokens.nullable(),
      compactions: z.array(
        z.strictObject({ trigger: z.string(), preTokens: tokens.nullable(), postTokens: tokens.nullable() }),
      ),
      subagents: z.array(z.looseObject({ agentId: z.string() })),
    }),
  ),
});

export type Sum = z.infer<typeof sum>;

export interface Recording {
  /** The CLI that wrote it, such as `2.1.332`. */
  readonly generation: string;
  readonly scenario: string;
  /** Its configuration folder. */
  readonly root: string;
  readonly files: readonly TranscriptFile[];
  readonly facts: z.infer<typeof facts>;
}

/** The transcripts that real CLIs of both generations wrote, by generation and scenario. */
export function readRecordings(): Recording[] {
  return readdirSync(folder)
    .filter((name) => /^\d+\.\d+\.\d+$/u.test(name))
    .flatMap((generation) =>
      readdirSync(path.join(folder, generation)).map((scenario) => {
        const file = path.join(folder, generation, scenario);
        const expected: unknown = JSON.parse(readFileSync(path.join(file, "expected.json"), "utf8"));
        const { files } = findTranscripts([file]);
        return { generation, scenario, root: file, files, facts: facts.parse(expected) };
      }),
    );
}
