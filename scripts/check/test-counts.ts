/** Numbers of passed, failed and skipped tests. */
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

/** Names of the skipped tests, each with its reason if one was given. */
export function skippedTests(output: string): readonly string[] {
  return [...output.matchAll(/^\s*﹣ (.*?)(?: \([\d.]+ms\))?( # .*)?$/gmu)].map(
    ([, name = "", reason = ""]) => `${name}${reason === " # SKIP" ? "" : reason.replace(" # ", ": ")}`,
  );
}

/** Files with a failed test, as Node's test runner lists them at the end (`test at FILE:LINE:COLUMN`). */
export function failedFiles(output: string): readonly string[] {
  const paths = [...output.matchAll(/^test at (.+?):\d+:\d+$/gmu)].map(([, file = ""]) => file);
  return [...new Set(paths)];
}
