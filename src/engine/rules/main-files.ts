import { sentence, type Sentence } from "../base/language.ts";

/** The agent whose rules go into a file of the project: the main conversation. */
export const mainAgent = "main";

/** The files that rules of the main conversation can go into, relative to the project, with `/`. */
export const mainFiles = ["CLAUDE.local.md", ".claude/rules/purser.md", "AGENTS.md"] as const;
export type MainFile = (typeof mainFiles)[number];

/** The file chosen for a project. */
export interface ChosenFile {
  /** The project's folder. */
  readonly project: string;
  readonly name: MainFile;
}

/** Who reads a file, and whether others of the project get it. */
export function describeMainFile(name: MainFile): Sentence {
  switch (name) {
    case "CLAUDE.local.md":
      return sentence("Claude Code reads it. It is yours alone while git ignores it.");
    case ".claude/rules/purser.md":
      return sentence("Claude Code reads it. It is shared with the project by git.");
    case "AGENTS.md":
      return sentence("Codex reads it; Claude Code only without a CLAUDE.md. It is shared by git.");
  }
}

/** Says how to keep a personal file, which git does not ignore, out of commits. */
export function describeNotIgnored(name: MainFile): Sentence {
  return sentence("Git does not ignore {0} here, so a commit would share it. Add it to .gitignore.", name);
}
