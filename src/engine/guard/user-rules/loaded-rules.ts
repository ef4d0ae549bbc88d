import { compose, type Sentence } from "../../base/language.ts";
import type { GuardedCall } from "../calls/find-hits.ts";
import type { GuardRule } from "../calls/rule.ts";
import type { Hit } from "../calls/rule-set.ts";
import type { ShellContext } from "../commands/invocation.ts";
import type { Judge, Silence } from "./apply.ts";
import { ConfigFile, loadCatalogue, type Catalogue, type GuardFile } from "./config-file.ts";
import { describeConfig, ProjectRules, type ProjectFiles, type RuleFile } from "./project-rules.ts";
import type { WholeConfig } from "./with-project.ts";

export interface LoadedRulesPorts {
  /** The user's `guard.yaml`. */
  readonly file: GuardFile;
  /** Returns the files of the project at a root; null where there can be none. */
  readonly projectFiles: (root: string) => ProjectFiles | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds, never set back. */
  readonly elapsed: () => number;
  readonly onProblem: (message: Sentence) => void;
}

/** Shortest time between two looks at the files. Milliseconds. */
const lookInterval = 1000;
/** More projects than agents work in at once; the one unused for longest is forgotten. */
const mostProjects = 50;

/** The rules that hold in one project. */
interface Place {
  readonly project: ProjectRules | null;
  judge: Judge | undefined;
  /** Of the user's wishes that its judge knows. */
  version: number;
  lookedAt: number;
  loading: Promise<Judge> | undefined;
}

/**
 * All guard rules on calls, and what the user's file and the project's files say of them. The rules' code is loaded with the first call, a
 * file read again when it changes; while it has a fault what it said before holds.
 */
export class LoadedRules {
  readonly #ports: LoadedRulesPorts;
  readonly #user: ConfigFile;
  readonly #places = new Map<string | null, Place>();
  #silence: { readonly version: number; readonly test: Silence } | undefined;
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
   * Whether the user wants nothing of a rule on a text: it is off, or an exception holds. While a file is being read that may say so,
   * nothing is wanted of any rule.
   */
  isExcepted(rule: string, text: string, context: ShellContext): boolean {
    const { file, now, onProblem } = this.#ports;
    const place = this.#placeOf(context);
    if (this.#silence === undefined && file.stamp() === "") return false;
    if (!this.#isCurrent(place) || this.#silence === undefined)
      this.#loadOnce(place, context).catch((error: unknown) =>
        onProblem(compose`${file.name}: ${String(error)}`),
      );
    const { folder, home } = context;
    return this.#silence?.test({ rule, texts: [text], folder, home }, now()) ?? true;
  }

  /** Whether the user's file says what a rule does, or is where it stands. */
  isChosen(rule: string): boolean {
    const { set, rules } = this.#user.config;
    return Object.hasOwn(set, rule) || rules.some(({ id }) => id === rule);
  }

  /** Returns all rules that hold in a project, with the user's and the project's, as they are now. */
  async all(context: ShellContext): Promise<readonly GuardRule[]> {
    const place = this.#placeOf(context);
    await this.#load(place, context);
    const { catalogue, effectiveRules } = await loadCatalogue();
    const config = this.#configOf(place, await loadCatalogue());
    return [...effectiveRules(catalogue, config), ...(config.imported ?? []).map(({ rule }) => rule)];
  }

  /** Returns the files that say something of guard rules in a project, read or not. */
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
    if (this.#places.size > mostProjects) {
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
    if (this.#silence?.version !== version) this.#silence = { version, test: rules.makeSilence(config) };
    const judge = this.#judgeOf(place, rules);
    place.judge = judge;
    place.version = version;
    return judge;
  }

  /** Projects without wishes share one judge. */
  #judgeOf(place: Place, rules: Catalogue): Judge {
    if (place.project?.config !== null && place.project !== null)
      return rules.judgeBy(this.#configOf(place, rules));
    const { config, version } = this.#user;
    if (this.#usersJudge?.version !== version) this.#usersJudge = { version, judge: rules.judgeBy(config) };
    return this.#usersJudge.judge;
  }

  #configOf({ project }: Place, rules: Catalogue): WholeConfig {
    const [user, wishes] = [this.#user.config, project?.config ?? null];
    return wishes === null ? user : rules.withProject(user, wishes, rules.usualActions);
  }
}
