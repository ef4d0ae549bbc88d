/** How many tests passed, failed and were skipped. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Reads the closing lines of node's test runner (`ℹ pass 12`); undefined when the output has none. */
export function testCounts(output: string): Counts | undefined {
  const count = (word: string) => {
    const found = [...output.matchAll(new RegExp(`^ℹ ${word} (\\d+)$`, "gmu"))];
    return found.length === 0 ? undefined : found.reduce((sum, match) => sum + Number(match[1]), 0);
  };
  const passed = count("pass");
  if (passed === undefined) return undefined;
  const failed = (count("fail") ?? 0) + (count("cancelled") ?? 0);
  return { passed, failed, skipped: (count("skipped") ?? 0) + (count("todo") ?? 0) };
}

/** The names of the tests that were skipped, each with its reason when one was given. */
export function skippedTests(output: string): readonly string[] {
  return [...output.matchAll(/^\s*﹣ (.*?)(?: \([\d.]+ms\))?( # .*)?$/gmu)].map(
    ([, name = "", reason = ""]) => `${name}${reason === " # SKIP" ? "" : reason.replace(" # ", ": ")}`,
  );
}

/** The files with a test that failed, as node's test runner names them at its end (`test at FILE:LINE:COLUMN`). */
export function failedFiles(output: string): readonly string[] {
  const places = [...output.matchAll(/^test at (.+?):\d+:\d+$/gmu)].map(([, file = ""]) => file);
  return [...new Set(places)];
}
