/** What of a stored file a command runs. */
export interface StoredRun {
  /** Names that the file may have, of which the first that exists is meant. */
  readonly names: readonly string[];
  /** The script, target or task of the file that is meant; empty for all of it. */
  readonly part: string;
  readonly language: StoredLanguage;
  /** The file itself is the script. */
  readonly isWhole?: true;
  /** Returns the texts of the file that run. */
  readonly scripts: (text: string) => readonly string[];
}

/** A shell's language, or that of the interpreter with this name. By the file's first line where the file itself is the command. */
export type StoredLanguage = "by-first-line" | "shell" | "powershell" | { readonly interpreter: string };

const shellName = /^(?:ba|da|z|k|a|mk|fi)?sh$/u;

/** Returns the language that the first line of a file names: a shell's where it names none. */
export function languageOf(text: string): Exclude<StoredLanguage, "by-first-line"> {
  const line = /^#![ \t]*(?<line>[^\n]{1,200})/u.exec(text)?.groups?.["line"] ?? "";
  const words = line
    .split(/\s+/u)
    .filter((word) => word !== "" && !word.startsWith("-") && !word.includes("="));
  const names = words.map((word) => word.slice(word.lastIndexOf("/") + 1));
  const [first = "", second = ""] = names;
  const interpreter = first === "env" ? second : first;
  if (interpreter === "" || shellName.test(interpreter)) return "shell";
  return interpreter === "pwsh" ? "powershell" : { interpreter };
}
