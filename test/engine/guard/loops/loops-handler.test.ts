import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SessionMemory } from "../../../../src/engine/base/per-session.ts";
import { defaultThresholds } from "../../../../src/engine/guard/loops/detect.ts";
import { Loops } from "../../../../src/engine/guard/loops/loops-handler.ts";
import { sentIn, Trace } from "../support/traces.ts";
import { edit, fails, loops, ordinary, read, run, type TraceStep } from "./traces.ts";

function begin(mode: Trace["mode"] = "on", memory = new SessionMemory()) {
  let guard: Loops | undefined;
  const trace: Trace = new Trace((hooks, parts) => {
    guard = new Loops({ ...parts, thresholds: () => defaultThresholds, modeOf: () => trace.mode });
    hooks.register(guard.handler);
  }, memory);
  trace.mode = mode;
  const play = async ({ tool, input, output, error, agent }: TraceStep) => {
    const more = agent === undefined ? {} : { agent_id: agent };
    return error === undefined
      ? await trace.done(tool, input, output, more)
      : await trace.failed(tool, input, error, more);
  };
  const loopOf = () => guard?.of("s") ?? null;
  return { trace, play, loopOf };
}

/** Returns the text for the agent at each step. */
async function sentTexts(steps: readonly TraceStep[]): Promise<string[]> {
  const { play } = begin();
  const all: string[] = [];
  for (const each of steps) all.push(sentIn(await play(each)));
  return all;
}

for (const [name, rule, steps] of loops)
  test(`a loop: ${name}`, async () => {
    const all = await sentTexts(steps);
    assert.deepEqual(
      all.map((text) => /\((?<rule>[\w-]+)\)/u.exec(text)?.groups?.["rule"] ?? ""),
      [...steps.slice(1).map(() => ""), rule],
    );
    assert.doesNotMatch(all.at(-1) ?? "", /undefined|null|``/u);
  });

for (const [name, steps] of ordinary)
  test(`no loop: ${name}`, async () => {
    assert.deepEqual(
      (await sentTexts(steps)).filter((text) => text !== ""),
      [],
    );
  });

const failing = fails("npm test", "Exit code 1\nFAIL adds");

async function answersTo(steps: readonly TraceStep[], change: (trace: Trace) => void = () => undefined) {
  const { trace, play, loopOf } = begin();
  change(trace);
  const answers = [];
  for (const each of steps) answers.push(await play(each));
  return { answers, trace, loopOf };
}

test("reports a loop once to the agent, and once to the user if it continues", async () => {
  const { answers, trace, loopOf } = await answersTo(Array.from({ length: 8 }, () => failing));
  assert.match(
    sentIn(answers[2] ?? null),
    /^Context Purser \(same-failure\): `npm test` has failed the same way 3 times\. Find the cause/u,
  );
  assert.equal(answers.filter((answer) => sentIn(answer) !== "").length, 1);
  const notices = answers.map((answer) => answer?.["systemMessage"]);
  assert.match(String(notices[4]), /continues a loop that was reported to it \(same-failure\)/u);
  assert.equal(notices.filter((notice) => notice !== undefined).length, 1);
  assert.deepEqual(
    trace.recorded.map(({ rule, done }) => `${rule} ${done}`),
    ["same-failure advised", ...Array.from({ length: 5 }, () => "same-failure repeated")],
  );
  assert.equal(loopOf(), "same-failure");
});

test("reports an observed loop once the family is on, and to the user if it continues", async () => {
  const { trace, play } = begin("observe");
  for (let at = 0; at < 4; at += 1) assert.equal(await play(failing), null);
  trace.mode = "on";
  const answers = [];
  for (let at = 0; at < 5; at += 1) answers.push(await play(failing));
  assert.deepEqual(
    answers.map((answer) => [sentIn(answer) !== "", answer?.["systemMessage"] !== undefined]),
    [
      [true, false],
      [false, false],
      [false, true],
      [false, false],
      [false, false],
    ],
  );
});

test("does not report to the user if no person reads it or the agent shows nothing", async () => {
  const steps = Array.from({ length: 8 }, () => failing);
  const quiet: readonly ((trace: Trace) => void)[] = [
    (trace) => (trace.isAttended = false),
    (trace) => (trace.mode = "observe"),
    (trace) => (trace.mode = "off"),
  ];
  for (const change of quiet) {
    const { answers } = await answersTo(steps, change);
    assert.ok(answers.every((answer) => answer?.["systemMessage"] === undefined));
  }
});

test("reports another loop, not the same one by another pattern, and starts over with a prompt", async () => {
  const { trace, play, loopOf } = begin();
  const texts: string[] = [];
  const other = fails("npm run build", "Exit code 1\nno such module");
  for (const each of [
    failing,
    failing,
    failing,
    read("a.ts"),
    failing,
    read("a.ts"),
    failing,
    other,
    other,
    other,
  ])
    texts.push(sentIn(await play(each)));
  const heard = texts.filter((text) => text !== "");
  assert.equal(heard.length, 2);
  assert.match(heard[0] ?? "", /`npm test` has failed/u);
  assert.match(heard[1] ?? "", /`npm run build` has failed/u);
  await trace.hook("UserPromptSubmit", { prompt: "again" });
  assert.equal(loopOf(), null);
  const third = fails("make", "Exit code 2\nno rule");
  await play(third);
  await play(third);
  await trace.hook("UserPromptSubmit", { prompt: "once more" });
  assert.equal(await play(third), null);
});

