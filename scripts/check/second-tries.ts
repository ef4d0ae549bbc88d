import type { KnownUnsteady } from "./known-unsteady.ts";

/** A step that passed only after its failures were run again. */
export interface Retry {
  readonly step: string;
  /** Its failed test files; empty when the step named none. */
  readonly files: readonly string[];
}

/** Report on second tries: known ones, and those that fail the check. */
export interface RetryReport {
  readonly known: readonly string[];
  readonly faults: readonly string[];
}

const list = "scripts/check/known-unsteady.ts";

/**
 * Reports second tries. A test that passes only sometimes proves nothing: it must be fixed, or listed with a
 * reason.
 */
export function reportRetries(tries: readonly Retry[], listed: readonly KnownUnsteady[]): RetryReport {
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

/** Faults in the list itself. */
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
