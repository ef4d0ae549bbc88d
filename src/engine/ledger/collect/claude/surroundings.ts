import { createHash } from "node:crypto";
import * as z from "zod";
import type { Surrounding } from "../../../transcripts/claude/row-details.ts";
import { fittingCount } from "../fitting.ts";

const count = z.int().nonnegative().nullable();

export const surroundingsState = z.object({
  hasInstructionsFile: z.boolean().nullable(),
  instructionsChars: count,
  skillCount: count,
  skillSetHash: z.string().nullable(),
});
/** What the agent had at hand, as far as its attachments tell; null is "not told". */
export type Surroundings = z.infer<typeof surroundingsState>;

export const unknownSurroundings: Surroundings = {
  hasInstructionsFile: null,
  instructionsChars: null,
  skillCount: null,
  skillSetHash: null,
};

/** What is known once an attachment is read. */
export function withSurrounding(known: Surroundings, told: Surrounding): Surroundings {
  switch (told.kind) {
    case "instructions":
      return { ...known, hasInstructionsFile: told.files > 0, instructionsChars: fittingCount(told.chars) };
    case "session-context":
      // Versions that write this write the instructions before it, if there are any.
      if (known.hasInstructionsFile !== null) return known;
      return { ...known, hasInstructionsFile: false, instructionsChars: 0 };
    case "skills":
      return { ...known, ...skillsAfter(known, told) };
    case "queued-prompt":
      return known;
  }
}

/** A first listing names all skills, a later one those that came. */
function skillsAfter(
  known: Surroundings,
  { count: told, names, isInitial }: Extract<Surrounding, { kind: "skills" }>,
): Pick<Surroundings, "skillCount" | "skillSetHash"> {
  const before = isInitial ? "" : (known.skillSetHash ?? "");
  const digest = createHash("sha256")
    .update([before, ...names.toSorted()].join("\n"))
    .digest("hex");
  const skillCount = fittingCount(told + (isInitial ? 0 : (known.skillCount ?? 0)));
  return { skillCount, skillSetHash: digest.slice(0, 16) };
}
