import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Verification } from "../../../../src/engine/guard/verification/verification-handler.ts";
import type { VerificationDebt } from "../../../../src/engine/guard/verification/debt.ts";
import type { SessionMemory } from "../../../../src/engine/base/per-session.ts";
import { Restarts } from "../support/restarts.ts";
import { sentIn, Trace } from "../support/traces.ts";

const edit = (file: string) => `edit ${file}`;
/** One step of a trace: `edit FILE`, `fail COMMAND`, `interrupt COMMAND`, or a command that succeeds. */
type Step = string;

interface Followed {
  readonly sent: readonly string[];
  readonly debt: VerificationDebt;
  readonly trace: Trace;
}

function begin(memory?: SessionMemory): { readonly trace: Trace; readonly verification: Verification } {
  let verification: Verification | undefined;
  const trace = new Trace((hooks, parts) => {
    verification = new Verification({
      ...parts,
      threshold: () => 4,
      checksOf: () => Promise.resolve([{ kind: "test", command: "npm test" }]),
    });
    hooks.register(verification.handler);
  }, memory);
  assert.ok(verification);
  return { trace, verification };
}

async function follow(steps: readonly Step[], mode: Trace["mode"] = "on"): Promise<Followed> {
  const { trace, verification } = begin();
  trace.mode = mode;
  const sent: string[] = [];
  for (const step of steps) {
    const [verb = "", rest = ""] = step.split(/ (.*)/su);
    const more = step.startsWith("edit sub:") ? { agent_id: "a1" } : {};
    const answer =
      verb === "edit"
        ? await trace.done("Edit", { file_path: `/home/ann/shop/${rest}` }, "", more)
        : verb === "fail"
          ? await trace.failed("Bash", { command: rest }, "Exit code 1\nno")
          : verb === "badedit"
            ? await trace.failed("Edit", { file_path: rest }, "String to replace not found")
            : verb === "interrupt"
              ? await trace.failed("Bash", { command: rest }, "Interrupted", { is_interrupt: true })
              : verb === "red"
                ? await trace.done("Bash", { command: rest }, "Tests: 2 failed, 5 passed")
                : await trace.done("Bash", { command: step }, "ok");
    if (sentIn(answer) !== "") sent.push(sentIn(answer));
  }
  return { sent, debt: verification.of("s"), trace };
}

const four = ["a.ts", "b.ts", "c.ts", "a.ts"].map(edit);

const fires: Readonly<Record<string, readonly Step[]>> = {
  "four edits": four,
  "four edits of one file": [edit("a.ts"), edit("a.ts"), edit("a.ts"), edit("a.ts")],
  "looks in between": [
    edit("a.ts"),
    "ls",
    edit("b.ts"),
    "git status",
    "grep x a.ts",
    edit("c.ts"),
    "cat a.ts",
    edit("d.py"),
  ],
  "a check in quotes": [edit("a.ts"), edit("b.ts"), "echo 'npm test'", edit("c.ts"), edit("d.ts")],
  "an install in between": [edit("a.ts"), edit("b.ts"), "npm ci", edit("c.ts"), edit("d.ts")],
  "prose among them": [
    edit("a.ts"),
    edit("README.md"),
    edit("b.ts"),
    edit("c.ts"),
    edit("x.txt"),
    edit("d.ts"),
  ],
  "edits by a command": ["sed -i s/a/b/ a.ts", "sed -i s/a/b/ b.ts", "cat > c.ts <<'E'\nx\nE", edit("d.ts")],
  "a check before": ["npm test", ...four],
  "a commit in between": [
    edit("a.ts"),
    edit("b.ts"),
    "git commit -am 'make test pass'",
    edit("c.ts"),
    edit("d.ts"),
  ],
  "an interrupted check": [edit("a.ts"), edit("b.ts"), "interrupt npm test", edit("c.ts"), edit("d.ts")],
  "a subagent's edits": [edit("sub:a.ts"), edit("b.ts"), edit("sub:c.ts"), edit("d.ts")],
};

const silent: Readonly<Record<string, readonly Step[]>> = {
  "three edits": four.slice(0, 3),
  "documentation only": ["README.md", "docs/a.md", "b.txt", "CHANGELOG.md", "c.rst", "d.md", "LICENSE"].map(
    edit,
  ),
  "a test in between": [edit("a.ts"), edit("b.ts"), "npm test", edit("c.ts"), edit("d.ts"), edit("e.ts")],
  "a failing test in between": [
    edit("a.ts"),
    edit("b.ts"),
    "fail npm test",
    edit("c.ts"),
    edit("d.ts"),
    edit("e.ts"),
  ],
  "a wrapped check": [
    edit("a.ts"),
    edit("b.ts"),
    "cd web && uv run ruff check . | tail -3",
    edit("c.ts"),
    edit("d.ts"),
  ],
  "a run of the program": [edit("a.py"), edit("b.py"), "python main.py", edit("c.py"), edit("d.py")],
  "edits that failed": ["badedit a.ts", "badedit a.ts", "badedit a.ts", "badedit a.ts", "badedit a.ts"],
  "red and green": [
    edit("a.test.ts"),
    "fail npm test",
    edit("a.ts"),
    "fail npm test",
    edit("a.ts"),
    "npm test",
    edit("b.ts"),
  ],
  "outputs written to logs": [
    "npm test > a.log",
    "npm test > b.log",
    "ls > c.txt",
    "ls > d.txt",
    "ls > e.txt",
  ],
};

