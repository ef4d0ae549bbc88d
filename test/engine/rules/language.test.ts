import { test } from "node:test";
import { inWords, plainSentence, sentence } from "../../../src/engine/base/language.ts";
import { applyAction, type RuleAction } from "../../../src/engine/rules/action.ts";
import { describeNeed } from "../../../src/engine/rules/needs.ts";
import { propose } from "../../../src/engine/rules/distil/propose.ts";
import { rentOf } from "../../../src/engine/rules/rent.ts";
import { describeReason } from "../../../src/engine/rules/trial/grounds.ts";
import { assert } from "../support/assert-texts.ts";
import { rule, verdict } from "./support/support.ts";
import { inGerman } from "../support/in-german.ts";

const by = { who: "user", at: 100 };

function act(status: "candidate" | "approved" | "evicted", what: RuleAction): string {
  const done = applyAction(rule({ status }), what, by);
  return inWords(done.ok ? done.value.step.why : done.detail);
}

test(
  "a rule's history and refusals are in the person's language, with the person's own words",
  inGerman(() => {
    assert.equal(act("candidate", { kind: "approve" }), "freigegeben");
    assert.equal(act("candidate", { kind: "reject", why: "too vague" }), "abgelehnt: too vague");
    assert.equal(act("evicted", { kind: "reject", why: "" }), "sie ist schon entfernt");
    const saves = verdict({ kind: "saves" });
    const measured = { kind: "measured", verdict: saves, receiptId: "cmp-1", isActivated: false } as const;
    assert.equal(
      act("candidate", measured),
      "nur freigegebene oder aktive Regeln werden gemessen; diese ist: Kandidat",
    );
    assert.match(act("approved", measured), / \(Beleg cmp-1\)$/u);
  }),
);

test(
  "a sentence that is not a new rule is refused in the person's language, with the deciding reason",
  inGerman(() => {
    const evicted = rule({
      status: "evicted",
      decidedReason: sentence("rejected: {why}", { why: "too vague" }),
    });
    const asked = {
      agent: evicted.agent,
      text: evicted.sentence,
      origin: "hand",
      source: null,
      replaces: null,
    } as const;
    const made = propose(asked, [evicted], { ...by, rent: () => 10 });
    assert.equal(
      made.ok ? "" : inWords(made.detail),
      `sie sagt dasselbe wie Regel ${evicted.id} (entfernt: abgelehnt: too vague)`,
    );
  }),
);

test(
  "missing parts, hidden items and sources of figures are in the person's language",
  inGerman(() => {
    assert.equal(
      inWords(describeNeed({ kind: "no-memory", file: "/home/mira/.claude/agents/dev.md" })),
      "Seine Definition nennt kein Gedächtnis: Fügen Sie in /home/mira/.claude/agents/dev.md die Zeile memory: user hinzu.",
    );
    assert.equal(
      inWords(describeReason("more_corrections") ?? plainSentence("")),
      "sie spart, aber es ist nicht gezeigt, dass nicht mehr Prompts den Agenten korrigieren",
    );
    const { because } = rentOf("Read a file once.", {
      charactersPerToken: [],
      cachedAtStart: [],
      prefixTokens: 12_000,
      conversationsPerChange: 20,
    });
    assert.equal(
      inWords(because),
      "geschätzt: nach Wörtern gezählt; 12.000 Token des Prompt-Cache werden einmal in 20 Gesprächen neu geschrieben",
    );
  }),
);
