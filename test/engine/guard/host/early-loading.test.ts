import assert from "node:assert/strict";
import test from "node:test";
import { earlyLoading } from "../../../../src/engine/guard/host/register-guards.ts";
import { defaultHookContext } from "../../../../src/engine/hooks/hooks-handler.ts";

const prompt = { hook_event_name: "UserPromptSubmit", session_id: "s", cwd: "/work" } as const;

test("guards are loaded once, after a prompt's answer, and again only if that failed", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const loads: (string | null)[] = [];
  const problems: string[] = [];
  let isBroken = true;
  const handler = earlyLoading({
    isOn: (folder) => folder === "/work",
    load: (folder) => {
      loads.push(folder);
      return isBroken ? Promise.reject(new Error("no memory")) : Promise.resolve();
    },
    onProblem: (problem) => problems.push(problem),
  });
  const ask = async (event: Parameters<typeof handler.answer>[0]) => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    assert.equal(await handler.answer(event, { ...defaultHookContext, answered }), null);
    const before = loads.length;
    t.mock.timers.tick(1000);
    assert.equal(loads.length, before);
    answer();
    await answered;
    t.mock.timers.tick(1000);
    await Promise.resolve();
    return loads.length - before;
  };
  assert.equal(await ask({ ...prompt, cwd: "/elsewhere" }), 0);
  assert.equal(await ask(prompt), 1);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(problems, ["The guards' code was not loaded: Error: no memory"]);
  isBroken = false;
  assert.equal(await ask(prompt), 1);
  assert.equal(await ask({ ...prompt, hook_event_name: "SessionStart" }), 0);
});
