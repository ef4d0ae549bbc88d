import assert from "node:assert/strict";
import path from "node:path";
import fc from "fast-check";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { describe, it } from "node:test";
import { newBudget, type Budget, type Members } from "../../../../src/engine/budgets/budget.ts";
import { convoyIdOf, convoyOf } from "../../../../src/engine/budgets/convoys/members.ts";
import { gitBranch } from "../../../../src/engine/budgets/git-branch.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { noon, valueOf } from "../support/ports.ts";

function budget(convoyId: string, members?: Members): Budget {
  return valueOf(newBudget(members === undefined ? { convoyId } : { convoyId, members }, noon));
}

const cases: readonly (readonly [string, readonly Budget[], string | null, string | null])[] = [
  ["a branch called like the group", [budget("checkout")], "checkout", "checkout"],
  ["with a slash and capitals", [budget("feature-checkout")], "feature/Checkout", "feature-checkout"],
  ["another branch", [budget("checkout")], "main", null],
  ["no branch", [budget("checkout")], null, null],
  ["anything, no branch too", [budget("fleet", { branches: ["*"] })], null, "fleet"],
  ["no branch, which is nothing's in particular", [budget("fleet", { branches: ["oars/*"] })], null, null],
  ["one it names", [budget("fleet", { branches: ["main"] })], "main", "fleet"],
  ["a pattern", [budget("fleet", { branches: ["oars/*"] })], "oars/port", "fleet"],
  ["a pattern around", [budget("fleet", { branches: ["*/port/*"] })], "oars/port/1", "fleet"],
  ["no pattern's", [budget("fleet", { branches: ["oars/*"] })], "helm/port", null],
  ["a pattern may not overlap itself", [budget("fleet", { branches: ["ab*ba"] })], "aba", null],
  ["anything", [budget("fleet", { branches: ["*"] })], "x", "fleet"],
  [
    "the exact one first, then the longest pattern",
    [budget("a", { branches: ["*"] }), budget("b", { branches: ["oars/*"] })],
    "oars/port",
    "b",
  ],
  ["a name before the group's id", [budget("main"), budget("zeta", { branches: ["main"] })], "main", "zeta"],
];

describe("the group of a session", () => {
  for (const [name, budgets, branch, expected] of cases)
    it(`${name}: ${branch} is of ${expected}`, () => {
      assert.equal(convoyOf(budgets, { sessionId: "s1", branches: [branch] }), expected);
    });

  it("is the one that names the session, before any branch", () => {
    const budgets = [budget("checkout"), budget("fleet", { sessions: ["s1"] })];
    assert.equal(convoyOf(budgets, { sessionId: "s1", branches: ["checkout"] }), "fleet");
    assert.equal(convoyOf(budgets, { sessionId: "s2", branches: ["checkout"] }), "checkout");
  });

  it("is its session's for a subagent in its own worktree", () => {
    const budgets = [budget("checkout")];
    assert.equal(convoyOf(budgets, { sessionId: "s1", branches: ["worktree-a1", "checkout"] }), "checkout");
  });

  it("fits a pattern as a regular expression would have it", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 12 });
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", "/", "*"), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(text, pattern, (branch, asked) => {
        const found = convoyOf([budget("zz-none", { branches: [asked] })], {
          sessionId: "s",
          branches: [branch],
        });
        const expected = new RegExp(`^${asked.replaceAll("*", ".*")}$`, "u").test(branch);
        assert.equal(found === "zz-none", expected);
      }),
    );
  });

  it("has an id for every branch that has letters of ours", () => {
    assert.equal(convoyIdOf("feature/Größe_2"), "feature-gr-e_2");
  });
});

describe("the branch of a folder", () => {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd, stdio: "pipe" });

  it("comes from git, also below it and in a linked worktree; none when detached or outside", (t) => {
    const folder = scratchFolder(t);
    const main = path.join(folder, "argo");
    mkdirSync(path.join(main, "stern", "deep"), { recursive: true });
    assert.equal(gitBranch(path.join(main, "stern")), null);
    git(main, "init", "-q", "-b", "feature/checkout");
    assert.equal(gitBranch(path.join(main, "stern", "deep")), "feature/checkout");
    git(main, "commit", "-q", "--allow-empty", "-m", "one");
    git(main, "worktree", "add", "-q", "-b", "oars", path.join(folder, "oars"));
    assert.equal(gitBranch(path.join(folder, "oars")), "oars");
    git(main, "checkout", "-q", "--detach");
    assert.equal(gitBranch(main), null);
  });
});
