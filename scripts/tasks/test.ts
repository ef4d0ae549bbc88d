import { isMain } from "../is-main.ts";
import { globSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import type { Task } from "./task.ts";
import { runTask } from "./task.ts";

/** The same cases of property tests everywhere, so that a check that passes here does not fail elsewhere by chance. */
const seeded = ["--import", "./test/repo/property-seed.ts"] as const;
/** Runs all files in one process. Node 22 has the option under its first name. */
const inOneProcess =
  Number(process.versions.node.split(".")[0]) < 24
    ? "--experimental-test-isolation=none"
    : "--test-isolation=none";
const bundled = ["--import", "./test/repo/built-programs.ts"] as const;
const programs = ["scripts/build/test-programs.ts"] as const;
const build = ["esbuild.mjs"] as const;
const packed = ["scripts/build/package.mjs"] as const;

const needNoHost = ["test/{engine,extension,repo}/**/", "scripts/**/"] as const;
const shared = [
  ...needNoHost.map((place) => `${place}!(*.process).test.ts`),
  "test/host/cache-folder.test.ts",
];
const own = needNoHost.map((place) => `${place}*.process.test.ts`);

/** Tests by what they need. */
export const suites: readonly Task[] = [
  {
    name: "unit",
    title:
      "Engine, extension, scripts and repository, in one process; `--part 1/3` takes a third of the files.",
    run: ["--test", "--test-reporter=spec", inOneProcess, ...seeded, ...bundled, ...shared],
    before: [programs],
  },
  {
    name: "process",
    title: "Tests that need a process of their own (`*.process.test.ts`).",
    run: ["--test", "--test-reporter=spec", "--test-concurrency=2", ...seeded, ...bundled, ...own],
    before: [programs],
  },
  {
    name: "fuzz",
    title: "The property tests, with new cases each time.",
    run: ["--test", "--test-reporter=spec", "test/{engine,extension}/**/*.test.ts"],
  },
  {
    name: "webview",
    title: "The panels in a Chromium.",
    run: ["--test", "--test-reporter=spec", inOneProcess, ...seeded, "test/webview/**/*.test.ts"],
  },
  {
    name: "inside",
    title: "The extension from inside a VS Code, the oldest and the newest supported.",
    run: ["--test", "--test-reporter=spec", "test/host/inside/*.test.ts"],
    before: [build],
  },
  {
    name: "desktop",
    title: "The same in an installed desktop VS Code.",
    run: ["test/host/inside/desktop.ts"],
    before: [build],
  },
  {
    name: "eyes",
    title: "What a person sees and does, in a VS Code server with a Chromium.",
    run: ["--test", "--test-reporter=spec", "test/host/eyes/*.test.ts"],
    before: [packed],
  },
  {
    name: "agents",
    title: "The real agents with stand-ins for their APIs.",
    run: ["--test", "--test-reporter=spec", "test/agents/**/*.test.ts"],
  },
];

const isTestFile = (word: string) => word.endsWith(".test.ts");

/** A suite that runs some files instead of all of its own. */
function withFiles(suite: Task, files: readonly string[]): Task {
  const [first, ...rest] = suite.run;
  return { ...suite, run: [first, ...rest.filter((word) => !isTestFile(word)), ...files] };
}

/** Takes every `of`-th file of a suite: `--test-shard` does nothing for tests in one process. */
function partOf(suite: Task, text: string): Task {
  const [part, of] = /^([1-9]\d*)\/([1-9]\d*)$/u.exec(text)?.slice(1).map(Number) ?? [];
  if (part === undefined || of === undefined || part > of)
    throw new Error(`--part ${text}: use two numbers, such as 1/3`);
  const files = [...new Set(suite.run.filter(isTestFile).flatMap((pattern) => globSync(pattern)))].toSorted();
  return withFiles(
    suite,
    files.filter((_, index) => index % of === part - 1),
  );
}

/** Gives each file to the first suite that has it. Null for a file that no suite has. */
export function suiteByFile(files: readonly string[]): ReadonlyMap<string, Task | null> {
  const filesOf = suites.map((suite) => ({ suite, own: new Set(globSync(suite.run.filter(isTestFile))) }));
  return new Map(
    files.map((file) => [file, filesOf.find(({ own }) => own.has(path.normalize(file)))?.suite ?? null]),
  );
}

/** Runs files in their suites. @returns the exit code */
function runFiles(files: readonly string[]): number {
  const suiteOf = suiteByFile(files);
  const lost = files.filter((file) => suiteOf.get(file) === null);
  if (lost.length > 0) {
    console.error(`No suite has ${lost.join(", ")}. Name test files that exist, from the repository's root.`);
    return 2;
  }
  const chosen = suites
    .map((suite) => ({ suite, own: files.filter((file) => suiteOf.get(file) === suite) }))
    .filter(({ own }) => own.length > 0)
    .map(({ suite, own }) => withFiles(suite, own));
  return firstFailure(chosen.map(({ name }) => runTask("test", chosen, [name])));
}

function firstFailure(codes: readonly number[]): number {
  return codes.find((code) => code !== 0) ?? 0;
}

if (isMain(import.meta.filename)) {
  const args = process.argv.slice(2);
  const at = args.indexOf("--part");
  const part = at < 0 ? undefined : (args.splice(at, 2)[1] ?? "");
  const files = args.filter(isTestFile);
  const options = args.filter((arg) => !isTestFile(arg));
  const chosen = suites.map((suite) => {
    if (files.length > 0) return withFiles(suite, files);
    return part === undefined ? suite : partOf(suite, part);
  });
  if (options.length > 0) process.exitCode = runTask("test", chosen, options);
  else if (files.length > 0) process.exitCode = runFiles(files);
  // `npm test` alone runs what needs no host.
  else process.exitCode = firstFailure(["unit", "process"].map((name) => runTask("test", chosen, [name])));
}
