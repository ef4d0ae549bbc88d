import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fail, succeed, type Result } from "../../../src/engine/base/result.ts";
import type { ProjectBudgets } from "../../../src/engine/budgets/budgets-answers.ts";
import { BudgetsFeed } from "../../../src/extension/budgets/budgets-state.ts";
import type { AskFailure } from "../../../src/extension/service/connection.ts";
import { convoy, project } from "../support/budgets.ts";
import { FakeConnection } from "../support/fake-connection.ts";

const one = [project([convoy([])])];
const two = [project([convoy([]), convoy([], "review")])];

/** A window's budget feed. The test defines the service's answers. */
function feed(answer: readonly ProjectBudgets[]) {
  const asked: string[][] = [];
  const reported: { answer: Result<{ projects: ProjectBudgets[] }, AskFailure> } = {
    answer: succeed({ projects: [...answer] }),
  };
  const service = new FakeConnection({
    budgetsFollow: ({ folders }) => {
      asked.push(folders);
      return reported.answer;
    },
  });
  const warned: string[] = [];
  let changes = 0;
  const made = new BudgetsFeed({
    service,
    folders: () => ["/home/dev/harbor"],
    warn: (text) => warned.push(text),
  });
  made.onChange(() => (changes += 1));
  const become = async (next: Result<{ projects: ProjectBudgets[] }, AskFailure>) => {
    reported.answer = next;
    service.switchService();
    await settled();
  };
  const change = (projects: ProjectBudgets[]) => service.notices.budgetsChanged.fire({ projects });
  return { made, asked, warned, changes: () => changes, become, change };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the budgets of a window", () => {
  it("requests and follows the budgets of the current service", async () => {
    const { made, asked, changes, become, change } = feed(one);
    await settled();
    assert.deepEqual(asked, [["/home/dev/harbor"]]);
    assert.deepEqual(made.projects, one);
    change(two);
    assert.deepEqual(made.projects, two);
    assert.equal(changes(), 2);
    await become(succeed({ projects: one }));
    assert.deepEqual(made.projects, one);
    assert.equal(asked.length, 2);
  });

  it("keeps the last budgets while there is no service", async () => {
    const { made, warned, become } = feed(one);
    await settled();
    for (const reason of ["starting", "offline"] as const)
      await become(fail(reason, plainSentence("not there")));
    assert.deepEqual(made.projects, one);
    assert.deepEqual(warned, []);
    await become(fail("failed", plainSentence("as the test says")));
    assert.deepEqual(warned, ["Budgets are not known: as the test says"]);
  });

  it("reports nothing after the window closes", async () => {
    const { made, changes, change } = feed(one);
    made.dispose();
    await settled();
    change(two);
    assert.equal(changes(), 0);
  });
});
