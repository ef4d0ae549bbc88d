/**
 * Whether tests are worth something: they pass with the code as it is, and each mistake that is made in the code has them fail. Each
 * version of the code is a project.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { createVitest } from "vitest/node";

export interface Version {
  name: string;
  /** The mistake: in `file`, `find` becomes `replace`. None is made in a version without. */
  mutant?: { file: string; find: string; replace: string };
  /** Where the clock is set to. */
  now?: string;
}

interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
  errors: string[];
}

/** Has the tests run with versions of the code. To be closed. */
async function openVersions(tests: string[], versions: Version[]) {
  const setup = path.resolve(import.meta.dirname, "set-clock.ts");
  const vitest = await createVitest(
    "test",
    {
      config: false,
      watch: false,
      reporters: [{}],
      root: process.cwd(),
      maxWorkers: 2,
      pool: "threads",
    } as any,
    {
      configFile: false,
      cacheDir: ".purser-check/tmp/vite",
      test: {
        projects: versions.map(({ name, mutant, now }) => ({
          plugins: mutant === undefined ? [] : [mutation(mutant)],
          esbuild: { jsx: "automatic" },
          test: { name, include: tests, setupFiles: [setup], env: { FIXED_NOW: now ?? "" } },
        })),
      },
    } as any,
  );
  const files = await vitest.globTestSpecifications();
  return {
    async run(some: Version[]): Promise<Map<string, Outcome>> {
      const outcomes = new Map(
        some.map(({ name }) => [name, { passed: 0, failed: 0, skipped: 0, errors: [] as string[] }]),
      );
      const { testModules } = await vitest.runTestSpecifications(
        files.filter(({ project }) => outcomes.has(project.name)),
      );
      for (const module of testModules) {
        const outcome = outcomes.get(module.project.name);
        if (outcome === undefined) continue;
        for (const error of module.errors()) outcome.errors.push(error.message);
        for (const test of module.children.allTests()) {
          const { state, errors } = test.result();
          outcome[state === "pending" ? "skipped" : state] += 1;
          for (const error of errors ?? []) outcome.errors.push(`${test.fullName}: ${error.message}`);
        }
      }
      return outcomes;
    },
    close: () => vitest.close(),
  };
}

function mutation({ file, find, replace }: NonNullable<Version["mutant"]>) {
  const target = path.resolve(file);
  return {
    name: "mutation",
    enforce: "pre" as const,
    transform(code: string, id: string) {
      return id.split("?")[0] === target ? code.replace(find, replace) : undefined;
    },
  };
}

/** Ends the check: what is wrong with the tests, or nothing. */
export async function judgeTests({
  tests,
  least,
  versions,
}: {
  tests: string[];
  /** Tests there are at least. */
  least: number;
  versions: Version[];
}): Promise<never> {
  const faults: string[] = [];
  for (const { mutant } of versions)
    if (
      mutant !== undefined &&
      !readFileSync(mutant.file, "utf8").replaceAll("\r\n", "\n").includes(mutant.find)
    )
      faults.push(`${mutant.file} was changed`);
  if (faults.length === 0) {
    const opened = await openVersions(tests, versions);
    const plain = await opened.run(versions.filter(({ mutant }) => mutant === undefined));
    for (const [name, { passed, failed, skipped, errors }] of plain) {
      if (failed > 0 || errors.length > 0) faults.push(`${name}: ${errors.slice(0, 3).join("\n")}`);
      if (skipped > 0) faults.push(`${name}: ${skipped} tests are skipped`);
      if (passed < least) faults.push(`${name}: ${passed} tests pass; at least ${least} were asked for`);
    }
    // Tests that do not pass notice nothing.
    if (faults.length === 0)
      for (const [name, { failed }] of await opened.run(
        versions.filter(({ mutant }) => mutant !== undefined),
      ))
        if (failed === 0) faults.push(`No test notices: ${name}`);
    await opened.close();
  }
  for (const fault of faults) console.error(fault);
  process.exit(faults.length === 0 ? 0 : 1);
}
