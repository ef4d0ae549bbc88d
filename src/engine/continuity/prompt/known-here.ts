import type { LearnedBook } from "../../ledger/answers/learned.ts";
import type { KnownHere } from "./advice-for.ts";

/** Less certain things are not told. */
const fewestTimes = 2;
const reverted = /^An edit of (?<file>.+) was taken back$/u;

/**
 * Picks from what was learned what prompts may be told: nothing that the user has forgotten, and nothing of another project unless the user
 * lets it be told there.
 */
export function knownHere({ learned, deadEnds }: LearnedBook): KnownHere {
  return {
    fixes: learned
      .filter(({ task, mark }) => task === "LearnRepairPatterns" && mark?.state !== "forgotten")
      .flatMap(({ id, subject, text, remedy, mark, sessions, good, times }) => {
        const [signature = "", of = ""] = (subject ?? "").split("|");
        const told = mark?.state === "edited" ? mark.text : remedy;
        const isCertain = good === times || mark?.state === "kept" || mark?.state === "edited";
        return told === null || !isCertain
          ? []
          : [{ id, signature, subject: of, error: errorIn(text), remedy: told, sessions }];
      }),
    deadEnds: deadEnds
      .filter(({ mark, times }) => mark?.state !== "forgotten" && times >= fewestTimes)
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

/** Returns the error that a sentence on a repair begins with. */
function errorIn(text: string): string | null {
  return /^“(?<error>.+)” \([^()]{0,200}\) was gone after: /su.exec(text)?.groups?.["error"] ?? null;
}
