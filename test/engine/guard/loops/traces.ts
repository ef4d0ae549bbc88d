/** A step of a made-up session: a tool call, as hooks tell its end. */
export interface TraceStep {
  readonly tool: string;
  readonly input: object;
  /** The output of a call that succeeded. */
  readonly output?: string;
  /** The error of one that failed. */
  readonly error?: string;
  readonly agent?: string;
}

export const run = (command: string, output = "ok"): TraceStep => ({
  tool: "Bash",
  input: { command },
  output,
});
export const fails = (command: string, error = "Exit code 1\nno"): TraceStep => ({
  tool: "Bash",
  input: { command },
  error,
});
export const edit = (file: string, text = `${Math.random()}`): TraceStep => ({
  tool: "Edit",
  input: { file_path: `/home/ann/shop/${file}`, old_string: "x", new_string: text },
  output: "updated",
});
export const read = (file: string, output = `text of ${file}`, more: object = {}): TraceStep => ({
  tool: "Read",
  input: { file_path: `/home/ann/shop/${file}`, ...more },
  output,
});
const grep = (pattern: string, output = "a.ts:1"): TraceStep => ({
  tool: "Grep",
  input: { pattern },
  output,
});
const times = <Value>(count: number, make: (at: number) => Value): Value[] =>
  Array.from({ length: count }, (_, at) => make(at));
const red = "Exit code 1\nFAIL a.test.ts > adds\nexpected 3 to be 4\nTests: 1 failed";

/** Sessions that are in a loop at their last step and at none before, by the rule that tells it. */
export const loops: readonly (readonly [name: string, rule: string, steps: readonly TraceStep[]])[] = [
  ["a test fails three times with nothing done", "same-failure", times(3, () => fails("npm test", red))],
  [
    "numbers, times and addresses of the failure differ",
    "same-failure",
    times(3, (at) => fails("make", `Exit code 2\nline ${at}: 0xdeadbee${at} at 12:03:0${at}`)),
  ],
  [
    "reads in between do not help",
    "same-failure",
    [
      fails("npm test", red),
      read("a.ts"),
      fails("npm test", red),
      grep("adds"),
      read("b.ts"),
      fails("npm test", red),
    ],
  ],
  [
    "edits that change nothing about the failure",
    "same-failure",
    [fails("npm test", red), edit("a.ts"), fails("npm test", red), edit("a.ts"), fails("npm test", red)],
  ],
  [
    "an edit whose text is not there, whatever the text",
    "same-failure",
    times(3, (at) => ({
      tool: "Edit",
      input: { file_path: "/home/ann/shop/a.ts", old_string: `old ${at}`, new_string: "new" },
      error: "String to replace not found in file.",
    })),
  ],
  [
    "a file that is not there",
    "same-failure",
    times(3, () => ({ ...read("gone.ts"), error: "File does not exist." })),
  ],
  [
    "a tool of a server with the same input",
    "same-failure",
    times(3, () => ({ tool: "mcp__tide__get", input: { port: "Brest" }, error: "timeout after 30s" })),
  ],
  [
    "the description alone differs",
    "same-failure",
    times(3, (at) => ({
      tool: "Bash",
      input: { command: "npm  test", description: `Try ${at}` },
      error: red,
    })),
  ],
  ["two reads take turns", "actions-take-turns", [read("a.ts"), read("b.ts"), read("a.ts"), read("b.ts")]],
  [
    "three actions take turns",
    "actions-take-turns",
    [...times(2, () => [read("a.ts"), run("git status"), grep("x")]).flat()],
  ],
  [
    "an edit and its undoing",
    "actions-take-turns",
    [edit("a.ts", "one"), edit("a.ts", "two"), edit("a.ts", "one"), edit("a.ts", "two")],
  ],
  [
    "a check and a look with nothing changed",
    "actions-take-turns",
    [run("npm run lint"), run("git diff --stat"), run("npm run lint"), run("git diff --stat")],
  ],
  [
    "guessed options",
    "nearly-equal-commands",
    ["--fast", "--quick", "--speed", "--turbo"].map((option) =>
      fails(`shipctl launch ${option} dock`, `Exit code 2\nerror: unknown option '${option}'`),
    ),
  ],
  [
    "guessed paths",
    "nearly-equal-commands",
    ["src/a/x.ts", "lib/x.ts", "src/x.ts", "app/x.ts"].map((file) =>
      fails(`cat ${file}`, `Exit code 1\ncat: ${file}: No such file or directory`),
    ),
  ],
  [
    "a test run again for other parts of its output",
    "nearly-equal-commands",
    ["tail -5", "head -50", "grep -n fail", "tail -80"].map((filter) =>
      run(`npm test 2>&1 | ${filter}`, filter),
    ),
  ],
  [
    "the same three files again and again",
    "repeated-looks",
    ["a", "b", "c", "c", "a", "b", "b", "a", "c", "c"].map((file) => read(`${file}.ts`)),
  ],
  [
    "one file read and searched",
    "repeated-looks",
    [0, 0, 1, 0, 0, 1, 1, 1, 0, 0].map((which) => (which === 0 ? read("a.ts") : grep("total"))),
  ],
  ["sleeps", "polling", times(4, (at) => run(`sleep ${10 + at}`, ""))],
  [
    "a build on a server",
    "polling",
    times(3, () => 0)
      .flatMap((_, at) => [run("sleep 30", ""), run("gh run view 12", `in progress ${at}`)])
      .concat([]),
  ],
  [
    "sleeps with the question",
    "polling",
    times(3, (at) => run("sleep 60 && gh pr checks 7", `pending ${at}`)),
  ],
  ["pods", "polling", times(4, (at) => run("kubectl get pods", `0/1 Running ${at}s`))],
  [
    "a server's answer",
    "polling",
    times(4, (at) => run("curl -s https://ship.example/health", `warming up ${at}`)),
  ],
  ["the end of a log", "polling", times(4, (at) => run("tail -n 20 build.log", `step ${at}`))],
  [
    "a command in the background",
    "polling",
    times(4, (at) => ({ tool: "BashOutput", input: { bash_id: "b1" }, output: `line ${at}` })),
  ],
];

