import type { Sentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { newBudget } from "../../../../src/engine/budgets/budget.ts";
import { areLimited, BudgetOffers } from "../../../../src/engine/budgets/live/offers.ts";
import { valueOf } from "../support/ports.ts";
import { scratchFolder } from "../../support/scratch.ts";

const limit = { limit: 1000, period: "total" } as const;
const budget = (wanted: Parameters<typeof newBudget>[0]) => valueOf(newBudget(wanted, 0));

const noProblem = (problem: Sentence): never => assert.fail(problem.text);

describe("what budgets are offered for", () => {
  it("is claimed once per project and branch, by any client and across restarts", (t) => {
    const folder = scratchFolder(t);
    const name = fc.oneof(fc.constantFrom("main", "fleet", "a/b"), fc.string());
    const places = fc.array(fc.tuple(name, fc.option(name)), { maxLength: 12 });
    fc.assert(
      fc.property(places, fc.infiniteStream(fc.boolean()), fc.uuid(), (asked, isRestarted, run) => {
        const problems: string[] = [];
        const home = { folder: path.join(folder, run) };
        mkdirSync(home.folder);
        const open = () => new BudgetOffers(home, (problem) => problems.push(problem.text));
        let offers = open();
        const seen = new Set<string>();
        for (const [project, branch] of asked) {
          if (isRestarted.next().value) offers = open();
          const key = JSON.stringify([project, branch]);
          assert.equal(offers.claim(project, branch), !seen.has(key));
          seen.add(key);
        }
        assert.deepEqual(problems, []);
      }),
      { numRuns: 40 },
    );
  });

  it("is forgotten if its file is damaged, and stored from then on", (t) => {
    const home = { folder: scratchFolder(t) };
    const file = path.join(home.folder, "budget-offers.json");
    for (const text of ["{", "[]", '{ "schema": 9 }', ""]) {
      writeFileSync(file, text, { mode: 0o600 });
      const claims = [1, 2].map(() => new BudgetOffers(home, noProblem).claim("/argo", text));
      assert.deepEqual(claims, [true, false], text);
    }
    assert.ok(
      !readFileSync(file, "utf8").includes("argo"),
      "whose projects these are is nobody else's affair",
    );
  });

  it("is claimed once per service if nothing can be written", (t) => {
    const problems: string[] = [];
    const offers = new BudgetOffers({ folder: path.join(scratchFolder(t), "gone") }, (problem) =>
      problems.push(problem.text),
    );
    assert.deepEqual([offers.claim("/argo", null), offers.claim("/argo", null)], [true, false]);
    assert.match(problems.join(), /budget-offers\.json cannot be written \(ENOENT\)/u);
  });

  const asOwner = { skip: process.platform === "win32" ? "files have no mode here" : false };
  it("is not read from a file that others could have written", asOwner, (t) => {
    const home = { folder: scratchFolder(t) };
    assert.ok(new BudgetOffers(home, noProblem).claim("/argo", "fleet"));
    chmodSync(path.join(home.folder, "budget-offers.json"), 0o666);
    const problems: string[] = [];
    assert.ok(new BudgetOffers(home, (problem) => problems.push(problem.text)).claim("/argo", "fleet"));
    assert.match(problems.join(), /open to other users/u);
    assert.ok(!new BudgetOffers(home, noProblem).claim("/argo", "fleet"), "its place took one that is right");
  });
});

describe("agents that work together", () => {
  const here = { branch: "fleet", sessionIds: ["s-1", "s-2"] };

  it("are limited by their branch's budget, by one for all branches, and by a project's limit in any", () => {
    const [convoy, project] = [{ levels: { convoy: limit } }, { levels: { project: limit } }];
    assert.ok(!areLimited([], here));
    assert.ok(areLimited([budget({ convoyId: "fleet", ...convoy })], here));
    assert.ok(areLimited([budget({ convoyId: "all", members: { branches: ["*"] }, ...convoy })], here));
    assert.ok(areLimited([budget({ convoyId: "other", ...project })], here));
    assert.ok(!areLimited([budget({ convoyId: "other", ...convoy })], here));
  });

  it("are limited where each is named by a budget, and not where one is not", () => {
    const named = (...sessions: string[]) =>
      budget({ convoyId: "named", members: { sessions }, levels: { agent: limit } });
    assert.ok(areLimited([named("s-1", "s-2")], here));
    assert.ok(!areLimited([named("s-1")], here));
  });

  it("are limited outside of a repository by a budget for everything only", () => {
    const nowhere = { ...here, branch: null };
    assert.ok(areLimited([budget({ convoyId: "all", members: { branches: ["*"] } })], nowhere));
    assert.ok(!areLimited([budget({ convoyId: "fleet" })], nowhere));
  });
});
