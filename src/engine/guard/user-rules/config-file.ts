import { sentence, type Sentence } from "../../base/language.ts";
import { succeed, type Result } from "../../base/result.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { emptyConfig, type GuardConfig, type GuardFault } from "./config.ts";
import type { RuleChecks } from "./read-config.ts";

/** A file of guard rules. */
export interface GuardFile {
  readonly name: string;
  /** Returns a text that changes with the file; empty for no file. */
  readonly stamp: () => string;
  /** Returns its text; empty for no file. */
  readonly text: () => Result<string>;
}

export const loadCatalogue = async () => await import("../catalogue/judge-all.ts");
export type Catalogue = Awaited<ReturnType<typeof loadCatalogue>>;

/** Returns the checks of a `guard.yaml`. */
export function checksOf(
  rules: Catalogue,
  { scope, context }: { readonly scope: RuleChecks["scope"]; readonly context: ShellContext },
): RuleChecks {
  return {
    scope,
    known: rules.usualActions,
    coded: new Set(rules.codedRules.map(({ id }) => id)),
    whyNoPattern: rules.whyNoPattern,
    firedOn: (own, example) => rules.firedOn(own, example, context),
  };
}

/** A `guard.yaml`, read again when it changes. While it has a fault, its last valid settings apply. */
export class ConfigFile {
  readonly file: GuardFile;
  readonly #scope: RuleChecks["scope"];
  #stamp = "";
  #config: GuardConfig = emptyConfig;
  #faults: readonly GuardFault[] = [];
  #version = 0;

  constructor(file: GuardFile, scope: RuleChecks["scope"]) {
    this.file = file;
    this.#scope = scope;
  }

  get config(): GuardConfig {
    return this.#config;
  }

  /** Changes with the settings. */
  get version(): number {
    return this.#version;
  }

  get faults(): readonly GuardFault[] {
    return this.#faults;
  }

  get exists(): boolean {
    return this.file.stamp() !== "";
  }

  isCurrent(): boolean {
    return this.file.stamp() === this.#stamp;
  }

  async refresh(
    rules: Catalogue,
    context: ShellContext,
    onProblem: (message: Sentence) => void,
  ): Promise<void> {
    const stamp = this.file.stamp();
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    const text = this.file.text();
    const read = text.ok ? await this.#read(text.value, rules, context) : { ...text, faults: undefined };
    if (read.ok) {
      this.#config = read.value;
      this.#faults = [];
      this.#version += 1;
      return;
    }
    this.#faults = read.faults ?? [{ line: 1, message: read.detail }];
    onProblem(
      sentence("{file}: {fault}; the last good rules stay", {
        file: this.file.name,
        fault: read.detail,
      }),
    );
  }

  async #read(text: string, rules: Catalogue, context: ShellContext) {
    if (text.trim() === "") return { ...succeed(emptyConfig), faults: undefined };
    const { readConfig } = await import("./editor.ts");
    return readConfig(text, checksOf(rules, { scope: this.#scope, context }));
  }
}
