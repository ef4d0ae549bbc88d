import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { readJson } from "../base/parse.ts";
import { rethrowUnlessSystemError } from "../base/result.ts";
import type { FileChange } from "../bench/execute.ts";
import type { FileChangeView } from "./bench-answers.ts";

/** Locates the fixture in a bench's own file. */
const folder = z.optional(z.string().check(z.minLength(1)));
const stored = z.looseObject({
  suite: z.looseObject({ fixture: folder }),
  tasks: z.optional(z.array(z.looseObject({ id: z.string(), fixture: folder }))),
});
/** Longer files are not shown: no file of a fixture that a run changed is longer. Characters. */
const maxTextLength = 1_000_000;

/** The text before comes from the fixture, if it still exists. `bench` is the folder of the run's bench. */
export function changeView(
  bench: string,
  task: string,
  { path: filePath, text: after }: FileChange,
): FileChangeView {
  const request = readJson(stored, readText(path.join(bench, "bench.json")));
  const fixture = request?.tasks?.find(({ id }) => id === task)?.fixture ?? request?.suite.fixture;
  const file = fixture === undefined ? null : path.join(fixture, filePath);
  const isInside = file !== null && fixture !== undefined && file.startsWith(fixture + path.sep);
  return { before: isInside ? readText(file) : null, after };
}

function readText(file: string): string | null {
  try {
    const text = readFileSync(file, "utf8");
    return text.length > maxTextLength ? null : text;
  } catch (error) {
    rethrowUnlessSystemError(error);
    return null;
  }
}
