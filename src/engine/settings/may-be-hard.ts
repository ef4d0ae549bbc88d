import { readFileSync, statSync } from "node:fs";
import { errorCode } from "../base/result.ts";
import type { PurserPaths } from "../base/paths.ts";
import type { BudgetMode, FamilyMode } from "./guard.ts";

const hard: BudgetMode = "hard";
const required: FamilyMode = "required";
/** Maximum size of a file that is read. Bytes. */
const maxFileSize = 4 * 1024 * 1024;

/**
 * Budgets may be hard somewhere, so that a prompt may be refused. For programs that must start at once: it only searches the settings for the word,
 * so it may return true by mistake, but never false.
 */
export function mayBeHard({
  settings,
  windowSettings,
}: Pick<PurserPaths, "settings" | "windowSettings">): boolean {
  return [settings, windowSettings].some((file) => mayHave(hard, file));
}

/** Likewise: calls that could not be judged must not pass. */
export function mayBeRequired({
  settings,
  windowSettings,
}: Pick<PurserPaths, "settings" | "windowSettings">): boolean {
  return [settings, windowSettings].some((file) => mayHave(required, file));
}

function mayHave(word: string, file: string): boolean {
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > maxFileSize) return true;
    const text = readFileSync(file, "utf8");
    // An escaped letter hides the word.
    return text.includes(word) || text.includes(String.raw`\u`);
  } catch (error) {
    return errorCode(error) !== "ENOENT";
  }
}
