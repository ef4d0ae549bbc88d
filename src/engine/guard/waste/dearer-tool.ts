import { cutEnd } from "../../base/text.ts";
import { type EventNamed, toolCallOf } from "../../hooks/event.ts";
import { isUnknown, type Argument, type Invocation } from "../commands/invocation.ts";
import type { Finding } from "../delivery.ts";
import { memberOf } from "../own-value.ts";
import { absolutePath } from "./file-command.ts";
import { rulesOfWaste } from "./waste-rules.ts";

/** Maximum length of a task that is only one search. Characters. */
const maxSearchLength = 160;
const search = /^(?:please )?(?:run |do )?(?:a )?`?(?:grep|rg|ripgrep|search|glob|find)\b/iu;
const more =
  /\b(?:explain|why|how|summari[sz]e|fix|understand|analy[sz]e|implement|review|decide|compare|describe|report|and|then|all|every|each)\b|[.;?!]\s+\S|\n/iu;

/** Finds a tool that a cheaper one can replace, by its input alone. */
export function dearerTool(event: EventNamed<"PreToolUse">): Finding | null {
  const call = toolCallOf(event);
  if (call.kind === "spawn") {
    const prompt = textIn(event.tool_input, "prompt").trim();
    if (prompt.length > maxSearchLength || !search.test(prompt) || more.test(prompt)) return null;
    return {
      ...named(rulesOfWaste.agentForSearch),
      excerpt: prompt,
      text:
        "a subagent begins with its own instructions and tools, thousands of tokens, and this one is to make a single search. " +
        "Run such a search yourself.",
    };
  }
  if (!/^(?:WebFetch|web_fetch)$/u.test(call.tool)) return null;
  const url = textIn(event.tool_input, "url");
  if (!/^(?:file:\/\/|\/(?!\/)|~\/|[A-Za-z]:\\)/u.test(url)) return null;
  return {
    ...named(rulesOfWaste.fetchOfFile),
    excerpt: url,
    text: "this is a file on this machine, not a web page. Read it with the tool that reads files.",
  };
}

/** A folder that a command searches or lists with everything below it, including dependencies. */
export interface WholeTree {
  readonly folder: string;
  /** For people. */
  readonly command: string;
  readonly isSearch: boolean;
}

/** Returns the folders that a command line searches or lists whole, with its output shown whole. */
export function wholeTrees(invocations: readonly Invocation[]): WholeTree[] {
  return invocations.flatMap((invocation) => {
    const { program, args, place, shown, isGuess, folder } = invocation;
    if (isGuess || place !== "here" || shown !== "whole" || folder === null) return [];
    const target = treeOf(program, args);
    const full = target === null ? null : absolutePath(target, folder);
    if (full === null) return [];
    const command = cutEnd([program, ...args.map(({ text }) => text)].join(" "), 200);
    return [{ folder: full, command, isSearch: program.endsWith("grep") }];
  });
}

/** Returns the folder; null if a part may be left out. */
function treeOf(program: string, args: readonly Argument[]): string | null {
  const words = args.map(({ text }) => text);
  if (args.some(({ text, isPattern }) => isPattern || isUnknown(text))) return null;
  const flags = words.filter((word) => word.startsWith("-"));
  const operands = words.filter((word) => !word.startsWith("-"));
  if (/^[ef]?grep$/u.test(program)) {
    const isRecursive = flags.some((flag) => /^-[a-zA-Z]*[rR]|^--(?:dereference-)?recursive$/u.test(flag));
    const isShort = flags.some((flag) =>
      /^--(?!recursive|line-number|ignore-case|color)|^-[a-zA-Z]*[efLlcqmABC]/u.test(flag),
    );
    return isRecursive && !isShort && operands.length <= 2 && operands.length > 0
      ? (operands[1] ?? ".")
      : null;
  }
  if (program === "ls" && flags.some((flag) => /^-[a-zA-Z]*R/u.test(flag)))
    return operands.length <= 1 ? (operands[0] ?? ".") : null;
  const isPlainFind = words.slice(1).join(" ") === "-type f" || words.length === 1;
  return program === "find" && isPlainFind ? (operands[0] ?? ".") : null;
}

export function throughDependencies({ command, isSearch, folder }: WholeTree, dependencies: string): Finding {
  const [first, second] = isSearch
    ? ["searches", "`git grep -n PATTERN`, which searches the project's own files"]
    : ["lists", "`git ls-files`, which lists the project's own files"];
  return {
    ...named(rulesOfWaste.searchWithDependencies),
    about: folder,
    excerpt: command,
    text: `this also ${first} everything in ${dependencies}. Take ${second}.`,
  };
}

function named({ id: rule, family }: { readonly id: string; readonly family: "waste" }) {
  return { rule, family } as const;
}

function textIn(input: unknown, name: string): string {
  const value = memberOf(input, name);
  return typeof value === "string" ? value : "";
}
