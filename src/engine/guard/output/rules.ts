import type { CodedRule } from "../coded-rule.ts";

const passed = "tests that passed";
const steps = "the steps of each package";

/** Each compressor by the name that is recorded, with what it leaves out, and a case of that. */
const compressors: readonly (readonly [name: string, leftOut: string, example: string])[] = [
  ["apt", steps, "apt-get install of 40 packages"],
  ["build", "steps and excerpts without a word of an error", "tsc with 200 errors, each with its excerpt"],
  ["bun-test", passed, "bun test with 300 passing tests"],
  ["bundle", "the single files that were built", "vite build with 300 files"],
  ["cargo-test", passed, "cargo test with 500 passing tests"],
  ["docker", "the steps of layers", "docker build that downloads 30 layers"],
  ["general", "repeated lines, and the middle of a long text", "a script that prints a line 200 times"],
  ["git-fetch", "progress, and most of many branches", "git fetch of 300 new branches"],
  ["git-log", "all but name and subject of earlier commits", "git log with 100 commits"],
  ["git-stat", "most of many changed files", "git diff --stat over 400 files"],
  ["git-status", "most of many files", "git status with 300 untracked files"],
  ["go-test", passed, "go test -v ./... with 600 passing tests"],
  ["java-tests", `${passed}, and the steps of the build`, "mvn test with 80 passing classes"],
  ["jest", passed, "jest --verbose with 300 passing tests"],
  ["json", "elements of the same shape as others", "an answer with 500 objects of one shape"],
  ["listing", "entries of generated folders, and most of many", "ls -R of a project with its dependencies"],
  ["logs", "lines like those above", "a server's log with 2,000 lines of one form"],
  ["matches", "most matches of a file that has many", "a search that finds a word 400 times in one file"],
  ["mocha", passed, "mocha with 300 passing tests"],
  ["node-test", passed, "node --test with 300 passing tests"],
  ["npm", `${steps}, and the dependencies of dependencies`, "npm ls --all"],
  ["paths", "the name of a file or folder where it repeats", "find with 200 files in one folder"],
  ["pip", steps, "pip install of 40 packages"],
  ["playwright", passed, "playwright test with 100 passing tests"],
  ["pnpm", steps, "pnpm install with its progress"],
  ["pytest", passed, "pytest -v with 400 passing tests"],
  ["stack-frames", "frames of libraries", "an error with 60 frames of a framework"],
  ["tap", passed, "node --test --test-reporter=tap with 300 passing tests"],
  ["terminal", "colours, and the earlier states of a bar", "a download with 2 kB of a bar"],
  ["test-run", passed, "cypress run with 100 passing tests"],
  ["vitest", passed, "vitest run with 300 passing tests"],
  ["yarn", steps, "yarn add --verbose"],
];

/** A rule for each compressor of outputs. */
export const outputRules: readonly CodedRule[] = compressors.map(([name, leftOut, example]) => ({
  id: `smaller-output-${name}`,
  family: "output",
  message: `A long output is smaller without ${leftOut}.`,
  remedy: "Leave that out before it stays in the context; `purser output` has the original for a week.",
  example,
}));
