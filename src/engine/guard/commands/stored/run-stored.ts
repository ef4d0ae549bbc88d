import { storedEffort, type Effort } from "../../effort.ts";
import type { Invocation } from "../invocation.ts";

/** The part of a stored file that a command runs. */
export interface StoredRun {
  /** Possible names of the file. The first existing one counts. */
  readonly names: readonly string[];
  /** The script, target or task; empty for the whole file. */
  readonly part: string;
  readonly language: StoredLanguage;
  /** Whether the whole file is the script. */
  readonly isWhole?: true;
  /** Whether its commands run in the file's folder. */
  readonly isInOwnFolder?: true;
  /** Whether other code loads it. */
  readonly isModule?: true;
  /**
   * Returns the texts of the file that run.
   * @param other returns the text of another file, named from this one's folder; null if there is none
   */
  readonly scripts: (text: string, other: (name: string) => string | null) => readonly string[];
}

/** The language of a shell or interpreter. `by-first-line` for a file that is the command. */
export type StoredLanguage = "by-first-line" | "shell" | "powershell" | { readonly interpreter: string };

const shellName = /^(?:ba|da|z|k|a|mk|fi)?sh$/u;

/** Returns the language in the first line of a file; by default a shell's. */
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

/** The known facts about a stored script's text. */
export interface StoredText {
  /** Whether the agent wrote it: then an unread rest of it counts as unread of the command line. */
  readonly isOwn: boolean;
  /** Whether its end is not known. */
  readonly isCut: boolean;
}

/** Maximum stored scripts of one command line: a script may run others, or itself. */
const maxScripts = 20;
/** Maximum invocations of these scripts. */
const maxInvocations = 60;

/** Frequent programs in scripts that change nothing. */
const plain = new Set(
  ": [ [[ basename break cd continue date declare dirname echo exit export false getopts hostname id local ls popd printf pushd pwd read readonly return set shift sleep test true type typeset uname unset wait which".split(
    " ",
  ),
);
/** Programs that rules often stop. They come first if a script has too many. */
const risky =
  /^(?:rm|rmdir|shred|dd|mkfs.*|find|git|chmod|chown|kill.*|curl|wget|psql|mysql|mongo.*|redis-cli|docker|kubectl|helm|terraform|aws|gcloud|az|gh|npm|ssh|rsync|truncate|sudo)$/u;

/** The stored scripts of one command line, and their invocations up to a maximum. */
export class StoredScripts {
  readonly effort: Effort = storedEffort();
  readonly #read = new Set<string>();
  readonly #found: Invocation[] = [];
  #isOwnUnread = false;

  /** Whether a script that the agent wrote has an unread part. */
  get isOwnUnread(): boolean {
    return this.#isOwnUnread;
  }

  has(key: string): boolean {
    return this.#read.has(key);
  }

  /** Reads a script once, up to the maximum of scripts. */
  read(key: string, read: (effort: Effort) => readonly Invocation[], { isOwn, isCut }: StoredText): void {
    if (this.#read.has(key)) return;
    const isFull = this.#read.size >= maxScripts;
    if (isFull) this.#isOwnUnread ||= isOwn;
    if (isFull) return;
    this.#read.add(key);
    const isRelevant = ({ program, redirections }: Invocation) =>
      !plain.has(program) || redirections.length > 0;
    const found = read(this.effort).filter(isRelevant);
    this.#found.push(...found.map((each) => ({ ...each, isStored: true as const })));
    this.#isOwnUnread ||= isOwn && (this.effort.isSpent || isCut);
  }

  get found(): readonly Invocation[] {
    if (this.#found.length <= maxInvocations) return this.#found;
    const isRisky = ({ program }: Invocation) => risky.test(program);
    const [first, rest] = [this.#found.filter(isRisky), this.#found.filter((each) => !isRisky(each))];
    return [...first, ...rest].slice(0, maxInvocations);
  }
}
