import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { AboutOutput } from "../../../../../../src/engine/guard/output/compressors/compress.ts";
import { clusters } from "./made/clusters.ts";
import { Draw } from "./made/draw.ts";
import { languages } from "./made/languages.ts";
import { systems } from "./made/systems.ts";
import { tests } from "./made/tests.ts";

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
    /** Only the first lines are kept, as the others are alike. */
    isCut: z.boolean().default(false),
  }),
);

/** An output of the corpus. */
export interface CorpusOutput {
  readonly name: string;
  readonly command: string;
  readonly words: readonly (readonly string[])[];
  readonly isTerminal: boolean;
  /** Whether a tool has written it, or a program here in that tool's format. */
  readonly source: "run" | "made";
  readonly text: string;
  readonly about: AboutOutput;
}

/** The outputs of real tools on small projects of our own. */
export function realOutputs(): CorpusOutput[] {
  const list = listed.parse(JSON.parse(readFileSync(path.join(folder, "list.json"), "utf8")));
  return list.map((each) => ({
    ...each,
    source: "run",
    text: readFileSync(path.join(folder, `${each.name}.txt`), "utf8"),
    about: { command: each.words, isFailure: each.exitCode !== 0 },
  }));
}

/** The outputs that are made in tools' formats, with values drawn by a seed. */
function madeOutputs(seed = 1): CorpusOutput[] {
  return [...clusters, ...systems, ...tests, ...languages].map(
    ({ name, command, exitCode = 0, lines }, at) => {
      const words = [command.replace(/^(?:npx|bundle exec) /u, "").split(" ")];
      return {
        name,
        command,
        words,
        isTerminal: false,
        source: "made",
        text: `${lines(new Draw(seed * 1000 + at)).join("\n")}\n`,
        about: { command: words, isFailure: exitCode !== 0 },
      };
    },
  );
}

/** Real and made outputs. */
export function allOutputs(seed = 1): CorpusOutput[] {
  return [...realOutputs(), ...madeOutputs(seed)];
}

/** The program that writes an output. */
export function toolOf({ words }: CorpusOutput): string {
  return words[0]?.[0] ?? "";
}
