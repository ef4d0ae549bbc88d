import type { Place, Shown } from "../commands/invocation.ts";
import type { GuardFamily } from "../../settings/guard.ts";

/** Deeds of a rule about a call, by increasing strength. Only the user sets `deny`. */
export const ruleActions = ["advise", "ask", "deny"] as const;
export type RuleAction = (typeof ruleActions)[number];

/** A guard rule on single calls of tools. Rules are data: everything that they test is said here. */
export interface GuardRule {
  /** Kebab-case, unique. */
  readonly id: string;
  readonly family: GuardFamily;
  /** Default: `ask` in the families safety and secrets, otherwise `advise`. */
  readonly action?: RuleAction | undefined;
  /** The rule fires where one of these matches. */
  readonly match: readonly Match[];
  /** The effect of the call: a sentence without the command. */
  readonly message: string;
  /** The safer way: a sentence in the imperative. */
  readonly remedy: string;
  /** Calls on which the rule fires; see `example.ts` for how they are written. */
  readonly fires: readonly string[];
  /** Similar calls on which no rule of this id may fire. */
  readonly passes: readonly string[];
}

export type Match = CommandMatch | FileMatch;

/** Alternatives are separated by `|`, without blanks. Everything that is given must match. */
export interface CommandMatch {
  /** Programs without folder and extension, in lower case; `*` is any. */
  readonly program: string;
  /** The words that the operands begin with, in order: `push`, or `remote remove`. Alternatives by `|`. */
  readonly words?: string | undefined;
  /** Options, of which each entry needs one: `["-r|-R|--recursive", "-f|--force"]`. */
  readonly flags?: readonly string[] | undefined;
  /** Options of which none may be there. */
  readonly without?: string | undefined;
  /** One operand after `words` matches all of this. */
  readonly operand?: ArgumentTest | undefined;
  /** Every operand after `words` matches all of this; none there is no match. */
  readonly every?: ArgumentTest | undefined;
  /** The last operand matches all of this, such as the target of `cp`. */
  readonly last?: ArgumentTest | undefined;
  /** One word matches, whether it is an operand, an option or an option's value. */
  readonly word?: ArgumentTest | undefined;
  /** The value of an option matches. */
  readonly value?: (ArgumentTest & { readonly of: string }) | undefined;
  /** Number of operands after `words`, at least and at most. */
  readonly count?: readonly [number, number] | undefined;
  /** It writes to a file by redirection that matches; `>>` counts unless `truncates`. */
  readonly writes?: (ArgumentTest & { readonly truncates?: true | undefined }) | undefined;
  /** It reads the output of one of these programs as its input. */
  readonly from?: string | undefined;
  /** It runs the output of one of these programs, as a script or as a command's name. */
  readonly runs?: string | undefined;
  /** Its input is such a file, or what a program prints of it. Kinds of paths by `|`. */
  readonly fromFile?: string | undefined;
  /** It is run through one of these wrappers. */
  readonly via?: string | undefined;
  /** It is run through none of these wrappers. */
  readonly notVia?: string | undefined;
  /** Its output is seen by the caller: `whole`, or at least a `part`, which piping and redirecting may prevent. */
  readonly shown?: Exclude<Shown, "none"> | undefined;
  /** Where it runs; anywhere unless given. */
  readonly place?: Place | undefined;
  /** Kinds of paths by `|`, of which the folder where it works may be none. */
  readonly notFolder?: string | undefined;
  /** The machine where it may not run. */
  readonly notPlace?: Place | undefined;
  /** Linear regular expression, found in its words joined by blanks, or in its input: `i` is not needed, case never counts. */
  readonly text?: string | undefined;
  /** Texts by `|`, of which its words or its input hold one: tested before `text`, as that is quick. Case counts. */
  readonly holds?: string | undefined;
  /** Likewise, but nothing may be found. */
  readonly notText?: string | undefined;
  /** Neither its environment nor its words say that it works on a database made for tests. */
  readonly notTesting?: true | undefined;
  /** One statement of SQL that it is given as a word, an option's value or input matches. */
  readonly statement?: StatementTest | undefined;
}

/** Linear regular expressions on a statement without its comments, with its texts emptied, and with single blanks. */
export interface StatementTest {
  /** Matches from the beginning. */
  readonly like: string;
  /** Is not found. */
  readonly unlike?: string | undefined;
}

export interface ArgumentTest {
  /** Kinds of paths by `|`. */
  readonly path?: string | undefined;
  /** Linear regular expression for the whole argument; case counts. A group named `path` in it is the path that is tested. */
  readonly like?: string | undefined;
  /** Kinds of paths by `|` that it may not be. */
  readonly notPath?: string | undefined;
  /** It is what one of these programs prints, by a substitution. */
  readonly from?: string | undefined;
  /** Programs by `|`, of which it contains the output, by a substitution. */
  readonly given?: string | undefined;
  /** Kinds of paths by `|`: it contains what a program prints of such a file. */
  readonly givenFile?: string | undefined;
  /** Linear regular expression for the whole name of a variable that it contains. */
  readonly givenVariable?: string | undefined;
}

/** Matches tools that read or change a file by its path. */
export interface FileMatch {
  readonly tool: "read" | "edit" | "read|edit";
  readonly path?: string | undefined;
  /** Linear regular expression for the whole path, with forward slashes; case counts. */
  readonly like?: string | undefined;
  /** Linear regular expression, found in the text that is written; case counts unless it begins with `(?i)`. */
  readonly content?: string | undefined;
  /** Texts by `|`, of which the text that is written holds one: tested first, as that is quick. */
  readonly holds?: string | undefined;
  readonly notPath?: string | undefined;
}

export function actionOf({ action, family }: Pick<GuardRule, "action" | "family">): RuleAction {
  return action ?? (family === "safety" || family === "secrets" ? "ask" : "advise");
}
