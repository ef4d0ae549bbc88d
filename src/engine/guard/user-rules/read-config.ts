import { sentence, type Sentence } from "../../base/language.ts";
import { parseYaml } from "../../base/parse.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { type GuardRule, type Match } from "../calls/rule.ts";
import { ruleActions, type RuleAction } from "../calls/rule-action.ts";
import { faultText, tooLong, emptyConfig, type GuardConfig, type GuardFault } from "./config.ts";
import { guardFile, schemaFaults } from "./file-schema.ts";

/** Maximum length of a file. Characters. */
const maxFileLength = { user: 500_000, project: 100_000 };

/** What the reader needs from the rules' bundle. */
export interface RuleChecks {
  /** A project's file may only be stricter. */
  readonly scope: "user" | "project";
  /** Actions of the built-in rules on single calls, by id. */
  readonly known: ReadonlyMap<string, RuleAction>;
  /** Ids of the coded rules, which only advise. */
  readonly coded: ReadonlySet<string>;
  /** Returns why a text is not a linear regular expression; null if it is one. */
  readonly whyNoPattern: (pattern: string) => Sentence | null;
  /** Returns the ids of the rules that fire on an example. */
  readonly firedOn: (rules: readonly GuardRule[], example: string) => readonly string[];
}

type Read = Result<GuardConfig, "bad_guard_file"> & { readonly faults?: readonly GuardFault[] };

/** Reads the text of a `guard.yaml`. Every fault has its line. A file with a fault is not used at all. */
export function readConfig(text: string, checks: RuleChecks): Read {
  if (text.trim() === "") return succeed(emptyConfig);
  const maxLength = maxFileLength[checks.scope];
  if (text.length > maxLength) return failed([{ line: 1, message: tooLong(text.length, maxLength) }]);
  const parsed = parseYaml(text);
  if (!parsed.ok) return failed([parsed.fault ?? { line: 1, message: parsed.detail }]);
  const { value, lineOf } = parsed.value;
  const checked = guardFile.safeParse(value ?? {});
  if (!checked.success) return failed(schemaFaults(checked.error, parsed.value));
  const config: GuardConfig = checked.data;
  const faults = [
    ...(checks.scope === "project" ? laxities(config, checks, lineOf) : []),
    ...faultsOfIds(config, checks, lineOf),
    ...faultsOfPatterns(config, checks, lineOf),
  ];
  const all = faults.length > 0 ? faults : faultsOfExamples(config, checks, lineOf);
  return all.length > 0 ? failed(all) : succeed(config);
}

type LineOf = (path: readonly PropertyKey[]) => number;

function failed(faults: readonly GuardFault[]): Read {
  const [first] = faults;
  const detail = first === undefined ? sentence("it cannot be read") : faultText(first);
  return { ...fail("bad_guard_file", detail), faults };
}

function faultsOfIds(
  { set, exceptions, rules }: GuardConfig,
  { known, coded }: RuleChecks,
  lineOf: LineOf,
): GuardFault[] {
  const own = rules.map(({ id }) => id);
  const builtIn = new Set([...known.keys(), ...coded]);
  const all = new Set([...builtIn, ...own]);
  const unknown = (id: string, path: readonly PropertyKey[]): GuardFault => ({
    line: lineOf(path),
    message: sentence("there is no rule {0}; purser guard list tells them", id),
    wrong: { word: id, instead: [] },
  });
  return [
    ...Object.entries(set).flatMap(([id, action]): GuardFault[] => {
      const path = ["set", id];
      if (isImported(id)) return [];
      if (!builtIn.has(id)) return [unknown(id, path)];
      if (!coded.has(id) || action === "off" || action === "advise") return [];
      const message = sentence(
        "{0} looks at more than one call: it can be off or advise, not {1}",
        id,
        action,
      );
      return [{ line: lineOf(path), message, wrong: { word: action, instead: ["advise", "off"] } }];
    }),
    ...exceptions.flatMap(({ rule, folder }, index) => {
      // The folder's project may have the rule.
      const mayExist = all.has(rule) || folder !== undefined || isImported(rule);
      return mayExist ? [] : [unknown(rule, ["exceptions", index, "rule"])];
    }),
    ...own.flatMap((id, index) => {
      const line = lineOf(["rules", index, "id"]);
      if (builtIn.has(id) || own.indexOf(id) !== index)
        return [{ line, message: sentence("there is another rule {0}", id) }];
      return isImported(id) ? [{ line, message: sentence("{0}: only imported rules begin so", id) }] : [];
    }),
  ];
}

/** Imported rules are unknown here: they are in projects. */
const isImported = (id: string): boolean => id.startsWith("hookify-");

/** Maximum rules of a project, and maximum matches: more would take too long. */
const [maxProjectRules, maxProjectMatches] = [100, 300];

