import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { outcomes } from "../../../../src/engine/guard/effect/step.ts";
import { guardFamilies } from "../../../../src/engine/settings/guard.ts";
import { edit, played, read, run, type Tool } from "./support.ts";

type Agent = ReturnType<ReturnType<typeof played>["agent"]>;

const tool = fc.constantFrom<Tool>(
  run("npm test"),
  run("git log"),
  run("git log -5"),
  run("rm -rf /opt/data"),
  run("cat big.log | head"),
  run("$(("),
  run(""),
  read("/shop/a.ts"),
  read("C:\\shop\\big.log"),
  edit("/shop/a.ts"),
  edit("/shop/a.ts", "y"),
  { tool_name: "Glob", tool_input: { pattern: "*" } },
  { tool_name: "", tool_input: null },
);
const fire = fc.record({
  rule: fc.constantFrom("one-rule", "two-rule"),
  family: fc.constantFrom(...guardFamilies),
  done: fc.constantFrom("observed", "advised", "repeated", "asked", "denied"),
});
const call = fc.record({
  what: fc.constantFrom("does", "fails", "isKept"),
  tool,
  fires: fc.array(fire, { maxLength: 2 }),
});
const happening = fc.oneof(
  { weight: 8, arbitrary: call },
  fc.constant({ what: "stops" } as const),
  fc.constant({ what: "prompts" } as const),
  fc.constant({ what: "leaves" } as const),
);
type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;

function play(agent: Agent, happened: Happening): void {
  if ("tool" in happened) agent[happened.what](happened.tool, ...happened.fires);
  else agent[happened.what]();
}

test("each delivered hit has one outcome when its session ends, and other hits have none", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), (all) => {
      const { agent, recorded } = played();
      const main = agent();
      const delivered: string[] = [];
      for (const each of all) {
        if ("tool" in each)
          for (const { rule, done } of each.fires)
            if (done === "advised" || done === "asked" || done === "denied")
              delivered.push(`${rule} ${done}`);
        play(main, each);
      }
      main.leaves();
      assert.deepEqual(recorded.map(({ rule, done }) => `${rule} ${done}`).toSorted(), delivered.toSorted());
      for (const { outcome, done } of recorded) {
        assert.ok(outcomes.includes(outcome));
        // Only a question or a denial can be overridden, only advice can be false or lead on.
        if (done === "advised") assert.notEqual(outcome, "overridden");
        else assert.ok(outcome !== "false" && outcome !== "progress");
      }
    }),
  );
});

test("a session's outcomes are the same whatever happens in other sessions and subagents between", () => {
  const story = fc.array(happening, { maxLength: 40 });
  const names = [["s"], ["t"], ["s", "sub"]] as const;
  fc.assert(
    fc.property(fc.tuple(story, story, story), fc.array(fc.nat(2), { maxLength: 120 }), (stories, order) => {
      const alone = stories.map((story_, number) => {
        const { agent, outcomes: seen } = played();
        const one = agent(...(names[number] ?? ["s"]));
        for (const each of withoutEnd(story_)) play(one, each);
        return seen();
      });
      const { agent, recorded } = played();
      const agents = names.map((name) => agent(...name));
      const left = stories.map(withoutEnd);
      for (const which of [...order, ...left.flatMap((story_, number) => story_.map(() => number))]) {
        const [next] = left[which]?.splice(0, 1) ?? [];
        const one = agents[which];
        if (next !== undefined && one !== undefined) play(one, next);
      }
      const together = names.map(([session, sub]) =>
        recorded
          .filter(({ id, sessionId }) => sessionId === session && id.startsWith(`${session} ${sub ?? ""} `))
          .map(({ rule, outcome }) => `${rule} ${outcome}`),
      );
      const isDelivered = (seen: readonly string[], number: number) =>
        together[number]?.length === seen.length;
      assert.ok(alone.every(isDelivered));
      assert.deepEqual(together, alone);
    }),
  );
});

/** The end of a session is the end of its subagents too. */
function withoutEnd(story: readonly Happening[]): Happening[] {
  return story.filter(({ what }) => what !== "leaves");
}
