import * as z from "zod/mini";

/** The parts of a handover that a person looks through and edits before an agent starts with it. */
export const cardParts = ["goal", "done", "decisions", "files", "next"] as const;
export type CardPart = (typeof cardParts)[number];

/** Maximum characters of a part. */
const maxPartLength = 20_000;
const part = z.string().check(z.maxLength(maxPartLength));

/** Markdown by part. Empty for a part that the document does not have. */
export const handoverCard = z.object({ goal: part, done: part, decisions: part, files: part, next: part });
export type HandoverCard = Readonly<z.infer<typeof handoverCard>>;

/** Headings of a document's own sections, in their order. */
export const headings = {
  goal: "Goal",
  done: "Done",
  decisions: "Open decisions",
  blockers: "Blockers",
  files: "Files",
  next: "Next step",
} as const;

/** Headings that documents had before. */
const earlier: Readonly<Record<string, CardPart>> = {
  "Current objective": "goal",
  "Work completed": "done",
  "Files and artefacts touched": "files",
  "Next recommended action": "next",
};

interface Section {
  readonly heading: string;
  /** With the heading's line. */
  readonly text: string;
}

export function readCard(document: string): HandoverCard {
  const { sections } = sectionsOf(document);
  const bodyOf = (name: CardPart): string => {
    const found = sections.find(({ heading }) => partOf(heading) === name);
    return found === undefined ? "" : bodyIn(found).slice(0, maxPartLength);
  };
  return {
    goal: bodyOf("goal"),
    done: bodyOf("done"),
    decisions: bodyOf("decisions"),
    files: bodyOf("files"),
    next: bodyOf("next"),
  };
}

/**
 * Writes an edited card into its document. Other sections, and parts that are as before, stay byte for byte. A part
 * without text loses its section.
 */
export function withCard(document: string, card: HandoverCard): string {
  const { head, sections } = sectionsOf(document);
  const before = readCard(document);
  const kept = [...sections];
  let isChanged = false;
  for (const name of cardParts) {
    const body = card[name].replaceAll(/\r\n?/gu, "\n").trim();
    if (body === before[name].replaceAll(/\r\n?/gu, "\n")) continue;
    const at = kept.findIndex(({ heading }) => partOf(heading) === name);
    const own = body === "" ? [] : [{ heading: headings[name], text: sectionText(headings[name], body) }];
    kept.splice(at === -1 ? placeFor(name, kept) : at, at === -1 ? 0 : 1, ...own);
    isChanged = true;
  }
  if (!isChanged) return document;
  const parts = [head, ...kept.map(({ text }) => text)];
  // The section that was the last one ends with one line break.
  const spaced = parts.map((text) => (/\n\r?\n$/u.test(text) ? text : `${text.trimEnd()}\n\n`));
  return `${spaced.join("").trimEnd()}\n`;
}

function sectionsOf(document: string): { readonly head: string; readonly sections: readonly Section[] } {
  const [head = "", ...rest] = document.split(/^(?=## )/mu);
  if (head.startsWith("## ")) return { head: "", sections: [head, ...rest].map(sectionIn) };
  return { head, sections: rest.map(sectionIn) };
}

function sectionIn(text: string): Section {
  return { heading: (/^## (.*)/u.exec(text)?.[1] ?? "").trim(), text };
}

function bodyIn({ text }: Section): string {
  const end = text.indexOf("\n");
  return end === -1 ? "" : text.slice(end).trim();
}

/** A line of a person's that would start a section starts a smaller one. */
function sectionText(heading: string, body: string): string {
  return `## ${heading}\n\n${body.replaceAll(/^#{1,2}(?= )/gmu, "###")}\n\n`;
}

function partOf(heading: string): CardPart | undefined {
  return cardParts.find((name) => headings[name] === heading) ?? earlier[heading];
}

/** After the sections that come before a part, else first. */
function placeFor(name: CardPart, sections: readonly Section[]): number {
  const order = Object.values(headings);
  const before = new Set<string>(order.slice(0, order.indexOf(headings[name])));
  const isBefore = ({ heading }: Section) => {
    const known = partOf(heading);
    return heading === "In short" || before.has(known === undefined ? heading : headings[known]);
  };
  return sections.findLastIndex(isBefore) + 1;
}
