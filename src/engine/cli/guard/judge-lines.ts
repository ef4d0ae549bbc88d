import { sentence, t, translated } from "../../base/language.ts";
import { createReadStream } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { cleanText, printedJson } from "../../base/text.ts";
import { ruleActions, actionOf, type Hit, readExample } from "../../guard/guard-rules.ts";
import type { ParsedOptions } from "../args.ts";
import type { CliHost } from "../cli-ports.ts";
import { namesInFolder, scriptTextReader } from "../../guard/guard-files.ts";
import { guardRules, shellContext } from "./guard-access.ts";
import type { GuardTestJson } from "./guard-schema.ts";
import { styleFor, type Style } from "../style.ts";

/** Prints which rules fire on each line, and what they would do if all families were on. Runs nothing. */
export async function judgeLines(options: ParsedOptions, host: CliHost): Promise<Result<number>> {
  const file = options.value("file");
  const input = file === undefined ? host.stdin?.() : createReadStream(path.resolve(host.cwd, file));
  if (input === undefined)
    return fail(
      "no_input",
      sentence("no commands given; use --file FILE, or standard input with one command per line"),
    );
  const style = styleFor(host);
  const judge = judgeOf(host, options.value("cwd"));
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (host.signal.aborted) return fail("cancelled", sentence("interrupted"));
      if (line.trim() === "") continue;
      const judged = judgedLine(line, await judge(line));
      host.stdout.write(
        options.has("json") ? `${printedJson(judged)}\n` : `${describeLine(judged, style)}\n`,
      );
    }
  } catch (error) {
    return fail(
      "unreadable",
      sentence("{0} cannot be read ({1})", file ?? t("standard input"), errorCode(error)),
    );
  }
  return succeed(0);
}

/** Describes each rule that fires on a call: its id, what it does, the reason and the remedy. */
export async function describeHits(call: string, host: CliHost): Promise<string[]> {
  const hits = await judgeOf(host)(call);
  return hits.map(
    ({ rule }) => `${rule.id} (${actionOf(rule)}): ${translated(rule.message)} ${translated(rule.remedy)}`,
  );
}

/** Judges by all rules, whatever the modes of their families. */
function judgeOf(host: CliHost, cwd?: string): (call: string) => Promise<readonly Hit[]> {
  const context = shellContext(host, cwd);
  const rules = guardRules(host);
  return async (call) => {
    // As for an agent's call: the time limit for scripts is per call.
    const readScript = scriptTextReader(() => performance.now());
    return await rules.judge(readExample(call), { ...context, readScript, namesIn: namesInFolder });
  };
}

function judgedLine(line: string, hits: readonly Hit[]): GuardTestJson {
  const actions = hits.map(({ rule }) => actionOf(rule));
  const action = ruleActions.findLast((each) => actions.includes(each)) ?? "none";
  return { command: line, action, rules: hits.map(({ rule }) => rule.id) };
}

function describeLine({ command, action, rules }: GuardTestJson, style: Style): string {
  const shown = action === "ask" || action === "deny" ? style.warning(action) : action;
  const space = " ".repeat(Math.max(0, 7 - action.length));
  const why = rules.length === 0 ? "" : `  ${style.dim(rules.join(" "))}`;
  return `${shown}${space}${cleanText(command)}${why}`;
}
