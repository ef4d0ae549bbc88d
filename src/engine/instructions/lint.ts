/** Findings in instruction files. */
export { lintFile, type InstructionText } from "./lint/file-among-others.ts";
export {
  lintKinds,
  type LintFinding,
  type LintFix,
  type LintKind,
  type TextSpan,
} from "./lint/found-text.ts";