test("advises on unchecked edits of code only", async () => {
  for (const [name, steps] of Object.entries(fires)) {
    const { sent } = await follow(steps);
    assert.equal(sent.length, 1, name);
    assert.match(sent[0] ?? "", /4 edits of code \(.*This project has `npm test`/u, name);
  }
  for (const [name, steps] of Object.entries(silent)) assert.deepEqual((await follow(steps)).sent, [], name);
});

test("observes silently", async () => {
  const { sent, trace } = await follow(four, "observe");
  assert.deepEqual(sent, []);
  assert.deepEqual(
    trace.recorded.map(({ rule, done }) => [rule, done]),
    [["unchecked-edits", "observed"]],
  );
  assert.deepEqual((await follow(four, "off")).trace.recorded, []);
});

test("doubles the number of edits before the next advice", async () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => edit(`${at}.ts`));
  assert.equal((await follow(many(7))).sent.length, 1);
  assert.equal((await follow(many(8))).sent.length, 2);
  assert.equal((await follow([...four, "npm test", ...many(7)])).sent.length, 1);
  assert.equal((await follow([...many(4), "npm test", ...many(8)])).sent.length, 2);
});

test("a passed check verifies and a failed one does not, even if a pipe hides its exit code", async () => {
  const passed = (await follow([...four, "npm test"])).debt;
  assert.deepEqual([passed.unverified, passed.verified.length], [[], 3]);
  for (const failing of ["fail npm test", "red npm test 2>&1 | tail -5"]) {
    const { unverified, verified, runs } = (await follow([...four, failing])).debt;
    assert.deepEqual([unverified.length, verified, runs[0]?.hasPassed], [3, [], false], failing);
  }
});

test("counts a call once that is reported alone and in a batch", async () => {
  const { trace } = await follow([]);
  const call = (id: string) => ({
    tool_name: "Edit",
    tool_input: { file_path: `/home/ann/shop/${id}.ts` },
    tool_use_id: id,
  });
  for (const id of ["1", "2", "3"]) {
    await trace.hook("PostToolUse", call(id));
    assert.equal(await trace.hook("PostToolBatch", { tool_calls: [call(id)] }), null);
  }
  const answer = await trace.hook("PostToolBatch", { tool_calls: [call("4")] });
  assert.match(sentIn(answer), /4 edits/u);
});

test("counts a call once if the service restarts between the call and its batch", async () => {
  const restarts = new Restarts(begin);
  const call = (id: string) => ({
    tool_name: "Edit",
    tool_input: { file_path: `/home/ann/shop/${id}.ts` },
    tool_use_id: id,
  });
  for (const id of ["1", "2", "3"]) {
    await restarts.handlers.trace.hook("PostToolUse", call(id));
    restarts.restart();
    assert.equal(await restarts.handlers.trace.hook("PostToolBatch", { tool_calls: [call(id)] }), null);
  }
  assert.equal(restarts.handlers.verification.of("s").edits, 3);
});

test("advises as soon as the family is on, after a long time in observe mode", async () => {
  const { trace, debt } = await follow(
    Array.from({ length: 40 }, (_, at) => edit(`${at}.ts`)),
    "observe",
  );
  assert.deepEqual([debt.told, debt.unsaid > 2, trace.recorded.length], [0, true, debt.unsaid]);
  trace.mode = "on";
  const more = (file: string) => trace.done("Edit", { file_path: `/home/ann/shop/${file}` });
  assert.match(sentIn(await more("x.ts")), /41 edits/u);
  assert.equal(await more("y.ts"), null);
});

test("sends nothing within four edits of a check, and keeps verified and unverified files apart", async () => {
  const step = fc.constantFrom(
    edit("a.ts"),
    edit("b.ts"),
    edit("c.md"),
    "npm test",
    "fail npm test",
    "ls",
    "npx eslint .",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { sent, debt } = await follow(steps);
      let since = 0;
      let most = 0;
      for (const each of steps) {
        since =
          each.includes("npm test") || each.includes("eslint")
            ? 0
            : since + (/^edit .*ts$/u.test(each) ? 1 : 0);
        most = Math.max(most, since);
      }
      assert.equal(sent.length > 0, most >= 4);
      assert.ok(debt.unverified.every((file) => !debt.verified.includes(file)));
      assert.ok(new Set(sent).size === sent.length);
    }),
  );
});
