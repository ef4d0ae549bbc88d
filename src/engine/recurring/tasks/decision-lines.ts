import { ownProse, decisionsIn } from "../../continuity/learning.ts";
import { namesAgent, type TaskComment } from "./task.ts";

/** Announce a decision, in the languages in which decisions in prompts are recognized. */
const label =
  /^(?:decisions?|decided|agreed|agreement|resolved|entscheidung(?:en)?|beschluss|entschieden|beschlossen|vereinbart|décisions?|décidé|convenu|decisi(?:ón|ones)|decidido|acordado)(?![\p{L}\p{N}])|^(?:決定事項|決定|決まり|合意|决定|结论)/iu;
/** Begin an order. */
const order =
  /^(?:please[ ,]+|bitte\s+)?(?:(?:do not|don['’]t|never|must|always|nie|niemals|nicht|immer|kein|keine|jamais|toujours|ne|nunca|siempre)(?![\p{L}\p{N}])|(?:必ず|決して|常に|禁止|总是|不要|必须))/iu;

interface DecisionLine {
  readonly text: string;
  /** Its first word says that it decides. */
  readonly isClear: boolean;
}

/** Sentences that decide by their first word, by a label before them, or by `decides`. */
export function decisionLinesIn(
  text: string,
  decides: (sentence: string) => boolean = () => false,
): DecisionLine[] {
  const found: DecisionLine[] = [];
  /** Whether a label announced what follows, and whether the first line of that has come. */
  let announced: "no" | "next" | "here" = "no";
  for (const line of ownProse(text).split("\n")) {
    const own = withoutMarks(line);
    const isHeading = /^\s*#{1,6}\s/u.test(line);
    if (own === "") {
      if (announced === "here") announced = "no";
      continue;
    }
    if (isHeading) announced = "no";
    const rest = label.test(own) ? own.replace(label, "").replace(/^[\s:：.*_–—-]+/u, "") : null;
    if (rest === "") {
      if (isHeading || /[:：]$/u.test(own)) announced = "next";
    } else if (announced !== "no" || rest !== null) {
      if (!isQuestion(own)) found.push({ text: own, isClear: true });
      if (announced === "next") announced = "here";
    } else if (!isHeading) found.push(...decisionsInLine(own, decides));
  }
  return found;
}

function decisionsInLine(line: string, decides: (sentence: string) => boolean): DecisionLine[] {
  return line.split(/(?<=[.!?])\s+|(?<=[。！？])/u).flatMap((sentence): DecisionLine[] => {
    const own = withoutMarks(sentence);
    if (isQuestion(own)) return [];
    if (label.test(own) || order.test(own)) return [{ text: own, isClear: true }];
    return decides(own) ? [{ text: own, isClear: false }] : [];
  });
}

function isQuestion(text: string): boolean {
  return /[?？]\s*$/u.test(text);
}

/** Without the marks of lists, headings, emphasis and symbols before it. */
function withoutMarks(line: string): string {
  return line
    .replace(
      /^\s*(?:#{1,6}\s+|[-*+•]\s+|・\s*|\d{1,3}[.)]\s+)*(?:\[[ x]\]\s+)?(?:[\p{Extended_Pictographic}\uFE0F\u200D]+\s*)?/iu,
      "",
    )
    .replaceAll(/\*\*|__/gu, "")
    .replace(/^[*_](?=\p{L})([^*_]*)[*_]/u, "$1")
    .trim();
}

/** Decisions, and characters of one. */
const [maxDecisions, maxLength] = [20, 240];

/** On GitHub, GitLab and similar services. */
const bots = /(?:\[bot\]|\(bot\)|(?:^|[-_ ])bot)$/iu;
/** Accounts of services whose names do not end so. */
const services = new Set(
  "purser github-actions gitlab-ci dependabot renovate greenkeeper jenkins circleci travis-ci codecov mergify netlify vercel".split(
    " ",
  ),
);

/**
 * What people decided, oldest first. If there are too many, those without a word for it in front are left out first, then the oldest. `agents` are
 * recurring agents, who are not people.
 */
export function decisionsOf(comments: readonly TaskComment[], agents: readonly string[]): string[] {
  const found = new Map<string, DecisionLine>();
  for (const { author, text } of comments) {
    if (isProgram(author, agents)) continue;
    for (const each of decisionLinesIn(text, (sentence) => decisionsIn(sentence).length > 0)) {
      const clause = cut(`${author}: ${each.text}`);
      if (!found.has(clause)) found.set(clause, { ...each, text: clause });
    }
  }
  const all = [...found.values()];
  const clear = all.filter(({ isClear }) => isClear).slice(-maxDecisions);
  const others = all.filter(({ isClear }) => !isClear).slice(-(maxDecisions - clear.length) || all.length);
  const chosen = new Set([...clear, ...others]);
  return all.filter((each) => chosen.has(each)).map(({ text }) => text);
}

function isProgram(author: string, agents: readonly string[]): boolean {
  const name = author.trim().toLowerCase();
  return services.has(name) || bots.test(name) || agents.some((agent) => namesAgent(agent, author));
}

function cut(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).trimEnd()}…`;
}
