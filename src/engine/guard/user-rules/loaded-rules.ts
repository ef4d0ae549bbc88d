import { compose, type Sentence } from "../../base/language.ts";
import type { GuardedCall } from "../calls/find-hits.ts";
import type { Hit } from "../calls/rule-set.ts";
import type { GuardRule } from "../calls/rule.ts";
import type { ShellContext } from "../commands/invocation.ts";
import type { IsExcepted, Judge, WholeConfig } from "./apply.ts";
import { ConfigFile, loadCatalogue, type Catalogue, type GuardFile } from "./config-file.ts";
import { describeConfig, ProjectRules, type ProjectFiles, type RuleFile } from "./project-rules.ts";

export interface LoadedRulesPorts {
  /** The user's `guard.yaml`. */
  readonly file: GuardFile;
  /** Returns the files of the project at a root; null if there can be none. */
  readonly projectFiles: (root: string) => ProjectFiles | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds, never set back. */
  readonly elapsed: () => number;
  readonly onProblem: (message: Sentence) => void;
}

/** Minimum time between two checks of the files. Milliseconds. */
const lookInterval = 1000;
/** Maximum projects. Above it, the least recently used is dropped. */
const maxProjects = 50;

/** The rules of one project. */
interface Place {
  readonly project: ProjectRules | null;
  judge: Judge | undefined;
  /** Version of the user's settings in its judge. */
  version: number;
  lookedAt: number;
  loading: Promise<Judge> | undefined;
}

/**
 * All guard rules on calls, with the settings of user and project. The rules' code is loaded with the first call. A file is
 * read again when it changes; while it has a fault, its last valid content applies.
 */
export class LoadedRules {
  readonly #ports: LoadedRulesPorts;
  readonly #user: ConfigFile;
  readonly #places = new Map<string | null, Place>();
  #exceptions: { readonly version: number; readonly test: IsExcepted } | undefined;
  #usersJudge: { readonly version: number; readonly judge: Judge } | undefined;

  constructor(ports: LoadedRulesPorts) {
    this.#ports = ports;
    this.#user = new ConfigFile(ports.file, "user");
  }

  /** Returns the rules that fire on a call; a promise only while rules are loaded. */
  judge(call: GuardedCall, context: ShellContext): Hit[] | Promise<Hit[]> {
    const place = this.#placeOf(context);
    const judge = this.#isCurrent(place) ? place.judge : undefined;
    const now = this.#ports.now();
    if (judge !== undefined) return judge(call, context, now);
    return this.#loadOnce(place, context).then((loaded) => loaded(call, context, now));
  }

  /**
   * Whether a rule is off, or an exception applies to a text. True for every rule while a file is being read that may contain
   * such a setting.
   */
  isExcepted(rule: string, text: string, context: ShellContext): boolean {
    const { file, now, onProblem } = this.#ports;
    const place = this.#placeOf(context);
    if (this.#exceptions === undefined && file.stamp() === "") return false;
    if (!this.#isCurrent(place) || this.#exceptions === undefined)
      this.#loadOnce(place, context).catch((error: unknown) =>
        onProblem(compose`${file.name}: ${String(error)}`),
      );
    const { folder, home } = context;
    return this.#exceptions?.test({ rule, texts: [text], folder, home }, now()) ?? true;
  }

  /** Whether the user's file sets or contains a rule. */
  isChosen(rule: string): boolean {
    const { set, rules } = this.#user.config;
    return Object.hasOwn(set, rule) || rules.some(({ id }) => id === rule);
  }

  /** Returns all current rules of a project, including the user's and the project's. */
  async all(context: ShellContext): Promise<readonly GuardRule[]> {
    const place = this.#placeOf(context);
    await this.#load(place, context);
    const { catalogue, effectiveRules } = await loadCatalogue();
    const config = this.#configOf(place, await loadCatalogue());
    return [...effectiveRules(catalogue, config), ...(config.imported ?? []).map(({ rule }) => rule)];
  }

  /** Returns the files with guard rules of the user and the project, read or not. */
  async files(context: ShellContext): Promise<readonly RuleFile[]> {
    const place = this.#placeOf(context);
    await this.#load(place, context);
    return [
      ...(this.#user.exists ? [describeConfig(this.#user, "user")] : []),
      ...(place.project?.describe() ?? []),
    ];
  }

  #placeOf({ project: root }: ShellContext): Place {
    const known = this.#places.get(root);
    const project = root === null || known !== undefined ? null : this.#ports.projectFiles(root);
    const place = known ?? {
      project: project === null ? null : new ProjectRules(project),
      judge: undefined,
      version: -1,
      lookedAt: -Infinity,
      loading: undefined,
    };
    this.#places.delete(root);
    this.#places.set(root, place);
    if (this.#places.size > maxProjects) {
      const [oldest] = this.#places.keys();
      if (oldest !== undefined) this.#places.delete(oldest);
    }
    return place;
  }

  #loadOnce(place: Place, context: ShellContext): Promise<Judge> {
    place.loading ??= this.#load(place, context).finally(() => (place.loading = undefined));
    return place.loading;
  }

  #isCurrent(place: Place): boolean {
    const at = this.#ports.elapsed();
    if (at - place.lookedAt >= lookInterval) {
      place.lookedAt = at;
      if (!this.#user.isCurrent() || place.project?.isCurrent() === false) return false;
    }
    return place.version === this.#user.version;
  }

  async #load(place: Place, context: ShellContext): Promise<Judge> {
    const { onProblem } = this.#ports;
    const rules = await loadCatalogue();
    await this.#user.refresh(rules, context, onProblem);
    await place.project?.refresh(rules, context, onProblem);
    const { config, version } = this.#user;
    if (this.#exceptions?.version !== version)
      this.#exceptions = { version, test: rules.makeExceptionTest(config) };
    const judge = this.#judgeOf(place, rules);
    place.judge = judge;
    place.version = version;
    return judge;
  }

  /** Projects without settings share one judge. */
  #judgeOf(place: Place, rules: Catalogue): Judge {
    if (place.project?.config !== null && place.project !== null)
      return rules.judgeBy(this.#configOf(place, rules));
    const { config, version } = this.#user;
    if (this.#usersJudge?.version !== version) this.#usersJudge = { version, judge: rules.judgeBy(config) };
    return this.#usersJudge.judge;
  }

  #configOf({ project }: Place, rules: Catalogue): WholeConfig {
    const [user, own] = [this.#user.config, project?.config ?? null];
    return own === null ? user : rules.withProject(user, own, rules.usualActions);
  }
}
