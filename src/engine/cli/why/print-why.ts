import { plural, t } from "../../base/language.ts";
import { aboutDollars, dollars, percent, wholeNumber } from "../../base/local-format.ts";
import { cleanText } from "../../base/text.ts";
import type { Why, WhyClause, WhyProof, WhySession } from "../../ledger/why-answers.ts";
import { sessionNames, shortIds } from "../sessions/session-names.ts";
import type { Style } from "../style.ts";
import { asLine } from "../terminal-text.ts";
import { cutCellsEnd, padCells, wrapCells } from "../text-cells.ts";

/** Maximum turns named per session. */
const maxTurns = 5;
/** Cells. */
const [shareWidth, maxName] = [7, 48];

export function printWhy(why: Why, { style, now }: { readonly style: Style; readonly now: number }): string {
  const { usd, calls, unpriced, usual, clauses, rest, change } = why;
  if (calls === 0) return `${nothingUsed(why)}\n`;
  if (usd === null)
    return `${t("No price is known for the models in use, so nothing can be said about money.")}\n`;
  const names = namesOf(why, now);
  const lines = [
    style.bold(headOf(why, names)),
    ...(usual === null ? [] : wrapped(asLine(usual.text), "", style)),
    ...(unpriced === 0
      ? []
      : [
          plural(
            unpriced,
            t("Without 1 call of no known price"),
            t("Without {0} calls of no known price", wholeNumber(unpriced)),
          ),
        ]),
    "",
    ...clauses.flatMap((clause) => clauseLines(clause, names, { style, isSession: why.session !== null })),
    ...(rest.percent === 0 && clauses.length > 0 ? [] : shareLines(rest.percent, asLine(rest.text), style)),
    "",
    ...(change === null
      ? [t("No single change would have saved much.")]
      : [
          ...wrapped(
            t("What would have saved most: {0} ({1})", asLine(change.text), aboutDollars(change.usd)),
            "",
            style,
          ),
          ...wrapped(asLine(change.basis), "  ", style).map(style.dim),
        ]),
  ];
  return `${lines.join("\n")}\n`;
}

interface Names {
  readonly names: ReadonlyMap<string, string>;
  readonly ids: ReadonlyMap<string, string>;
}

function namesOf({ session, clauses }: Why, now: number): Names {
  const all = [
    ...(session === null ? [] : [session]),
    ...clauses.flatMap(({ proofs }) => proofs.map((each) => each.session)),
  ];
  const sessions = [...new Map(all.map((each) => [each.id, each])).values()];
  const named = sessions.map((each) => ({ ...each, lastActivity: each.lastAt }));
  return { names: sessionNames(named, now), ids: shortIds(sessions.map(({ id }) => id)) };
}

function nameOf({ id }: WhySession, names: Names): string {
  return cutCellsEnd(names.names.get(id) ?? cleanText(id), maxName);
}

function headOf({ usd, session, since, until, project }: Why, names: Names): string {
  const cost = dollars(usd ?? 0);
  const of = project === null ? "" : ` · ${cleanText(project)}`;
  if (session !== null) return t("{0} for {1}", cost, nameOf(session, names));
  if (since === null && until === null) return `${t("{0} in all", cost)}${of}`;
  if (since === until) return `${t("{0} on {1}", cost, since ?? "")}${of}`;
  return `${t("{0} from {1} to {2}", cost, since ?? "…", until ?? "…")}${of}`;
}

function nothingUsed({ session, since, until }: Why): string {
  if (session !== null) return t("This session has no response yet.");
  return since === until && since !== null
    ? t("Nothing was used on {0}.", since)
    : t("Nothing was used in this time.");
}

function clauseLines(
  { percent: share, text, proofs, sessions }: WhyClause,
  names: Names,
  { style, isSession }: { readonly style: Style; readonly isSession: boolean },
): string[] {
  const more = sessions - proofs.length;
  return [
    ...shareLines(share, asLine(text), style),
    ...proofs.flatMap((proof) => {
      const line = isSession
        ? turnsOf(proof)
        : [placeOf(proof, names), turnsOf(proof)].filter((each) => each !== "").join(" · ");
      return line === "" ? [] : [style.dim(`${" ".repeat(shareWidth)}${line}`)];
    }),
    ...(more > 0
      ? [
          style.dim(
            `${" ".repeat(shareWidth)}${plural(more, t("and 1 more session"), t("and {0} more sessions", wholeNumber(more)))}`,
          ),
        ]
      : []),
  ];
}

function placeOf({ session, usd }: WhyProof, names: Names): string {
  const id = names.ids.get(session.id) ?? "";
  const name = nameOf(session, names);
  return `${name.startsWith(id) ? name : `${name} (${id})`} · ${dollars(usd)}`;
}

function turnsOf({ turns }: WhyProof): string {
  const numbers = turns
    .flatMap(({ number }) => number ?? [])
    .slice(0, maxTurns)
    .sort((one, other) => one - other);
  if (numbers.length === 0) return "";
  const list = numbers.map(wholeNumber).join(", ");
  return plural(numbers.length, t("turn {0}", list), t("turns {0}", list));
}

function shareLines(share: number, text: string, style: Style): string[] {
  const [first = "", ...others] = wrapCells(text, style.width - shareWidth);
  const head = padCells(`${" ".repeat(Math.max(0, 5 - percent(share).length))}${percent(share)}`, shareWidth);
  return [`${style.bold(head)}${first}`, ...others.map((line) => `${" ".repeat(shareWidth)}${line}`)];
}

function wrapped(text: string, indent: string, style: Style): string[] {
  return wrapCells(text, style.width - indent.length).map((line) => `${indent}${line}`);
}
