import { sha256Hex } from "../../../base/hash.ts";
import * as z from "zod/mini";
import type { Surrounding } from "../../../transcripts/claude.ts";
import { cappedCount } from "../fitting.ts";

const count = z.nullable(z.int().check(z.nonnegative()));

export const surroundingsState = z.object({
  hasInstructionsFile: z.nullable(z.boolean()),
  instructionsChars: count,
  skillCount: count,
  skillSetHash: z.nullable(z.string()),
});
/** The instructions and skills the agent had, as far as its attachments show; null means "not reported". */
export type Surroundings = z.infer<typeof surroundingsState>;

export const unknownSurroundings: Surroundings = {
  hasInstructionsFile: null,
  instructionsChars: null,
  skillCount: null,
  skillSetHash: null,
};

/** The surroundings known after an attachment. */
export function withSurrounding(known: Surroundings, surrounding: Surrounding): Surroundings {
  switch (surrounding.kind) {
    case "instructions":
      return {
        ...known,
        hasInstructionsFile: surrounding.files > 0,
        instructionsChars: cappedCount(surrounding.chars),
      };
    case "session-context":
      // Versions that write this row write the instructions before it, if there are any.
      if (known.hasInstructionsFile !== null) return known;
      return { ...known, hasInstructionsFile: false, instructionsChars: 0 };
    case "skills":
      return { ...known, ...skillsAfter(known, surrounding) };
    case "queued-prompt":
      return known;
  }
}

/** The first listing names all skills, a later one only the added ones. */
function skillsAfter(
  known: Surroundings,
  { count: listed, names, isInitial }: Extract<Surrounding, { kind: "skills" }>,
): Pick<Surroundings, "skillCount" | "skillSetHash"> {
  const before = isInitial ? "" : (known.skillSetHash ?? "");
  const digest = sha256Hex([before, ...names.toSorted()].join("\n"));
  const skillCount = cappedCount(listed + (isInitial ? 0 : (known.skillCount ?? 0)));
  return { skillCount, skillSetHash: digest.slice(0, 16) };
}
