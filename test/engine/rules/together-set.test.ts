import { plainSentence } from "../../../src/engine/base/language.ts";
import test from "node:test";
import fc from "fast-check";
import { applyAction } from "../../../src/engine/rules/action.ts";
import { selectRules } from "../../../src/engine/rules/selection.ts";
import type { SelectPorts } from "../../../src/engine/rules/rules-selection.ts";
import {
  foundRules,
  setId,
  type FoundRules,
  type SettledSet,
  readSetStep,
  writeSetStep,
} from "../../../src/engine/rules/together/set.ts";
import { confirm, setDecisions } from "../../../src/engine/verdict/retention.ts";
import { receiptToMarkdown } from "../../../src/engine/verdict/receipt/markdown.ts";
import { readReceipt } from "../../../src/engine/verdict/receipt/receipt.ts";
import { assert } from "../support/assert-texts.ts";
import { rule, verdict } from "./support/support.ts";
import { approved, World } from "./support/world.ts";

const never = new AbortController().signal;
const three = () => [
  approved("r0", "Saver one."),
  approved("r1", "Saver two."),
  approved("r2", "Does nothing."),
];
const both = (memory: string) => memory.includes("Saver one") && memory.includes("Saver two");
const saving = (memory: string) =>
  (memory.includes("Saver one") ? 0.7 : 1) * (memory.includes("Saver two") ? 0.75 : 1);
/** Each rule saves together with any other. */
const saves = (memory: string) => ({ factor: saving(memory), breaks: false });
/** Together they break a task, which no half of them does by more than noise. */
const breakTogether = (memory: string) => ({ factor: saving(memory), breaks: both(memory) });

/** A service that stores rules with shared runs, as the real one does. */
class Served extends World {
  found: FoundRules | null = null;
  readonly sets: SettledSet[] = [];
  readonly letIn: string[] = [];

  override ports(over: Partial<SelectPorts> = {}): SelectPorts {
    const by = { who: "purser", at: 5 };
    const put = (next: (typeof this.rules)[number]) => {
      this.rules = this.rules.map((each) => (each.id === next.id ? next : each));
    };
    return super.ports({
      settle: ({ rule: settled, receipt }) => {
        const what = {
          kind: "measured",
          verdict: receipt.verdict,
          receiptId: receipt.id,
          isActivated: false,
        } as const;
        const done = applyAction(settled, what, by);
        assert.ok(done.ok);
        put(done.value.rule);
        return Promise.resolve(done.value.rule);
      },
      sets: {
        found: {
          load: () => Promise.resolve(this.found),
          save: (found) => {
            this.found = found;
            return Promise.resolve();
          },
        },
        receipts: () => Promise.resolve(new Map()),
        onProgress: () => undefined,
        confirm: (set) => {
          this.sets.push(set);
          const { decision, receipt } = set;
          const about = {
            rules: receipt.set?.length ?? 0,
            reason: receipt.verdict.reason,
            receiptId: receipt.id,
          };
          for (const each of this.rules.filter(({ id }) => set.found.includes(id))) {
            const done = applyAction(each, { kind: "set", decision, isActivated: true, ...about }, by);
            if (done.ok) put(done.value.rule);
          }
          return Promise.resolve();
        },
        letIn: (id) => {
          this.letIn.push(id);
          return Promise.resolve();
        },
      },
      ...over,
    });
  }
}

const statuses = ({ rules }: World) => rules.map(({ status }) => status);

test("Two rules that were found are confirmed once, all that would be active against no rules at all", async () => {
  const active = rule({ id: "a1", sentence: "Active before.", status: "active", saving: 5 });
  const context = new Served([...three(), active], saves);
  const outcome = await selectRules(context.request({ audits: 0 }), context.ports(), never);
  assert.equal(outcome.end.kind, "done");
  const [set, another] = context.sets;
  assert.ok(set !== undefined && another === undefined);
  assert.deepEqual([set.decision, set.found], ["confirmed", ["r0", "r1"]]);
  const { receipt } = set;
  assert.ok(readReceipt(JSON.stringify(receipt)).ok);
  assert.deepEqual(
    receipt.set?.map(({ id, isFound }) => [id, isFound]),
    [
      ["r0", true],
      ["r1", true],
      ["a1", false],
    ],
  );
  assert.equal(receipt.subject.id, setId("scout", ["a1", "r1", "r0"]));
  const share = receipt.verdict.savingShare;
  assert.ok(share !== null && share.low < 0.475 && share.high > 0.475, JSON.stringify(share));
  const bench = context.benches.find(({ benchId }) => receipt.id === `${benchId}.receipt`);
  assert.deepEqual(
    bench?.configurations.map(({ memory }) => memory?.match(/^- .*/gmu) ?? []),
    [[], ["- Saver one.", "- Saver two.", "- Active before."]],
  );
  assert.deepEqual(statuses(context), ["active", "active", "shelved", "active"]);
  assert.equal(context.found, null);
  const markdown = receiptToMarkdown(receipt);
  assert.match(
    markdown,
    /- Compared: the memory with 2 rules that were found and 1 that was active before, against no rules at all\n- So: confirmed/u,
  );
  assert.match(markdown, /\| Saver one\\?\. \| found \| unknown \| - \|/u);
});

