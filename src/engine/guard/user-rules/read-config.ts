import { faultText, tooLong } from "./fault-text.ts";
import { sentence, type Sentence } from "../../base/language.ts";
import { parseYaml } from "../../base/parse.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { ruleActions, type RuleAction } from "../calls/rule-action.ts";
import type { GuardRule, Match } from "../calls/rule.ts";
import { guardFile } from "./file-schema.ts";
import { schemaFaults } from "./schema-faults.ts";
import { emptyConfig, type GuardConfig, type GuardFault } from "./config.ts";

/** More characters than anybody writes by hand. */
const longestFile = { user: 500_000, project: 100_000 };

/** Functions of the rules' own bundle, which the reader is not part of. */
export interface RuleChecks {
  /** The user's own file, or one of a project, which may only be stricter. */
  readonly scope: "user" | "project";
  /** What the rules on single calls that come with purser do, by their ids. */
  readonly known: ReadonlyMap<string, RuleAction>;
  /** Ids of the rules that are code: they only advise. */
  readonly coded: ReadonlySet<string>;
  /** Returns why a text is no linear regular expression; null if it is one. */
  readonly whyNoPattern: (pattern: string) => Sentence | null;
  /** Returns the ids of those of the rules that fire on an example. */
  readonly firedOn: (rules: readonly GuardRule[], example: string) => readonly string[];
}

type Read = Result<GuardConfig, "bad_guard_file"> & { readonly faults?: readonly GuardFault[] };

/**
 * Reads the text of a `guard.yaml`. Every fault has its line; a file with one is not used at all, so that a rule is never half what was
 * meant.
 */
export function readConfig(text: string, checks: RuleChecks): Read {
  if (text.trim() === "") return succeed(emptyConfig);
  const longest = longestFile[checks.scope];
  if (text.length > longest) return failed([{ line: 1, message: tooLong(text.length, longest) }]);
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
  const unknown = (id: string): Sentence =>
    sentence("there is no rule {0}; purser guard list tells them", id);
  return [
    ...Object.entries(set).flatMap(([id, deed]): GuardFault[] => {
      const line = lineOf(["set", id]);
      if (isImported(id)) return [];
      if (!builtIn.has(id)) return [{ line, message: unknown(id), wrong: { word: id, instead: [] } }];
      if (!coded.has(id) || deed === "off" || deed === "advise") return [];
      const message = sentence("{0} looks at more than one call: it can be off or advise, not {1}", id, deed);
      return [{ line, message, wrong: { word: deed, instead: ["advise", "off"] } }];
    }),
    ...exceptions.flatMap(({ rule, folder }, index) =>
      // A rule may be one of the project in that folder.
      all.has(rule) || folder !== undefined || isImported(rule)
        ? []
        : [
            {
              line: lineOf(["exceptions", index, "rule"]),
              message: unknown(rule),
              wrong: { word: rule, instead: [] },
            },
          ],
    ),
    ...own.flatMap((id, index) =>
      builtIn.has(id) || own.indexOf(id) !== index
        ? [{ line: lineOf(["rules", index, "id"]), message: sentence("there is another rule {0}", id) }]
        : isImported(id)
          ? [
              {
                line: lineOf(["rules", index, "id"]),
                message: sentence("{0}: only imported rules begin so", id),
              },
            ]
          : [],
    ),
  ];
}

/** Rules that are imported are not known here: they are in projects. */
const isImported = (id: string): boolean => id.startsWith("hookify-");

/** More rules, or ways in which one fires, would take longer than an agent can be kept waiting. */
const [mostProjectRules, mostProjectMatches] = [100, 300];

/** Returns what a project's file says that only its user may say. */
function laxities(
  { set, exceptions, rules }: GuardConfig,
  { known }: RuleChecks,
  lineOf: LineOf,
): GuardFault[] {
  const matches = rules.reduce((sum, { match }) => sum + match.length, 0);
  return [
    ...Object.entries(set).flatMap(([id, wanted]): GuardFault[] => {
      const line = lineOf(["set", id]);
      const usual = known.get(id);
      const wrong = { word: wanted, instead: usual === undefined ? [] : ["ask"] };
      if (wanted === "off")
        return [
          {
            line,
            message: sentence("a project cannot turn {0} off; only your own guard.yaml can do that", id),
            wrong,
          },
        ];
      if (wanted === "deny")
        return [
          {
            line,
            message: sentence(
              "a project cannot deny ({0}): write ask; only your own guard.yaml can do that",
              id,
            ),
            wrong,
          },
        ];
      return usual !== undefined && ruleActions.indexOf(wanted) < ruleActions.indexOf(usual)
        ? [
            {
              line,
              message: sentence(
                "a project cannot make {0} laxer than {1}; only your own guard.yaml can do that",
                id,
                usual,
              ),
              wrong,
            },
          ]
        : [];
    }),
    ...exceptions.map(({ rule }, index) => ({
      line: lineOf(["exceptions", index]),
      message: sentence("a project cannot except calls from {0}; only your own guard.yaml can do that", rule),
    })),
    ...rules.flatMap(({ id, action }, index) =>
      action === "deny"
        ? [
            {
              line: lineOf(["rules", index, "action"]),
              message: sentence(
                "a project's rule cannot deny ({0}): write ask, which denies where nobody can be asked",
                id,
              ),
              wrong: { word: "deny", instead: ["ask"] },
            },
          ]
        : [],
    ),
    ...(rules.length > mostProjectRules || matches > mostProjectMatches
      ? [
          {
            line: lineOf(["rules"]),
            message: sentence(
              "a project can have {0} rules with {1} matches; these are {2} with {3}",
              mostProjectRules,
              mostProjectMatches,
              rules.length,
              matches,
            ),
          },
        ]
      : []),
  ];
}

function faultsOfPatterns(
  { exceptions, rules }: GuardConfig,
  { whyNoPattern }: RuleChecks,
  lineOf: LineOf,
): GuardFault[] {
  const faultOf = (pattern: string | undefined, path: readonly PropertyKey[]): GuardFault[] => {
    const why = pattern === undefined ? null : whyNoPattern(pattern);
    return why === null
      ? []
      : [
          {
            line: lineOf(path),
            message: sentence("{where} is no linear regular expression: {why}", {
              where: path.map(String).join("."),
              why: why,
            }),
          },
        ];
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

/** Tests each rule against its own examples: a rule that does not do what its user wrote is a fault. */
function faultsOfExamples({ rules }: GuardConfig, { firedOn }: RuleChecks, lineOf: LineOf): GuardFault[] {
  return rules.flatMap(({ id, fires, passes }, index): GuardFault[] => [
    ...fires.flatMap((example, at) =>
      firedOn(rules, example).includes(id)
        ? []
        : [
            {
              line: lineOf(["rules", index, "fires", at]),
              message: sentence("{0} does not fire on this example", id),
            },
          ],
    ),
    ...passes.flatMap((example, at) =>
      firedOn(rules, example).includes(id)
        ? [
            {
              line: lineOf(["rules", index, "passes", at]),
              message: sentence("{0} fires on this example", id),
            },
          ]
        : [],
    ),
  ]);
}
