import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { t } from "../../engine/base/language.ts";
import type { GuardRuleView } from "../../engine/guard/guard-answers.ts";
import { outside, outsideWithCode } from "../components/outside.ts";
import "../components/section.ts";
import { stateView, factList, notice } from "../components/states.ts";
import { moment } from "../components/times.ts";
import { inSentence } from "../components/sentences.ts";
import { type RenderContext, rulesById } from "./guard-model.ts";
import {
  actionNames,
  describeOutcome,
  describeEffect,
  describeException,
  familyNames,
  modeNames,
  notes,
} from "./describe-guard.ts";
import { firedList } from "./fired-list.ts";
import type { ViewMessage } from "./guard-protocol.ts";
import { firedByRule, isSilent } from "./tallies.ts";

/** Characters. */
const [maxExampleLength, maxTextLength] = [200, 400];

/** Shows one rule: its text, its action, the calls on which it fires, and its recent hits. */
export function detailPage(context: RenderContext, id: string, message: ViewMessage): TemplateResult {
  const { model, actions } = context;
  const rule = rulesById(model).get(id);
  if (rule === undefined)
    return stateView({
      icon: "none",
      heading: t("There is no such rule"),
      text: t("It was removed from your rules file, or is of another version."),
      actions: [{ label: t("Back to Guard"), run: () => actions.back() }],
    });
  const hits = message.view.hits.filter((hit) => hit.rule === id);
  return html`<div class="totals">
      <p>${outsideWithCode(rule.message, maxTextLength)}</p>
      <p>${outsideWithCode(rule.remedy, maxTextLength)}</p>
      ${facts(context, rule, message)}
    </div>
    ${silence(context, rule, message)}
    <purser-section heading=${t("Fires on")}>${examples(rule.fires)}</purser-section>
    ${
      rule.passes.length === 0
        ? nothing
        : html`<purser-section heading=${t("Does not fire on")}>${examples(rule.passes)}</purser-section>`
    }
    <purser-section heading=${t("Recent warnings")} note=${notes.fired}>
      ${
        hits.length === 0
          ? html`<p class="quiet nothing">${t("It is not among the newest hits of this time.")}</p>`
          : firedList(context, { hits, key: `fired ${id}`, to: message.to })
      }
    </purser-section>`;
}

function facts(
  { model, now }: RenderContext,
  rule: GuardRuleView,
  { to, view }: ViewMessage,
): TemplateResult {
  const { family, action, id, isOff, isOwn } = rule;
  const mode = view.modes.families[family] ?? view.modes.all;
  const effect = view.effects.find((each) => each.rule === id);
  const lastAt = firedByRule(view.counts).get(id)?.lastAt ?? null;
  const counts = view.counts.filter((each) => each.rule === id);
  const exceptions = model.rules?.book.exceptions.filter((each) => each.rule === id) ?? [];
  const does = actionNames[action] ?? action;
  const rows: (readonly [name: string, value: unknown])[] = [
    [t("Family"), `${familyNames[family]} (${inSentence(modeNames[mode])})`],
    [t("Does"), isOff ? t("nothing: your rules file turns it off") : t("{0}, where its family is on", does)],
    ...(isOwn ? [[t("Written by"), t("you")] as const] : []),
    [
      t("Fired"),
      counts.length === 0
        ? t("not in this time")
        : counts
            .map((each) => `${wholeNumber(each.count)} × ${describeOutcome({ ...each, savedBytes: null })}`)
            .join(", "),
    ],
    ...(effect === undefined || effect.told === 0
      ? []
      : [[t("Came of it"), describeEffect(effect)] as const]),
    ...(lastAt === null ? [] : [[t("Last"), moment(lastAt, now)] as const]),
    ...exceptions.map(
      (each) => [t("Exception"), outside(describeException(each, to), maxExampleLength)] as const,
    ),
  ];
  return factList(rows);
}

/** Says that a rule's advice has fallen silent, with the way to call it back. */
function silence(
  { actions, model }: RenderContext,
  rule: GuardRuleView,
  { view }: ViewMessage,
): TemplateResult | typeof nothing {
  if (
    !isSilent(
      rule,
      view.effects.find((each) => each.rule === rule.id),
    )
  )
    return nothing;
  return notice(
    t("Its advice is silent: it helped less often than one time in four. Its hits are still recorded."),
    [{ label: t("Call Back"), run: () => actions.wake(rule.id) }],
    { isBusy: model.isBusy },
  );
}

/** Shows each call as a separate block of text: none is a link, none can be run. */
function examples(calls: readonly string[]): TemplateResult {
  return html`<ul class="examples">
    ${calls.map((call) => html`<li><code>${outside(call, maxExampleLength)}</code></li>`)}
  </ul>`;
}
