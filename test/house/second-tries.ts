import type { KnownUnsteady } from "./known-unsteady.ts";

/** A step that passed only when what had failed was run again. */
export interface SecondTry {
  readonly step: string;
  /** Which of its test files had failed; none where the step named none. */
  readonly files: readonly string[];
}

/** What is said of second tries: those that are known, and those that fail the check. */
export interface SaidOfTries {
  readonly known: readonly string[];
  readonly faults: readonly string[];
}

const list = "test/house/known-unsteady.ts";

/** What passes only sometimes lies about all it is said to show: it is mended, or listed with its reason. */
export function sayTries(tries: readonly SecondTry[], listed: readonly KnownUnsteady[]): SaidOfTries {
  const reasons = new Map(listed.map(({ file, reason }) => [file, reason]));
  const known: string[] = [];
  const faults: string[] = [];
  for (const { step, files } of tries) {
    if (files.length === 0) faults.push(`${step}: failed, then passed, and named no test file that failed`);
    for (const file of files.map(withSlashes)) {
      const reason = reasons.get(file);
      if (reason === undefined)
        faults.push(`${step}: ${file} failed, then passed. Mend it, or list it with its reason in ${list}`);
      else known.push(`${step}: ${file} failed, then passed: ${reason}`);
    }
  }
  return { known, faults };
}

/** What is wrong with the list itself. */
export function listFaults(
  listed: readonly KnownUnsteady[],
  isThere: (file: string) => boolean,
): readonly string[] {
  return listed.flatMap(({ file, reason }, index) => [
    ...(isThere(file) ? [] : [`${list} lists ${file}, which is not there. Take it out`]),
    ...(reason.trim() === "" ? [`${list} lists ${file} without a reason`] : []),
    ...(listed.findIndex((other) => other.file === file) === index ? [] : [`${list} lists ${file} twice`]),
  ]);
}

function withSlashes(file: string): string {
  return file.replaceAll("\\", "/");
}