test("A set that breaks what its rules alone do not is refused as a whole", async () => {
  const context = new Served(three(), saves);
  // Only the whole set has the failure; the single rules are found first.
  const ports = context.ports();
  const broken = new Served(context.rules, breakTogether);
  const outcome = await selectRules(
    context.request(),
    {
      ...ports,
      round: (bench, round, signal) =>
        (bench.design === undefined ? broken.ports() : ports).round(bench, round, signal),
    },
    never,
  );
  assert.equal(outcome.set?.kind === "settled" ? outcome.set.decision : null, "refused");
  assert.deepEqual(statuses(context), ["shelved", "shelved", "shelved"]);
  assert.match(context.rules[0]?.decidedReason ?? "", /^refused in a set of 2 rules: .*\(set receipt /u);
});

test("A rule found alone has no set, and is admitted directly", async () => {
  const context = new Served([approved("r0", "Saver one."), approved("r2", "Does nothing.")], saves);
  const outcome = await selectRules(context.request(), context.ports(), never);
  assert.deepEqual([outcome.set, context.sets, context.letIn, context.found], [null, [], ["r0"], null]);
});

test("Killed at any moment, it continues: no rule or set is settled twice, and the result is the same", async () => {
  const whole = new Served(three(), saves);
  const expected = await selectRules(whole.request(), whole.ports(), never);
  const rounds = whole.rounds.length;
  for (let killed = 0; killed < rounds; killed += 3) {
    const context = new Served(three(), saves);
    const stop = new AbortController();
    const ports = context.ports();
    const first = await selectRules(
      context.request(),
      {
        ...ports,
        round: (bench, round, signal) => {
          if (context.rounds.length < killed) return ports.round(bench, round, signal);
          stop.abort();
          return Promise.resolve({ kind: "cancelled" });
        },
      },
      stop.signal,
    );
    assert.equal(first.end.kind, "cancelled");
    assert.ok(
      context.found === null || foundRules.safeParse(JSON.parse(JSON.stringify(context.found))).success,
    );
    const evidence = first.settled.map((settled) => settled.evidence);
    const rest = await selectRules(context.request({ evidence, audits: 0 }), context.ports(), never);
    assert.equal(rest.end.kind, "done");
    assert.equal(context.sets.length, 1, `killed after ${killed} rounds`);
    const [again, once] = [context.sets[0], whole.sets[0]];
    assert.deepEqual([again?.found, again?.decision], [once?.found, once?.decision]);
    assert.deepEqual(again?.receipt.verdict, once?.receipt.verdict);
    assert.equal(first.settled.length + rest.settled.length, expected.settled.length);
    assert.deepEqual(statuses(context), statuses(whole));
  }
});

test("With no budget left, it reports that the set is not confirmed; on request, it confirms it", async () => {
  const whole = new Served(three(), saves);
  const { tokensSpent, set } = await selectRules(whole.request(), whole.ports(), never);
  assert.ok(set?.kind === "settled");
  const tokenCap = tokensSpent - set.receipt.spent.processingTokens + 1;
  const context = new Served(three(), saves);
  // Nothing is set aside where a round's price is not known.
  const poor = await selectRules(context.request({ tokenCap, tokensPerRun: null }), context.ports(), never);
  assert.ok(poor.set?.kind === "unpaid", JSON.stringify(poor.set));
  assert.deepEqual([poor.set.found, context.sets, context.found], [["r0", "r1"], [], null]);
  assert.ok(poor.tokensSpent <= tokenCap);
  assert.deepEqual(statuses(context).slice(0, 2), ["measured", "measured"]);
  const asked = context.request({ isConfirming: true, ruleIds: [], tokenCap });
  const later = await selectRules(asked, context.ports(), never);
  assert.deepEqual(
    [later.settled.length, later.set?.kind === "settled" ? later.set.decision : null],
    [0, "confirmed"],
  );
  assert.deepEqual(statuses(context).slice(0, 2), ["active", "active"]);
});

test("A budget that is used up still pays for the confirmation: its tokens are set aside", async () => {
  const whole = new Served(three(), saves);
  const { tokensSpent, set } = await selectRules(whole.request(), whole.ports(), never);
  assert.ok(set?.kind === "settled");
  const tokenCap = tokensSpent - set.receipt.spent.processingTokens + 1;
  const context = new Served(three(), saves);
  const capped = await selectRules(context.request({ tokenCap }), context.ports(), never);
  assert.ok(capped.set === null || capped.set.kind === "settled", JSON.stringify(capped.set));
  assert.ok(capped.tokensSpent <= tokenCap);
});

test("A confirmation can only reject: no decision about a set admits a rule that did not pass itself", () => {
  const kinds = ["saves", "costs", "cheaper-not-as-good", "regression", "undecided"] as const;
  fc.assert(
    fc.property(
      fc.constantFrom("candidate", "approved", "measured", "active", "shelved", "evicted"),
      fc.constantFrom(...kinds),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom("decided", "futile", "cap"),
      (status, kind, belowBar, isActivated, stop) => {
        const decision = confirm(verdict({ kind, belowBar, stop }));
        const before = rule({ status });
        const about = { rules: 2, reason: plainSentence("It saves."), receiptId: "x.receipt", isActivated };
        const done = applyAction(before, { kind: "set", decision, ...about }, { who: "purser", at: 2 });
        const after = done.ok ? done.value.rule.status : status;
        if (after === "active")
          assert.ok(status === "active" || (status === "measured" && kind === "saves" && isActivated));
        if (status === "measured" && decision === "refused") assert.equal(after, "shelved");
        assert.ok(after === status || status === "measured");
      },
    ),
  );
});

test("A set's text in a rule's history can be parsed again", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...setDecisions),
      fc.integer({ min: 2, max: 999 }),
      fc.stringMatching(/^[\w .,()%-]{0,80}$/u),
      fc.stringMatching(/^[\w.-]{1,60}$/u),
      (decision, rules, reason, receiptId) => {
        const step = { decision, rules, reason: plainSentence(reason), receiptId };
        assert.deepEqual(readSetStep(writeSetStep(step)), step);
      },
    ),
  );
  assert.equal(readSetStep(plainSentence("Saves 5 tokens. (receipt x)")), null);
});
