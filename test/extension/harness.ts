/**
 * Runs tests inside VS Code's extension host, in order, each with a time limit, and writes the results to a
 * file.
 */
import { writeFile } from "node:fs/promises";

const limit = 20_000; // ms for one test

interface TestResult {
  readonly name: string;
  readonly ms: number;
  /** Stack of the thrown error; absent when it passed. */
  readonly failure?: string;
}

interface Test {
  readonly name: string;
  readonly body: () => void | Promise<void>;
}

const tests: Test[] = [];

/** Declares a test. Files named `*.inside.ts` in this folder are found automatically. */
export function test(name: string, body: Test["body"]): void {
  tests.push({ name, body });
}

/** Waits until `read` returns something; otherwise fails the test with `what`. */
export async function eventually<Value>(
  what: string,
  read: () => Value | undefined | Promise<Value | undefined>,
  patience = 10_000,
): Promise<Value> {
  const end = Date.now() + patience;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (Date.now() > end) throw new Error(`Never came: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Entry point for VS Code. Rejects when a test failed, which determines VS Code's exit code. @public */
export async function run(): Promise<void> {
  const results: TestResult[] = [];
  for (const { name, body } of tests) {
    const began = performance.now();
    const failure = await attempt(body);
    const ms = Math.round(performance.now() - began);
    results.push(failure === undefined ? { name, ms } : { name, ms, failure });
  }
  const file = process.env["PURSER_TEST_RESULTS"];
  if (file !== undefined) await writeFile(file, JSON.stringify(results, null, 2));
  const failed = results.filter(({ failure }) => failure !== undefined);
  if (results.length === 0) throw new Error("No test was found.");
  if (failed.length > 0)
    throw new Error(failed.map(({ name, failure }) => `${name}\n${failure ?? ""}`).join("\n\n"));
}

async function attempt(body: Test["body"]): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${limit} ms.`)), limit);
  });
  try {
    await Promise.race([body(), late]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    clearTimeout(timer);
  }
}
