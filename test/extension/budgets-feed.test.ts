import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Emitter } from "../../src/engine/base/emitter.ts";
import { fail, succeed } from "../../src/engine/base/result.ts";
import type { ProjectBudgets } from "../../src/engine/service/budget-protocol.ts";
import { BudgetsFeed } from "../../src/extension/budgets-feed.ts";
import { convoy, project } from "./support/budgets.ts";

const one = [project([convoy([])])];
const two = [project([convoy([]), convoy([], "review")])];

/** A service that answers when it is told to. */
function client(answer: readonly ProjectBudgets[] | "closed" | "refused") {
  const changes = new Emitter<readonly ProjectBudgets[]>();
  const asked: string[][] = [];
  return {
    asked,
    changes,
    budgets: {
      onChange: changes.on,
      follow: (folders: string[]) => {
        asked.push(folders);
        return Promise.resolve(
          typeof answer === "string" ? fail(answer, "as the test says") : succeed({ projects: [...answer] }),
        );
      },
    },
  };
}

function feed(first: ReturnType<typeof client> | undefined) {
  const clients = new Emitter<void>();
  const link: { client: ReturnType<typeof client> | undefined; onClient: typeof clients.on } = {
    client: first,
    onClient: clients.on,
  };
  const warned: string[] = [];
  let changes = 0;
  const made = new BudgetsFeed({
    link,
    folders: () => ["/home/dev/harbor"],
    warn: (text) => warned.push(text),
  });
  made.onChange(() => (changes += 1));
  return {
    made,
    warned,
    changes: () => changes,
    become: async (next: ReturnType<typeof client> | undefined) => {
      link.client = next;
      clients.fire();
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the budgets of a window", () => {
  it("are asked for, and followed, from whoever serves", async () => {
    const first = client(one);
    const { made, changes, become } = feed(first);
    await settled();
    assert.deepEqual(first.asked, [["/home/dev/harbor"]]);
    assert.deepEqual(made.projects, one);
    first.changes.fire(two);
    assert.deepEqual(made.projects, two);
    assert.equal(changes(), 2);
    const next = client(one);
    await become(next);
    assert.deepEqual(made.projects, one);
    first.changes.fire(two);
    assert.deepEqual(made.projects, one, "one that is gone has nothing to say");
  });

  it("stay as they were while nobody serves", async () => {
    const { made, warned, become } = feed(client(one));
    await settled();
    await become(undefined);
    await become(client("closed"));
    assert.deepEqual(made.projects, one);
    assert.deepEqual(warned, []);
    await become(client("refused"));
    assert.deepEqual(warned, ["Budgets are not known: as the test says"]);
  });

  it("say nothing any more when the window closes", async () => {
    const only = client(one);
    const { made, changes } = feed(only);
    made.dispose();
    await settled();
    only.changes.fire(two);
    assert.equal(changes(), 0);
  });
});
