/** One step of `npm run check`. */
export interface Step {
  readonly name: string;
  /** What it checks, in a few words. */
  readonly title: string;
  /** The program and its arguments, run at the root of the repository. */
  readonly command: readonly [string, ...string[]];
  /** Runs some of its test files again. */
  readonly again?: (files: readonly string[]) => Step["command"];
  /** Steps this one depends on: it is skipped unless all of them passed. */
  readonly needs?: readonly string[];
  /** Deterministic: a failure gets no second try. */
  readonly isSure?: boolean;
}

const test = (...files: readonly string[]): Pick<Step, "command" | "again"> => {
  const again = (some: readonly string[]): Step["command"] => [
    "node",
    "--test",
    "--test-reporter=spec",
    ...some,
  ];
  return { command: again(files), again };
};

const runAgain = (files: readonly string[]): Step["command"] => [
  "node",
  "--import",
  "./test/repo/property-seed.ts",
  "--test",
  ...files,
];

/** Runs one suite of `scripts/tasks/test.ts`. */
const suite = (name: string, ...options: readonly string[]): Step["command"] => [
  "node",
  "scripts/tasks/test.ts",
  name,
  ...options,
];

/** Steps in starting order, two at a time: after what others depend on, the slow ones come first; those that mostly wait beside those that compute. */
export const steps: readonly Step[] = [
  {
    name: "lock",
    title: "the lock files name no registry",
    command: ["node", "scripts/check-lock.mjs"],
    isSure: true,
  },
  {
    name: "package",
    title: "build, size budgets, packaging",
    command: ["npm", "run", "--silent", "package"],
    isSure: true,
  },
  {
    name: "host",
    title: "a real VS Code, newest and oldest, and a Chromium",
    command: ["node", "test/host/install.ts"],
    isSure: true,
  },
  {
    name: "process",
    title: "tests that need a process of their own",
    command: suite("process"),
    again: runAgain,
  },
  {
    name: "webview",
    title: "the panels in a Chromium",
    // In one process, so that its files share a Chromium.
    command: suite("webview"),
    again: runAgain,
    needs: ["host"],
  },
  ...[1, 2, 3].map((part) => ({
    name: `unit-${part}`,
    title: `unit and property tests, part ${part} of 3`,
    command: suite("unit", "--part", `${part}/3`),
    again: runAgain,
  })),
  {
    name: "agents-hooks",
    title: "hooks with the real agents",
    ...test("test/agents/hooks/**/*.test.ts"),
    needs: ["package"],
  },
  {
    name: "agents",
    title: "transcripts and benchmarks with the real agents",
    ...test("test/agents/*.test.ts", "test/agents/!(hooks)/**/*.test.ts"),
    needs: ["package"],
  },
  {
    name: "types",
    title: "types, and rules that need them",
    command: ["npm", "run", "--silent", "types"],
    isSure: true,
  },
  { name: "lint", title: "lint, layers, format", command: ["npm", "run", "--silent", "lint"], isSure: true },
  { name: "dead", title: "dead code", command: ["npm", "run", "--silent", "dead"], isSure: true },
  {
    name: "eyes-bench",
    title: "benchmarks and rules, as a person sees them",
    ...test("test/host/eyes/bench.test.ts", "test/host/eyes/rules.test.ts"),
    needs: ["package", "host"],
  },
  {
    name: "eyes-compare",
    title: "comparisons, rent, proposals and the sample, as a person sees them",
    ...test("test/host/eyes/compare.test.ts", "test/host/eyes/rent.test.ts", "test/host/eyes/sample.test.ts"),
    needs: ["package", "host"],
  },
  {
    name: "golden",
    title: "golden tasks tell work from none, and their fixture",
    ...test("test/golden/**/*.test.ts"),
  },
  {
    name: "nodes",
    title: "the built programs on the oldest Node, and the one between, and the npm package",
    ...test("test/host/nodes.test.ts", "test/host/npm-package.test.ts"),
    needs: ["package"],
  },
  {
    name: "many",
    title: "many windows and terminals at once, and kills",
    ...test("test/host/many-clients/many-clients.test.ts", "test/host/many-clients/crash.test.ts"),
    needs: ["package", "host"],
  },
  {
    name: "eyes-guard",
    title: "hooks, budgets, messages and guard, as a person sees",
    ...test(
      "test/host/eyes/guard.test.ts",
      "test/host/eyes/guard-panel.test.ts",
      "test/host/eyes/relay.test.ts",
    ),
    needs: ["package", "host"],
  },
  {
    name: "eyes-more",
    title: "what a person chooses, and windows of every kind",
    ...test(
      "test/host/eyes/choices.test.ts",
      "test/host/eyes/places.test.ts",
      "test/host/eyes/agents.test.ts",
      "test/host/eyes/chat.test.ts",
      "test/host/eyes/five-tasks.test.ts",
      "test/host/eyes/language.test.ts",
    ),
    needs: ["package", "host"],
  },
  {
    name: "try",
    title: "npm run try, played to its end",
    command: ["node", "test/host/try/try.ts", "--once", "--packed"],
    needs: ["package", "host"],
  },
  {
    name: "inside",
    title: "tests inside VS Code, newest and oldest",
    ...test("test/host/inside/newest.test.ts", "test/host/inside/oldest.test.ts"),
    needs: ["package", "host"],
  },
  {
    name: "eyes-newest",
    title: "what a person sees, newest VS Code",
    ...test("test/host/eyes/newest.test.ts"),
    needs: ["package", "host"],
  },
  {
    name: "eyes-oldest",
    title: "what a person sees, oldest VS Code",
    ...test("test/host/eyes/oldest.test.ts"),
    needs: ["package", "host"],
  },
];
