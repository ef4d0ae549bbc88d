import type { LearnedBook, LearnedDeadEnd, LearnedRow } from "../../ledger/learned.ts";
import type { LearnedItem } from "../learning-answers.ts";
import { readEvidence } from "./fact.ts";

const kinds: Readonly<Record<string, LearnedItem["kind"]>> = {
  LearnConventions: "convention",
  LearnRepairPatterns: "repair",
  LearnSequences: "sequence",
  ClusterErrors: "error",
};

export function learnedItems({ learned, deadEnds }: LearnedBook): LearnedItem[] {
  const items = [
    ...learned.flatMap((row) => {
      const kind = kinds[row.task];
      return kind === undefined ? [] : [itemOf(row, kind, row.remedy)];
    }),
    ...deadEnds.map((row) => itemOf(row, "dead-end", null)),
  ];
  return items.toSorted(
    (a, b) => (b.score ?? 0) - (a.score ?? 0) || b.times - a.times || (a.id < b.id ? -1 : 1),
  );
}

function itemOf(
  row: LearnedRow | LearnedDeadEnd,
  kind: LearnedItem["kind"],
  remedy: string | null,
): LearnedItem {
  const { id, project, text, sessions, times, evidence, at, score, mark, uses, helped, failed } = row;
  const state = mark?.state ?? "shown";
  return {
    id,
    kind,
    project,
    text: state === "edited" ? (mark?.text ?? text) : text,
    remedy,
    sessions,
    times,
    evidence: readEvidence(evidence),
    at,
    score,
    state,
    uses,
    helped,
    failed,
  };
}