/** Sessions without a loop. */
export const ordinary: readonly (readonly [name: string, steps: readonly TraceStep[]])[] = [
  ["exploration of different files", times(24, (at) => read(`file-${at}.ts`))],
  [
    "one long file, part by part",
    times(20, (at) => read("long.ts", `part ${at}`, { offset: at * 100, limit: 100 })),
  ],
  ["different searches", times(20, (at) => grep(`name${at}`))],
  ["files shown by a command", times(20, (at) => run(`cat src/file-${at}.ts`, `text ${at}`))],
  [
    "parts of a file shown by a command",
    times(20, (at) => run(`sed -n ${at}00,${at}99p a.ts`, `part ${at}`)),
  ],
  ["commits looked at", times(12, (at) => run(`git show ${at}ab${at}cd${at}`, `commit ${at}`))],
  ["searches that find nothing", times(12, (at) => fails(`grep -rn name${at} src`, "Exit code 1"))],
  [
    "red and green with other failures",
    times(6, (at) => [fails("npm test", `Exit code 1\nFAIL test ${"abcdef"[at]}`), edit("a.ts")]).flat(),
  ],
  [
    "failures that become fewer",
    [5, 4, 3, 2, 1].flatMap((left) => [
      fails("npm test", `Exit code 1\nFAIL\nTests: ${left} failed`),
      edit("a.ts"),
    ]),
  ],
  [
    "red, edit, green, again and again",
    times(6, () => [fails("npm test", red), edit("a.ts"), run("npm test", "Tests: 5 passed")]).flat(),
  ],
  [
    "a test after each edit",
    times(10, (at) => [edit(`f${at % 2}.ts`), run("npm test", "Tests: 5 passed")]).flat(),
  ],
  [
    "two failures and a success",
    [fails("npm test"), fails("npm test"), run("npm test"), fails("npm test"), fails("npm test")],
  ],
  [
    "test files one after the other",
    times(8, (at) =>
      fails(
        `npx vitest run t${at}.test.ts`,
        `Exit code 1\nFAIL ${"kestrelx"[at]} expected ${"gullwing"[at]}`,
      ),
    ),
  ],
  [
    "files changed between their reads",
    times(8, (at) => [read("a.ts", `version ${at}`), edit("a.ts")]).flat(),
  ],
  [
    "a git status after each step",
    times(8, (at) => [run("git status", `M ${at}.ts`), run(`git add ${at}.ts`, "")]).flat(),
  ],
  ["folders made", times(10, (at) => run(`mkdir -p packages/p${at}`, ""))],
  ["pages fetched", times(10, (at) => run(`curl -s https://ship.example/page/${at}`, `page ${at}`))],
  [
    "a server that is edited between requests",
    times(6, (at) => [edit("server.ts"), run("curl -s localhost:3000/tides", `{"tide":${at}}`)]).flat(),
  ],
  [
    "a question and another one about the same run",
    ["", "--log", "--job 3", "--json jobs", "--log-failed", "--web"].map((part) =>
      run(`gh run view 12 ${part}`, part),
    ),
  ],
  [
    "one waiting command",
    [
      run("until curl -sf localhost:3000; do sleep 2; done"),
      run("gh run watch 12"),
      run("kubectl wait pod/a --for=condition=ready"),
    ],
  ],
  ["a flaky test with other results", times(6, (at) => run("npm run test:flaky", `seed ${at * 7}`))],
  ["the agent's own plan", times(10, () => ({ tool: "TodoWrite", input: { todos: [] }, output: "ok" }))],
  [
    "each of three subagents fails once",
    ["a", "b", "c"].map((agent) => ({ ...fails("npm test", red), agent })),
  ],
  ["debugging step by step", times(8, (at) => run("./debugger next", `line ${at}: x = ${at}`))],
  [
    "a look after each change by a command",
    times(8, (at) => [run(`sed -i s/${at}/x/ a.ts`, ""), run("git diff", `diff ${at}`)]).flat(),
  ],
];
