import { decisionsIn, ownProse } from "../../continuity/story/decisions.ts";
import { namesAgent } from "./agent-names.ts";
import type { TaskComment } from "./task.ts";

/** Maximum decisions, and characters of one. */
const [maxDecisions, maxLength] = [20, 240];

/** Name patterns of programs on GitHub, GitLab and similar services. */
const bots = /(?:\[bot\]|\(bot\)|(?:^|[-_ ])bot)$/iu;
/** Accounts of services whose names do not end so. */
const services = new Set(
  "purser github-actions gitlab-ci dependabot renovate greenkeeper jenkins circleci travis-ci codecov mergify netlify vercel".split(
    " ",
  ),
);

/** Words that announce a decision, in the languages in which decisions in prompts are recognized. */
const label =
  /^(?:decisions?|decided|agreed|agreement|resolved|entscheidung(?:en)?|beschluss|entschieden|beschlossen|vereinbart|décisions?|décidé|convenu|decisi(?:ón|ones)|decidido|acordado)(?![\p{L}\p{N}])|^(?:決定事項|決定|決まり|合意|决定|结论)/iu;
/** Words with which an order begins. */
const order =
  /^(?:please[ ,]+|bitte\s+)?(?:(?:do not|don['’]t|never|must|always|nie|niemals|nicht|immer|kein|keine|jamais|toujours|ne|nunca|siempre)(?![\p{L}\p{N}])|(?:必ず|決して|常に|禁止|总是|不要|必须))/iu;

interface Found {
  readonly text: string;
  /** Whether its first word says that it decides. */
  readonly isClear: boolean;
}

/**
 * Sentences in which people decided something, the oldest first. If there are too many, those without a word for it
 * in front are left out first, then the oldest.
 * @param agents the names of recurring agents, who are not people
 */
export function decisionsOf(comments: readonly TaskComment[], agents: readonly string[]): string[] {
  const found = new Map<string, Found>();
  for (const { author, text } of comments) {
    if (isProgram(author, agents)) continue;
    for (const each of decisionsInComment(text)) {
      const said = cut(`${author}: ${each.text}`);
      if (!found.has(said)) found.set(said, { ...each, text: said });
    }
  }
  const all = [...found.values()];
  const clear = all.filter(({ isClear }) => isClear).slice(-maxDecisions);
  const others = all.filter(({ isClear }) => !isClear).slice(-(maxDecisions - clear.length) || all.length);
  const kept = new Set([...clear, ...others]);
  return all.filter((each) => kept.has(each)).map(({ text }) => text);
}

/** Sentences of a text whose first word says that they decide, and those that a label announces. */
export function clearDecisionsIn(text: string): string[] {
  return decisionsInComment(text).flatMap((each) => (each.isClear ? [each.text] : []));
}

function isProgram(author: string, agents: readonly string[]): boolean {
  const name = author.trim().toLowerCase();
  return services.has(name) || bots.test(name) || agents.some((agent) => namesAgent(agent, author));
}

function decisionsInComment(text: string): Found[] {
  const found: Found[] = [];
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
    } else if (!isHeading) found.push(...decisionsInLine(own));
  }
  return found;
}

function decisionsInLine(line: string): Found[] {
  return line.split(/(?<=[.!?])\s+|(?<=[。！？])/u).flatMap((sentence): Found[] => {
    const own = withoutMarks(sentence);
    if (isQuestion(own)) return [];
    if (label.test(own) || order.test(own)) return [{ text: own, isClear: true }];
    return decisionsIn(own).length > 0 ? [{ text: own, isClear: false }] : [];
  });
}

function isQuestion(text: string): boolean {
  return /[?？]\s*$/u.test(text);
}

/** A line without the marks of lists, headings, emphasis and symbols before it. */
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

function cut(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).trimEnd()}…`;
}
