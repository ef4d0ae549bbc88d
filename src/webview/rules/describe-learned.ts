import { t } from "../../engine/base/language.ts";
import type { LearnedItem } from "../../engine/continuity/learning-answers.ts";

export const learnedNote = t(
  "Nothing here is sent to an agent. An item that you make a rule is proposed, and must pass its measurement.",
);

export const headings: readonly {
  readonly kind: LearnedItem["kind"];
  readonly heading: string;
  readonly note: string;
}[] = [
  {
    kind: "convention",
    heading: t("How Things Are Done"),
    note: t("What is done so in four of five cases, in more than one session; of checks, the usual command."),
  },
  {
    kind: "repair",
    heading: t("What Fixed Errors"),
    note: t(
      "The edit or command after which an error was gone, and did not come back in most of these sessions.",
    ),
  },
  {
    kind: "sequence",
    heading: t("What Precedes Success"),
    note: t("Steps after which a check passes more often than chance explains."),
  },
  {
    kind: "dead-end",
    heading: t("Dead Ends"),
    note: t("What failed each time or was taken back, and did not work in any later session."),
  },
  {
    kind: "error",
    heading: t("Errors That Come Again"),
    note: t("The same error, whatever its numbers, times and folders."),
  },
];

export const stateWords: Readonly<Record<LearnedItem["state"], string>> = {
  shown: "",
  kept: t("kept"),
  edited: t("kept in your words"),
  forgotten: t("forgotten"),
};

/** Returns the projects of which something was learned, in order. */
export function learnedProjects({ learned }: { readonly learned: readonly LearnedItem[] }): string[] {
  return [...new Set(learned.map(({ project }) => project))].toSorted();
}
