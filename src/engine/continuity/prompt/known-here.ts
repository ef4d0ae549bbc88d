import type { LearnedBook } from "../../ledger/learned.ts";
import type { KnownHere } from "./advice-for.ts";

/** Minimum number of times a lesson was seen before it is sent. */
const minTimes = 2;
const reverted = /^An edit of (?<file>.+) was taken back$/u;

/**
 * Selects the lessons for prompts. Excludes lessons that the user has forgotten, and lessons of other
 * projects unless the user allows them.
 */
export function knownHere({ learned, deadEnds }: LearnedBook): KnownHere {
  return {
    fixes: learned
      .filter(({ task, mark }) => task === "LearnRepairPatterns" && mark?.state !== "forgotten")
      .flatMap(({ id, subject, text, remedy, mark, sessions, good, times }) => {
        const [signature = "", of = ""] = (subject ?? "").split("|");
        const remedyText = mark?.state === "edited" ? mark.text : remedy;
        const isCertain = good === times || mark?.state === "kept" || mark?.state === "edited";
        return remedyText === null || !isCertain
          ? []
          : [{ id, signature, subject: of, error: errorIn(text), remedy: remedyText, sessions }];
      }),
    deadEnds: deadEnds
      .filter(({ mark, times }) => mark?.state !== "forgotten" && times >= minTimes)
      .map(({ id, text, how, times, mark }) => {
        const file = how === "reverted" ? reverted.exec(text)?.groups?.["file"] : undefined;
        const [tried = ""] = text.split(": ");
        return {
          id,
          tried: file ?? tried,
          text: mark?.state === "edited" ? (mark.text ?? text) : text,
          times,
        };
      }),
  };
}

/** Returns the error at the start of a repair's sentence. */
function errorIn(text: string): string | null {
  return /^“(?<error>.+)” \([^()]{0,200}\) was gone after: /su.exec(text)?.groups?.["error"] ?? null;
}
