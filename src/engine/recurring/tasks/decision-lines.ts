import { ownProse } from "../../continuity/learning.ts";

/** Announce a decision, in the languages in which decisions in prompts are recognized. */
const label =
  /^(?:decisions?|decided|agreed|agreement|resolved|entscheidung(?:en)?|beschluss|entschieden|beschlossen|vereinbart|décisions?|décidé|convenu|decisi(?:ón|ones)|decidido|acordado)(?![\p{L}\p{N}])|^(?:決定事項|決定|決まり|合意|决定|结论)/iu;
/** Begin an order. */
const order =
  /^(?:please[ ,]+|bitte\s+)?(?:(?:do not|don['’]t|never|must|always|nie|niemals|nicht|immer|kein|keine|jamais|toujours|ne|nunca|siempre)(?![\p{L}\p{N}])|(?:必ず|決して|常に|禁止|总是|不要|必须))/iu;

export interface DecisionLine {
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
