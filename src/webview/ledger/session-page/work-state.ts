import { html, nothing, type TemplateResult } from "lit";
import { percent, wholeNumber } from "../../../engine/base/text/format.ts";
import type { SessionState } from "../../../engine/ledger/answers.ts";
import { plural } from "../../components/figures.ts";
import { outside } from "../../components/outside.ts";
import { moment } from "../../components/times.ts";
import { phaseMeanings } from "../describe.ts";

type Details = NonNullable<SessionState["details"]>;

/** Unverified files that are named. */
const mostNamed = 5;

/** Shows how the work of a session goes, in one block. */
export function workState(state: SessionState, now: number): TemplateResult {
  const { phase, turn, at, trust, focus, switches, details } = state;
  const rows: [string, unknown][] = [
    ["Phase", phaseText(phase)],
    ["Turn", `${wholeNumber(turn)}${at === null ? "" : `, at ${moment(at, now)}`}`],
    ["Trust", measure("Trust", trust)],
    ["Focus", measure("Focus", focus, `; ${plural(switches, "change of place", "changes of place")}`)],
    ["Files", files(state)],
    ["Errors", errors(state)],
  ];
  if (details !== null) rows.push(...detailRows(details));
  return html`<dl class="facts work">
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

function phaseText(phase: string): TemplateResult {
  const meaning = phaseMeanings[phase];
  return html`<strong>${outside(phase, 30)}</strong>${meaning === undefined ? nothing : `: ${meaning}`}`;
}

function measure(name: string, value: number, more = ""): TemplateResult {
  return html`<span class="measure"
    ><progress max="100" value=${value} aria-label=${name}></progress>
    <span class="number">${wholeNumber(value)} of 100${more}</span></span
  >`;
}

function files({ edited, verified, details }: SessionState): TemplateResult {
  const open = details?.unverified ?? [];
  const more = edited - verified - Math.min(open.length, mostNamed);
  const named = open.slice(0, mostNamed);
  return html`<span class="number"
      >${wholeNumber(edited)} edited, ${wholeNumber(verified)} of them verified</span
    >${
      named.length === 0
        ? nothing
        : html`; not yet:
          ${named.map((file, index) => html`${index > 0 ? ", " : ""}${outside(file, 60)}`)}${more > 0 ? ` and ${wholeNumber(more)} more` : ""}`
    }`;
}

function errors({ errors: failed, calls, deadEnds }: SessionState): string {
  const ends = deadEnds === 0 ? "" : `; ${plural(deadEnds, "dead end", "dead ends")}`;
  return `${wholeNumber(failed)} of ${plural(calls, "call", "calls")}${ends}`;
}

function detailRows(details: Details): [string, unknown][] {
  const { left, loop, repeatsBeforeTelling, editsBeforeTelling, readsBeforeTelling, pieces, characters } =
    details;
  return [
    ...(loop === null ? [] : [["Loop", outside(loop, 120)] satisfies [string, unknown]]),
    ["Context left", left === null ? "unknown" : percent(left)],
    [
      "Told after",
      `${plural(repeatsBeforeTelling, "repetition", "repetitions")}, ${plural(editsBeforeTelling, "unverified edit", "unverified edits")}, ${plural(readsBeforeTelling, "read", "reads")} without an edit`,
    ],
    [
      "Told at most",
      `${plural(pieces, "piece", "pieces")} of advice and ${wholeNumber(characters)} characters a turn`,
    ],
  ];
}
