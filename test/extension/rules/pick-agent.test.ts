import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isAgentName } from "../../../src/engine/rules/distil/propose.ts";
import { pickAgent, type AgentItem } from "../../../src/extension/rules/pick-agent.ts";
import type { Step, Stepped } from "../../../src/extension/editor/pick.ts";

const known = { rules: ["sql"], golden: ["backend", "sql"], own: ["scout"] };
const t = (message: string) => message;

/** Asks, and answers as the user does; returns what was offered, and what came of it. */
async function ask(
  answer: (offered: Step<AgentItem>) => Stepped<AgentItem>,
  agents: Parameters<typeof pickAgent>[0]["known"] = known,
) {
  const asked: Step<AgentItem>[] = [];
  const pick = (step: Step<AgentItem>) => {
    asked.push(step);
    return Promise.resolve(answer(step));
  };
  const about = { title: "Add Rule", placeholder: "Which agent?", known: agents };
  const chosen = await pickAgent(about, { t, pick });
  const [offered, ...others] = asked;
  assert.ok(offered !== undefined && others.length === 0, "one question is asked");
  return { offered, chosen };
}

const gone = (): Stepped<AgentItem> => ({ kind: "gone" });
/** Types a text and presses Enter: takes what is typed, else what is listed under it. */
const typing =
  (text: string) =>
  ({ typed, items }: Step<AgentItem>): Stepped<AgentItem> => {
    const item = typed?.(text) ?? items.find(({ name }) => name === text);
    return item === undefined ? { kind: "gone" } : { kind: "chosen", items: [item] };
  };

describe("the agent of a rule", () => {
  it("lists each known agent once, with the source of the name", async () => {
    const { offered, chosen } = await ask(typing("sql"));
    assert.equal(chosen, "sql");
    assert.deepEqual([offered.title, offered.placeholder], ["Add Rule", "Which agent?"]);
    assert.deepEqual(
      offered.items.map(({ label, description }) => [label, description]),
      [
        ["backend", "comes with golden tasks"],
        ["scout", "your own"],
        ["sql", "has rules, comes with golden tasks"],
      ],
    );
  });

  it("accepts any typed name, even when no agent is known", async () => {
    assert.equal((await ask(typing("planner"))).chosen, "planner");
    assert.equal((await ask(typing("planner"), { rules: [], golden: [], own: [] })).chosen, "planner");
  });

  it("returns nothing when the question is left, or answered without an item", async () => {
    assert.equal((await ask(gone)).chosen, undefined);
    assert.equal((await ask(() => ({ kind: "back" }))).chosen, undefined);
    assert.equal((await ask(() => ({ kind: "chosen", items: [] }))).chosen, undefined);
  });

  it("accepts only names that an agent can have, and that are not listed yet", async () => {
    const { typed } = (await ask(gone)).offered;
    assert.ok(typed !== undefined);
    assert.equal(typed("sql"), undefined, "it would be there twice");
    for (const text of ["", " ", "../x", "a/b", "a b", "$(zap)"]) assert.equal(typed(text), undefined, text);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\w-]{1,20}$/u)), (text) => {
        const item = typed(text);
        const listed = ["sql", "backend", "scout"].includes(text);
        assert.equal(item?.name, isAgentName(text) && !listed ? text : undefined);
        // The editor would hide an item that its own filter does not match.
        if (item !== undefined) assert.equal(item.alwaysShow, true);
      }),
    );
  });
});
