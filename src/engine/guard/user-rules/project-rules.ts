import { sentence, type Sentence } from "../../base/language.ts";
import type { Result } from "../../base/result.ts";
import type { ShellContext } from "../commands/invocation.ts";
import type { ProjectConfig } from "./apply.ts";
import { ConfigFile, type Catalogue, type GuardFile } from "./config-file.ts";
import { faultText, emptyConfig, type GuardFault } from "./config.ts";
import type { TextRule } from "./text-rule.ts";

/** Files of a project with guard rules. */
export interface ProjectFiles {
  /** Whether the user trusts the project's folder. Otherwise its files are not read. */
  readonly isTrusted: () => boolean;
  /** Its `.purser/guard.yaml`. */
  readonly guardFile: GuardFile;
  /** Its rules of hookify. */
  readonly imports: {
    /** Returns a text that changes with the files; empty for none. */
    readonly stamp: () => string;
    readonly files: () => readonly { readonly name: string; readonly text: Result<string> }[];
  };
}

/** A rules file for panels and commands. */
export interface RuleFile {
  readonly name: string;
  readonly kind: "user" | "project" | "hookify";
  /** `untrusted`: not read. `faulty`: its last valid content applies. */
  readonly state: "read" | "off" | "untrusted" | "faulty";
  readonly rules: readonly string[];
  readonly faults: readonly GuardFault[];
}

/** A project's guard rules, read again when they change. */
export class ProjectRules {
  readonly #files: ProjectFiles;
  readonly #guard: ConfigFile;
  readonly #imports = new Map<string, { readonly rule: TextRule | null; readonly file: RuleFile }>();
  #stamp = "";
  #importStamp = "";

  constructor(files: ProjectFiles) {
    this.#files = files;
    this.#guard = new ConfigFile(files.guardFile, "project");
  }

  /** The project's settings; null if it has none or is not trusted. */
  get config(): ProjectConfig | null {
    if (this.#stamp === "") return null;
    const imported = [...this.#imports.values()].flatMap(({ rule }) => (rule === null ? [] : [rule]));
    return { ...this.#guard.config, imported };
  }

  isCurrent(): boolean {
    return this.#stampNow() === this.#stamp;
  }

  async refresh(
    rules: Catalogue,
    context: ShellContext,
    onProblem: (message: Sentence) => void,
  ): Promise<void> {
    const stamp = this.#stampNow();
    this.#stamp = stamp;
    if (stamp === "") return;
    await this.#guard.refresh(rules, context, onProblem);
    const importStamp = this.#files.imports.stamp();
    if (importStamp === this.#importStamp) return;
    this.#importStamp = importStamp;
    this.#readImports(rules, onProblem);
  }

  describe(): RuleFile[] {
    const { guardFile, imports } = this.#files;
    if (!this.#files.isTrusted())
      return [
        ...(guardFile.stamp() === "" ? [] : [{ name: guardFile.name, kind: "project" } as const]),
        ...imports.files().map(({ name }) => ({ name, kind: "hookify" }) as const),
      ].map((file) => ({ ...file, state: "untrusted", rules: [], faults: [] }) as const);
    return [
      ...(this.#guard.exists ? [describeConfig(this.#guard, "project")] : []),
      ...[...this.#imports.values()].map(({ file }) => file),
    ];
  }

  /** Returns an empty text if no file of the project is read. */
  #stampNow(): string {
    const { isTrusted, guardFile, imports } = this.#files;
    const stamps = [guardFile.stamp(), imports.stamp()];
    return stamps.every((each) => each === "") || !isTrusted() ? "" : stamps.join("\n");
  }

  /** A file with a fault keeps its last good rule. */
  #readImports(rules: Catalogue, onProblem: (message: Sentence) => void): void {
    const before = new Map(this.#imports);
    this.#imports.clear();
    for (const { name, text } of this.#files.imports.files()) {
      const short = name.split(/[/\\]/u).at(-1) ?? name;
      const read = text.ok
        ? rules.readHookify(text.value, short)
        : { rule: null, faults: [{ line: 1, message: text.detail }] };
      const [fault] = read.faults;
      if (fault !== undefined)
        onProblem(sentence("{file}: {fault}; it is not imported", { file: name, fault: faultText(fault) }));
      const rule = fault === undefined ? read.rule : (before.get(name)?.rule ?? null);
      const state = fault !== undefined ? "faulty" : rule === null ? "off" : "read";
      const own = rule === null ? [] : [rule.rule.id];
      this.#imports.set(name, {
        rule,
        file: { name, kind: "hookify", state, rules: own, faults: read.faults },
      });
    }
  }
}

/** Describes a `guard.yaml` that exists. */
export function describeConfig(guard: ConfigFile, kind: "user" | "project"): RuleFile {
  const { file, config, faults } = guard;
  return {
    name: file.name,
    kind,
    state: faults.length > 0 ? "faulty" : "read",
    rules: config === emptyConfig ? [] : config.rules.map(({ id }) => id),
    faults,
  };
}
