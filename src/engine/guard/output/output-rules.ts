import type { CodedRule } from "../calls/rule.ts";

const passed = "tests that passed";
const steps = "the steps of each package";

/** Each compressor: its recorded name, what it leaves out, and an example. */
const compressors: readonly (readonly [name: string, leftOut: string, example: string])[] = [
  ["apt", steps, "apt-get install of 40 packages"],
  ["build", "steps and excerpts without a word of an error", "tsc with 200 errors, each with its excerpt"],
  ["bun-test", passed, "bun test with 300 passing tests"],
  ["cargo-test", passed, "cargo test with 500 passing tests"],
  ["columns", "the spaces between columns beyond two", "docker ps with 50 containers"],
  ["docker", "the steps of layers", "docker build that downloads 30 layers"],
  ["equal-lines", "lines where they repeat", "a script that prints 5 lines 40 times in turns"],
  ["general", "repeated lines, and reports of progress", "a script that prints a line 200 times"],
  ["git-fetch", "reports of progress", "git clone of a large repository"],
  ["go-test", passed, "go test -v ./... with 600 passing tests"],
  ["java-tests", `${passed}, and the steps of the build`, "mvn test with 80 passing classes"],
  ["jest", passed, "jest --verbose with 300 passing tests"],
  [
    "json",
    "the repeated names of similar objects, and white space",
    "kubectl get pods -o json with 100 pods",
  ],
  ["line-starts", "what each line begins with where it repeats", "ping with 100 answers"],
  ["logs", "lines that are equal but for their time", "a server's log with 2,000 equal lines"],
  ["mocha", passed, "mocha with 300 passing tests"],
  ["node-test", passed, "node --test with 300 passing tests"],
  ["npm", steps, "npm install --verbose"],
  ["paths", "the name of a file or folder where it repeats", "find with 200 files in one folder"],
  ["pip", steps, "pip install of 40 packages"],
  ["playwright", passed, "playwright test with 100 passing tests"],
  ["pnpm", steps, "pnpm install with its progress"],
  ["pytest", passed, "pytest -v with 400 passing tests"],
  ["stack-frames", "frames of libraries", "an error with 60 frames of a framework"],
  ["tap", passed, "node --test --test-reporter=tap with 300 passing tests"],
  ["terminal", "colours, and the earlier states of a bar", "a download with 2 kB of a bar"],
  ["test-run", passed, "cypress run with 100 passing tests"],
  ["times", "the day, hour and minute where they repeat", "a server's log with 500 lines"],
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
