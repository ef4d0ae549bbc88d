import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { AboutOutput } from "../../../../../../src/engine/guard/output/compressors/compress.ts";

const folder = path.join(import.meta.dirname, "../corpus");

const listed = z.array(
  z.object({
    name: z.string(),
    /** As it was run, in a folder of its own. */
    command: z.string(),
    /** The words of each program, as the guard's reader of commands tells them. */
    words: z.array(z.array(z.string())),
    exitCode: z.int(),
    /** Written to a terminal instead of a pipe. */
    isTerminal: z.boolean().default(false),
  }),
);

/** What a real tool has written. */
export type RealOutput = z.infer<typeof listed>[number] & {
  readonly text: string;
  readonly about: AboutOutput;
};

/** The outputs of real tools on small projects of our own. */
export function realOutputs(): RealOutput[] {
  const list = listed.parse(JSON.parse(readFileSync(path.join(folder, "list.json"), "utf8")));
  return list.map((each) => ({
    ...each,
    text: readFileSync(path.join(folder, `${each.name}.txt`), "utf8"),
    about: { command: each.words, isFailure: each.exitCode !== 0 },
  }));
}
