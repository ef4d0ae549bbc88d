import type { LearnedItem } from "../../../engine/continuity/answers/learn.ts";

export const learnedNote =
  "By learning alone no agent is told anything. What you make a rule is a candidate like any other, and must pass its measurement.";

export const headings: readonly {
  readonly kind: LearnedItem["kind"];
  readonly heading: string;
  readonly note: string;
}[] = [
  {
    kind: "convention",
    heading: "How Things Are Done",
    note: "What is done so in four of five cases, in more than one session; of checks, the usual command.",
  },
  {
    kind: "repair",
    heading: "What Mended Errors",
    note: "The edit or command after which an error was gone, and did not come back in most of these sessions.",
  },
  {
    kind: "sequence",
    heading: "What Precedes Success",
    note: "Steps after which a check passes more often than chance explains.",
  },
  {
    kind: "dead-end",
    heading: "Dead Ends",
    note: "What failed each time or was taken back, and did not work in any later session.",
  },
  {
    kind: "error",
    heading: "Errors That Come Again",
    note: "The same error, whatever its numbers, times and folders.",
  },
];

export const stateWords: Readonly<Record<LearnedItem["state"], string>> = {
  shown: "",
  kept: "kept",
  edited: "kept in your words",
  forgotten: "forgotten",
};

/** Returns the projects of which something was learned, in order. */
export function learnedProjects({ learned }: { readonly learned: readonly LearnedItem[] }): string[] {
  return [...new Set(learned.map(({ project }) => project))].toSorted();
}