test("an interrupted call and the agent's plan do not count as actions", async () => {
  const { trace, play } = begin();
  await play(failing);
  await play(failing);
  const input = { command: "npm test" };
  assert.equal(await trace.failed("Bash", input, "Exit code 1\nFAIL adds", { is_interrupt: true }), null);
  await trace.done("TodoWrite", { todos: [] });
  assert.match(sentIn(await play(failing)), /failed the same way 3 times/u);
});

test("subagents get reports of their own loops", async () => {
  const { play } = begin();
  const by = (agent: string) => ({ ...failing, agent });
  for (const each of [by("a"), by("b"), failing, by("a"), by("b"), failing])
    assert.equal(await play(each), null);
  for (const each of [by("a"), by("b"), failing]) assert.match(sentIn(await play(each)), /3 times/u);
});

const someStep: fc.Arbitrary<TraceStep> = fc.oneof(
  fc
    .constantFrom("npm test", "npm run lint", "make", "git status", "cat a.ts", "sleep 5", "gh run view 1")
    .chain((command) =>
      fc.constantFrom(
        run(command, "one"),
        run(command, "two"),
        fails(command, "Exit code 1\nA"),
        fails(command, "Exit code 1\nB"),
      ),
    ),
  fc
    .constantFrom("a.ts", "b.ts")
    .chain((file) => fc.constantFrom(read(file), edit(file, "one"), edit(file, "two"))),
);

test("different actions that succeed are never a loop, whatever they are", async () => {
  const command = fc
    .constantFrom("cat", "git show", "curl -s", "node", "npm run", "ls", "make")
    .map((program) => program);
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(10_000), { maxLength: 30 }),
      fc.array(command, { minLength: 30, maxLength: 30 }),
      async (numbers, programs) => {
        const steps = numbers.map((number, at) => {
          const kinds = [
            run(`${programs[at] ?? ""} thing${number}`, `out ${number}`),
            read(`f${number}.ts`),
            edit(`f${number}.ts`),
          ];
          return kinds[number % 3] ?? edit("a.ts");
        });
        assert.ok((await sentTexts(steps)).every((text) => text === ""));
      },
    ),
  );
});

test("tests and edits with new failures each time, and any red, edit and green, are never a loop", async () => {
  const cycle = fc.record({
    edits: fc.integer({ min: 1, max: 4 }),
    reds: fc.integer({ min: 0, max: 2 }),
    looks: fc.nat(3),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(cycle, { maxLength: 8 }), fc.boolean(), async (cycles, isGreen) => {
      const steps = cycles.flatMap(({ edits, reds, looks }, at) => [
        ...Array.from({ length: isGreen ? reds : 1 }, () =>
          fails("npm test", `Exit code 1\nFAIL ${isGreen ? "adds" : "x".repeat(at + 1)}`),
        ),
        ...Array.from({ length: looks }, (_, look) => read(`f${look}.ts`, `text ${at}`)),
        ...Array.from({ length: edits }, () => edit("a.ts")),
        ...(isGreen ? [run("npm test", "Tests: 5 passed")] : []),
      ]);
      assert.deepEqual(
        (await sentTexts(steps)).filter((text) => text !== ""),
        [],
      );
    }),
  );
});

test("sends nothing while it observes, and records nothing while it is off", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someStep, { maxLength: 30 }), async (steps) => {
      const observed = await answersTo(steps, (trace) => (trace.mode = "observe"));
      assert.ok(observed.answers.every((answer) => answer === null));
      const off = await answersTo(steps, (trace) => (trace.mode = "off"));
      assert.deepEqual([off.trace.recorded, off.loopOf()], [[], null]);
      const on = await answersTo(steps);
      assert.equal(on.trace.recorded.length, observed.trace.recorded.length);
    }),
  );
});

test("a restarted service reports the same, and other sessions change nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(someStep, fc.boolean(), fc.boolean()), { maxLength: 30 }),
      async (steps) => {
        const one = begin();
        let memory = new SessionMemory();
        let other = begin("on", memory);
        for (const [each, isRestarted, isForeign] of steps) {
          if (isRestarted) {
            const stored = JSON.stringify(memory.dump("s"));
            memory = new SessionMemory();
            other = begin("on", memory);
            const parts: unknown = JSON.parse(stored);
            if (typeof parts === "object" && parts !== null)
              assert.deepEqual(memory.load("s", Object.fromEntries(Object.entries(parts))), []);
          }
          if (isForeign) await other.trace.done("Read", { file_path: "/x" }, "", { session_id: "t" });
          assert.deepEqual(await other.play(each), await one.play(each));
        }
      },
    ),
  );
});

test("any call is compared, and the stored state stays small", async () => {
  const value = fc.oneof(fc.string(), fc.anything(), fc.string({ unit: "binary", maxLength: 3000 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(
          fc.constantFrom("Bash", "Edit", "Read", "Agent", "mcp__x", "PowerShell", ""),
          fc.dictionary(fc.constantFrom("command", "file_path", "path"), value),
          value,
          fc.string(),
        ),
        {
          maxLength: 40,
        },
      ),
      async (calls) => {
        const memory = new SessionMemory();
        const { trace } = begin("on", memory);
        for (const [at, [tool, input, output, agent]] of calls.entries()) {
          const call = { tool_name: tool, tool_input: input, agent_id: agent === "" ? undefined : agent };
          await (at % 2 === 0
            ? trace.hook("PostToolUse", { ...call, tool_response: output })
            : trace.hook("PostToolUseFailure", { ...call, error: JSON.stringify([output]) }));
        }
        const stored = JSON.stringify(memory.dump("s"));
        assert.ok(stored.length < 120_000, String(stored.length));
        const again = new SessionMemory();
        begin("on", again);
        assert.deepEqual(again.load("s", memory.dump("s") ?? {}), []);
      },
    ),
  );
});
