import { linesOf, lineRoles } from "../markdown-section.ts";
import { changingTexts, roledLines } from "./changing.ts";
import type { LintFinding } from "./found-text.ts";
import { growingLists } from "./growing-lists.ts";
import { inlinedFiles, largeImports, type ReadNear } from "./inlined-files.ts";
import { machinePaths, type LintPlace } from "./machine-paths.ts";
import { repeatedTexts, type OtherInstructions } from "./repeated.ts";

export interface LintSurroundings extends LintPlace {
  readonly read: ReadNear;
  /** Other files that the same sessions get, in the order in which they come. */
  readonly others: readonly OtherInstructions[];
  /** Characters per token in each of the newest requests. */
  readonly charactersPerToken: readonly number[];
}

/**
 * Finds what makes instructions dearer than they need be: text that changes by itself and so breaks the provider's cache, and text that
 * need not be in every context. In the order of their lines.
 */
export async function lintInstructions(text: string, surroundings: LintSurroundings): Promise<LintFinding[]> {
  const raw = linesOf(text);
  const lines = roledLines(raw, lineRoles(raw));
  const found = [
    ...changingTexts(lines),
    ...machinePaths(lines, surroundings),
    ...growingLists(text, lines),
    ...repeatedTexts(text, lines, surroundings.others),
    ...(await inlinedFiles(lines, surroundings.read)),
    ...(await largeImports(lines, surroundings)),
  ];
  return found.toSorted((a, b) => a.span.line - b.span.line || a.span.column - b.span.column);
}
