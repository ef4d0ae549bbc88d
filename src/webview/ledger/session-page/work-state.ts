import { factList } from "../../components/states.ts";
import { html, nothing, type TemplateResult } from "lit";
import { percent, wholeNumber } from "../../../engine/base/local-format.ts";
import { plural, t } from "../../../engine/base/language.ts";
import type { SessionState } from "../../../engine/ledger/ledger-answers.ts";
import { outside } from "../../components/outside.ts";
import { moment } from "../../components/times.ts";
import { filled } from "../../components/sentences.ts";
import { phaseMeanings } from "../describe-ledger.ts";

type Details = NonNullable<SessionState["details"]>;

/** Unverified files that are named. */
const maxNamed = 5;

/** Shows how the work of a session goes, in one block. */
export function workState(state: SessionState, now: number): TemplateResult {
  const { phase, turn, at, trust, focus, switches, details } = state;
  const rows: [string, unknown][] = [
    [t("Phase"), phaseText(phase)],
    [t("Turn"), at === null ? wholeNumber(turn) : t("{0}, at {1}", wholeNumber(turn), moment(at, now))],
    [t("Trust"), measure(t("Trust"), trust)],
    [
      t("Focus"),
      measure(
        t("Focus"),
        focus,
        `; ${plural(switches, t("1 change of place"), t("{0} changes of place", wholeNumber(switches)))}`,
      ),
    ],
    [t("Files"), files(state)],
    [t("Errors"), errors(state)],
  ];
  if (details !== null) rows.push(...detailRows(details));
  return factList(rows);
}

function phaseText(phase: string): TemplateResult {
  const meaning = phaseMeanings[phase];
  return html`<strong>${outside(phase, 30)}</strong>${meaning === undefined ? nothing : `: ${meaning}`}`;
}

function measure(name: string, value: number, more = ""): TemplateResult {
  return html`<span class="measure"
    ><progress max="100" value=${value} aria-label=${name}></progress>
    <span class="number">${t("{0} of 100", wholeNumber(value))}${more}</span></span
  >`;
}

function files({ edited, verified, details }: SessionState): TemplateResult {
  const open = details?.unverified ?? [];
  const more = edited - verified - Math.min(open.length, maxNamed);
  const named = open.slice(0, maxNamed);
  return html`<span class="number"
      >${t("{0} edited, {1} of them verified", wholeNumber(edited), wholeNumber(verified))}</span
    >${
      named.length === 0
        ? nothing
        : html`;
          ${filled(
            more > 0 ? t("not yet: {0} and {1} more") : t("not yet: {0}"),
            named.map((file, index) => html`${index > 0 ? ", " : ""}${outside(file, 60)}`),
            wholeNumber(more),
          )}`
    }`;
}

function errors({ errors: failed, calls, deadEnds }: SessionState): string {
  const found = plural(
    calls,
    t("{0} of 1 call", wholeNumber(failed)),
    t("{0} of {1} calls", wholeNumber(failed), wholeNumber(calls)),
  );
  if (deadEnds === 0) return found;
  return `${found}; ${plural(deadEnds, t("1 dead end"), t("{0} dead ends", wholeNumber(deadEnds)))}`;
}

function detailRows(details: Details): [string, unknown][] {
  const { left, loop, repeatsBeforeTelling, editsBeforeTelling, readsBeforeTelling, pieces, characters } =
    details;
  return [
    ...(loop === null ? [] : [[t("Loop"), outside(loop, 120)] satisfies [string, unknown]]),
    [t("Context left"), left === null ? t("unknown") : percent(left)],
    [
      t("Advice after"),
      [
        plural(
          repeatsBeforeTelling,
          t("1 repetition"),
          t("{0} repetitions", wholeNumber(repeatsBeforeTelling)),
        ),
        plural(
          editsBeforeTelling,
          t("1 unverified edit"),
          t("{0} unverified edits", wholeNumber(editsBeforeTelling)),
        ),
        plural(
          readsBeforeTelling,
          t("1 read without an edit"),
          t("{0} reads without an edit", wholeNumber(readsBeforeTelling)),
        ),
      ].join(", "),
    ],
    [
      t("Advice at most"),
      plural(
        pieces,
        t("1 piece of advice and {0} characters a turn", wholeNumber(characters)),
        t("{0} pieces of advice and {1} characters a turn", wholeNumber(pieces), wholeNumber(characters)),
      ),
    ],
  ];
}
