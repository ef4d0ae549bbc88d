import { homedir, tmpdir } from "node:os";
import path from "node:path";
import type * as vscode from "vscode";
import type { ShellContext } from "../../../engine/guard/commands.ts";
import { nearestOf } from "../../../engine/base/text.ts";
import {
  type GuardFault,
  type GuardConfig,
  emptyConfig,
  loadCatalogue,
  checksOf,
  type Catalogue,
  readConfig,
  factsOf,
  type RuleFacts,
  readExample,
} from "../../../engine/guard/guard-rules.ts";
import { rulesFileKind } from "./kind.ts";

/** A file of guard rules, with the editor's text. */
interface ReadRules {
  readonly faults: readonly GuardFault[];
  /** Its wishes; null while it has faults. */
  readonly config: GuardConfig | null;
}

/** The known guard rules: those that come with purser, and those of a file. Loaded once. */
export class RuleKnowledge {
  readonly #catalogue: Catalogue;
  /** Rules that come with purser. */
  readonly facts: readonly RuleFacts[];

  private constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.facts = factsOf(catalogue.catalogue, catalogue.codedRules);
  }

  static async load(): Promise<RuleKnowledge> {
    return new RuleKnowledge(await loadCatalogue());
  }

  read({ uri }: Pick<vscode.TextDocument, "uri">, text: string): ReadRules {
    const kind = rulesFileKind(uri);
    if (kind === "hookify") {
      const { faults } = this.#catalogue.readHookify(text, path.basename(uri.fsPath));
      return { faults, config: null };
    }
    const scope = kind === "project" ? "project" : "user";
    const read = readConfig(text, checksOf(this.#catalogue, { scope, context: contextOf(uri) }));
    if (read.ok) return { faults: [], config: read.value };
    return { faults: (read.faults ?? []).map((fault) => this.#withNear(fault)), config: null };
  }

  /** Returns the rules that hold with a file's wishes, the file's own among them. */
  factsWith(config: GuardConfig | null): readonly RuleFacts[] {
    return config === null || config.rules.length === 0
      ? this.facts
      : [...this.facts, ...factsOf(config.rules, [])];
  }

  /** Returns the ids of the rules that fire on a call, written as rules' examples are, with a file's wishes. */
  fired(call: string, config: GuardConfig | null, uri: vscode.Uri): readonly string[] {
    const judge = this.#catalogue.judgeBy(config ?? emptyConfig);
    return judge(readExample(call), contextOf(uri), Date.now()).map(({ rule }) => rule.id);
  }

  /** Names the ids that are most like one that is unknown. */
  #withNear(fault: GuardFault): GuardFault {
    const { wrong } = fault;
    if (wrong === undefined || wrong.instead.length > 0) return fault;
    const known = [...this.facts.map(({ id }) => id), ...fileKeys];
    return { ...fault, wrong: { ...wrong, instead: nearestOf(wrong.word, known) } };
  }
}

/** Keys that are often misspelt. */
const fileKeys = [
  "set",
  "exceptions",
  "rules",
  "rule",
  "like",
  "folder",
  "until",
  "family",
  "action",
  "match",
  "message",
  "remedy",
  "fires",
  "passes",
  "program",
  "words",
  "flags",
  "without",
  "operand",
];

/** Rules of a project are judged in its folder. */
function contextOf({ fsPath }: vscode.Uri): ShellContext {
  const folder = path.dirname(path.dirname(fsPath));
  return { folder, home: homedir(), project: folder, temporary: tmpdir() };
}