/** Returns parts of a project's file that only its user may write. */
function laxities(
  { set, exceptions, rules }: GuardConfig,
  { known }: RuleChecks,
  lineOf: LineOf,
): GuardFault[] {
  const matches = rules.reduce((sum, { match }) => sum + match.length, 0);
  const faults = [
    ...Object.entries(set).flatMap(([id, wanted]): GuardFault[] => {
      const usual = known.get(id);
      const message = laxity(id, wanted, usual);
      const wrong = { word: wanted, instead: usual === undefined ? [] : ["ask"] };
      return message === null ? [] : [{ line: lineOf(["set", id]), message, wrong }];
    }),
    ...exceptions.map(({ rule }, index) => ({
      line: lineOf(["exceptions", index]),
      message: sentence("a project cannot except calls from {0}; only your own guard.yaml can do that", rule),
    })),
    ...rules.flatMap(({ id, action }, index): GuardFault[] => {
      if (action !== "deny") return [];
      const message = sentence(
        "a project's rule cannot deny ({0}): write ask, which denies if no person can answer",
        id,
      );
      return [
        { line: lineOf(["rules", index, "action"]), message, wrong: { word: "deny", instead: ["ask"] } },
      ];
    }),
  ];
  if (rules.length <= maxProjectRules && matches <= maxProjectMatches) return faults;
  const message = sentence(
    "a project can have {0} rules with {1} matches; these are {2} with {3}",
    maxProjectRules,
    maxProjectMatches,
    rules.length,
    matches,
  );
  return [...faults, { line: lineOf(["rules"]), message }];
}

/** Returns why a project may not change a rule's action; null if it may. */
function laxity(id: string, wanted: RuleAction | "off", usual: RuleAction | undefined): Sentence | null {
  if (wanted === "off")
    return sentence("a project cannot turn {0} off; only your own guard.yaml can do that", id);
  if (wanted === "deny")
    return sentence("a project cannot deny ({0}): write ask; only your own guard.yaml can do that", id);
  if (usual === undefined || ruleActions.indexOf(wanted) >= ruleActions.indexOf(usual)) return null;
  return sentence(
    "a project cannot make {0} laxer than {1}; only your own guard.yaml can do that",
    id,
    usual,
  );
}

function faultsOfPatterns(
  { exceptions, rules }: GuardConfig,
  { whyNoPattern }: RuleChecks,
  lineOf: LineOf,
): GuardFault[] {
  const faultOf = (pattern: string | undefined, path: readonly PropertyKey[]): GuardFault[] => {
    const why = pattern === undefined ? null : whyNoPattern(pattern);
    if (why === null) return [];
    const where = path.map(String).join(".");
    const message = sentence("{where} is no linear regular expression: {why}", { where, why });
    return [{ line: lineOf(path), message }];
  };
  return [
    ...exceptions.flatMap(({ like }, index) => faultOf(like, ["exceptions", index, "like"])),
    ...rules.flatMap(({ match }, index) =>
      match.flatMap((each, at) =>
        patternsOf(each).flatMap(({ pattern, path }) =>
          faultOf(pattern, ["rules", index, "match", at, ...path]),
        ),
      ),
    ),
  ];
}

function patternsOf(
  match: Match,
): { readonly pattern: string | undefined; readonly path: readonly string[] }[] {
  if ("tool" in match)
    return [
      { pattern: match.like, path: ["like"] },
      { pattern: match.content, path: ["content"] },
    ];
  const { operand, every, last, word, value, writes, text, notText, statement } = match;
  const parts = { operand, every, last, word, value, writes };
  return [
    { pattern: text, path: ["text"] },
    { pattern: notText, path: ["notText"] },
    { pattern: statement?.like, path: ["statement", "like"] },
    { pattern: statement?.unlike, path: ["statement", "unlike"] },
    ...Object.entries(parts).flatMap(([name, test]) => [
      { pattern: test?.like, path: [name, "like"] },
      { pattern: test?.givenVariable, path: [name, "givenVariable"] },
    ]),
  ];
}

/** Tests each rule against its own examples. A rule that does not do what its user wrote is a fault. */
function faultsOfExamples({ rules }: GuardConfig, { firedOn }: RuleChecks, lineOf: LineOf): GuardFault[] {
  return rules.flatMap(({ id, fires, passes }, index): GuardFault[] => {
    const faultsAt = (name: "fires" | "passes", message: Sentence): GuardFault[] =>
      (name === "fires" ? fires : passes).flatMap((example, at) =>
        firedOn(rules, example).includes(id) === (name === "fires")
          ? []
          : [{ line: lineOf(["rules", index, name, at]), message }],
      );
    return [
      ...faultsAt("fires", sentence("{0} does not fire on this example", id)),
      ...faultsAt("passes", sentence("{0} fires on this example", id)),
    ];
  });
}
