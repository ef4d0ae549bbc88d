import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  budgetNodeText,
  levelTooltip,
  type BudgetTextOptions,
} from "../../../src/extension/budgets/budgets-node-text.ts";
import {
  budgetNodeId,
  childNodes,
  isBudgetNode,
  rootNodes,
  type BudgetNode,
} from "../../../src/extension/budgets/budgets-tree.ts";
import { agent, convoy, level, project } from "../support/budgets.ts";
import { t } from "../support/session.ts";

const options: BudgetTextOptions = {
  t,
  titleOf: (id) => (id === "5f0c" ? "Find the hour" : undefined),
  isMuted: () => false,
};

/** Renders the whole tree as a person reads it. */
function drawn(nodes: readonly BudgetNode[], depth = 0): string[] {
  return nodes.flatMap((node) => {
    const { label, description, icon } = budgetNodeText(node, options);
    return [`${"  ".repeat(depth)}${icon} ${label}: ${description}`, ...drawn(childNodes(node), depth + 1)];
  });
}

const levels = [
  level({ level: "session", who: "5f0c", sessionId: "5f0c", amount: 100_000, used: 20_000 }),
  agent("main", { sessionId: "5f0c", amount: 100_000, used: 114_000 }),
  agent("a7c0ffee00", { agentType: "Explore", amount: 100_000, used: 70_000, reserved: 12_000 }),
  level({ used: 412_000 }),
  level({ level: "project", who: null, period: "month", amount: 2_000_000, used: 500_000 }),
];

describe("the Budgets view", () => {
  it("shows each level of a project's budgets, the widest first and the fullest before others", () => {
    assert.deepEqual(drawn(rootNodes([project([convoy(levels)])])), [
      "shield checkout: 114% · Agent main · Find the hour",
      "  root-folder Project: 500k of 2M · 25% · this month",
      "  warning Group: 412k of 500k · 82% · today",
      "  error Agent main: 114k of 100k · 114% · today · Find the hour",
      "  warning Agent Explore: 82k of 100k · 82% · today · live",
      "  comment-discussion Session: 20k of 100k · 20% · today · Find the hour",
    ]);
  });

  it("names projects only if several have budgets, and shows none if none has", () => {
    const other = { folder: "/home/dev/mast", project: "/home/dev/mast", mode: "hard" } as const;
    assert.deepEqual(drawn(rootNodes([project([]), project([convoy([])], other)])), [
      "shield checkout: nothing used yet",
    ]);
    assert.deepEqual(drawn(rootNodes([project([convoy([])]), project([convoy([], "review")], other)])), [
      "root-folder harbor: warns only",
      "  shield checkout: nothing used yet",
      "root-folder mast: stops at the limit",
      "  shield review: nothing used yet",
    ]);
    assert.deepEqual(rootNodes([project([])]), []);
  });

  it("lists damaged budgets first, with the reason", () => {
    const fault = {
      reason: "corrupt",
      detail: plainSentence("x cannot be used: \u001b[31mit was cut"),
      file: "/h/.purser/budgets/x.json",
    };
    const roots = rootNodes([project([convoy([])], { faults: [fault] })]);
    assert.deepEqual(drawn(roots), ["error x.json: cannot be used", "shield checkout: nothing used yet"]);
    const [first] = roots;
    assert.ok(first !== undefined);
    const text = budgetNodeText(first, options);
    assert.equal(text.tooltip, "x cannot be used: it was cut");
    assert.match(text.contextValue, /\bwithFile\b/u);
  });

  it("shows limits with no use yet", () => {
    const each = (name: "agent" | "session") => level({ level: name, who: null, used: 0 });
    assert.deepEqual(drawn(rootNodes([project([convoy([each("agent"), each("session")])])])), [
      "shield checkout: 0% · Each agent",
      "  hubot Each agent: 0 of 500k · 0% · today",
      "  comment-discussion Each session: 0 of 500k · 0% · today",
    ]);
  });

  it("lists agents without a limit, and files that are not budgets, after the budgets", () => {
    const stray = {
      file: "/h/.purser/budgets/x copy.json",
      detail: plainSentence("x copy.json is no budget: \u001b[31mremove it"),
    };
    const roots = rootNodes([
      project([convoy([])], { strays: [stray], notHeld: ["codex", "gemini", "new"] }),
    ]);
    assert.deepEqual(drawn(roots), [
      "shield checkout: nothing used yet",
      "circle-slash Codex, Gemini CLI, new: no hooks: cannot be stopped",
      "warning x copy.json: not a budget",
    ]);
    const [, held, last] = roots.map((node) => budgetNodeText(node, options));
    assert.match(held?.tooltip ?? "", /^Codex, Gemini CLI, new's usage is counted\./u);
    assert.equal(last?.tooltip, "x copy.json is no budget: remove it");
    assert.equal(new Set(roots.map(budgetNodeId)).size, 3);
    assert.equal(rootNodes([project([], { strays: [stray] })]).length, 1, "listed without any budget too");
  });

  it("describes each line in words to a screen reader", () => {
    const [root] = rootNodes([project([convoy(levels)])]);
    assert.ok(root !== undefined);
    const [, second] = childNodes(root);
    assert.ok(second !== undefined);
    assert.equal(
      budgetNodeText(second, options).spoken,
      "Group, 412,000 of 500,000 tokens used today, 82%, near its limit",
    );
    const muted = budgetNodeText(root, { ...options, isMuted: () => true });
    assert.equal(muted.spoken, "Budget checkout, 114% · Agent main · Find the hour, limit passed, muted");
    assert.equal(muted.contextValue, "budgetConvoy muted");
  });

  it("gives every line a unique id, even to indistinguishable runs", () => {
    const run = agent("main", { period: "run", since: null });
    const [root] = rootNodes([project([convoy([run, run, ...levels])])]);
    assert.ok(root !== undefined);
    const ids = [root, ...childNodes(root)].map(budgetNodeId);
    assert.equal(new Set(ids).size, ids.length);
  });

  it("shows a line's full figures in its tooltip", () => {
    const [root] = rootNodes([project([convoy([level({ used: 512_000, reserved: 1000 })])])]);
    assert.ok(root !== undefined);
    const [only] = childNodes(root);
    assert.ok(only?.kind === "budget-level");
    const text = levelTooltip(only, options);
    assert.match(text, /\| Over&ensp; \| 13,000 \|/u);
    assert.match(text, /\| Set aside&ensp; \| 1,000 \|/u);
  });

  it("lets no name in it act as Markdown or as a control", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (name) => {
        const [root] = rootNodes([project([convoy([agent(name)], "x")])]);
        assert.ok(root !== undefined);
        const [only] = childNodes(root);
        assert.ok(only?.kind === "budget-level");
        // The marks around a name that runs from right to left are purser's own.
        const label = budgetNodeText(only, options).label.replace(/\u2068([^\u2068\u2069]*)\u2069/u, "$1");
        assert.doesNotMatch(label, /[\p{Cc}\p{Cf}]/u);
        assert.doesNotMatch(levelTooltip(only, options).split("\n")[0] ?? "", /[^\\][[\]<]/u);
      }),
    );
  });
});

describe("the argument of a command", () => {
  it("is a line of the view, or something else", () => {
    assert.ok(isBudgetNode({ kind: "budget-convoy" }));
    for (const other of [undefined, null, "x", 1, {}, { kind: "session" }, { kind: 1 }])
      assert.equal(isBudgetNode(other), false);
  });
});
