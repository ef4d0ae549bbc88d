import { html, nothing, type TemplateResult } from "lit";
import { percent, wholeNumber } from "../../engine/base/local-format.ts";
import { t } from "../../engine/base/language.ts";
import type { GuardEffectView, GuardRuleView, GuardView } from "../../engine/guard/guard-answers.ts";
import "../components/section.ts";
import { outside } from "../components/outside.ts";
import {
  absentCell,
  link,
  longestName,
  numberCell,
  textCell,
  timeCell,
  column,
  extra,
  numberColumn,
} from "../components/table/table-cells.ts";
import { dataTable } from "../components/table/table.ts";
import type { Cell } from "../components/table/table-rows.ts";
import type { RenderContext } from "./guard-model.ts";
import { actionNames, describeEffect, familyNames, notes } from "./describe-guard.ts";
import { firedByRule, found, helpShare, isSilent } from "./tallies.ts";

const maxTextLength = 300; // characters

/** Lists all rules with how often each fired, the most frequent first. */
export function ruleSection(context: RenderContext, view: GuardView): TemplateResult {
  const { model, actions } = context;
  const all = model.rules?.book.rules ?? null;
  const { search } = model.kept;
  return html`<purser-section heading=${t("Rules")} note=${notes.rules}>
    <div slot="actions">
      <input
        type="search"
        aria-label=${t("Search rules")}
        placeholder=${t("Search rules")}
        .value=${search}
        @input=${({ currentTarget }: Event) => {
          if (currentTarget instanceof HTMLInputElement)
            actions.filter({ search: currentTarget.value.slice(0, 200) });
        }}
      />
    </div>
    ${all === null ? nothing : ruleTable(context, found(all, search), view)}
  </purser-section>`;
}

function ruleTable(
  { actions, now }: RenderContext,
  rules: readonly GuardRuleView[],
  { counts, effects }: GuardView,
): TemplateResult {
  if (rules.length === 0)
    return html`<p class="quiet nothing">${t("No rule contains all of these words.")}</p>`;
  const fired = firedByRule(counts);
  const effectOf = new Map(effects.map((effect) => [effect.rule, effect]));
  const rows = rules
    .map((rule) => ({ rule, ...(fired.get(rule.id) ?? { count: 0, lastAt: null }) }))
    .sort((one, other) => other.count - one.count)
    .map(({ rule, count, lastAt }) => ({
      key: rule.id,
      cells: [
        {
          content: () =>
            html`${link(outside(rule.id, longestName), () => actions.openRule(rule.id))}
              <span class="quiet about">${outside(rule.message, maxTextLength)}</span>`,
          sort: rule.id,
        },
        textCell(familyNames[rule.family]),
        textCell(
          rule.isOff
            ? t("off")
            : isSilent(rule, effectOf.get(rule.id))
              ? t("silent")
              : (actionNames[rule.action] ?? rule.action),
        ),
        numberCell(count),
        helpCell(effectOf.get(rule.id)),
        lastAt === null ? absentCell(t("Never")) : timeCell(lastAt, now),
      ],
    }));
  const headings = [
    column(t("Rule")),
    extra(column(t("Family"))),
    column(t("Does"), t("What it does where its family is on")),
    numberColumn(t("Fired")),
    extra(
      numberColumn(
        t("Helped"),
        t("Share of its advice with a known result that was followed or led to progress"),
      ),
    ),
    extra(numberColumn(t("Last"))),
  ];
  return html`${dataTable({ id: "rules", label: t("Rules"), headings, rows, most: 12 })}
    <p class="hidden-text" role="status">${t("{0} rules", wholeNumber(rules.length))}</p>`;
}

function helpCell(effect: GuardEffectView | undefined): Cell {
  const share = helpShare(effect);
  if (share === null || effect === undefined) return absentCell(t("Not known yet"));
  return {
    content: () => html`<span title=${describeEffect(effect)}>${percent(share * 100)}</span>`,
    sort: share,
  };
}
