import { sentence, t } from "../../base/language.ts";
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
  const context = shellContext(host, options.value("cwd"));
  const file = options.value("file");
  const input = file === undefined ? host.stdin?.() : createReadStream(path.resolve(host.cwd, file));
  if (input === undefined)
    return fail(
      "no_input",
      sentence("no commands given; use --file FILE, or standard input with one command per line"),
    );
  const style = styleFor(host);
  const rules = guardRules(host);
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (host.signal.aborted) return fail("cancelled", sentence("interrupted"));
      if (line.trim() === "") continue;
      // As for an agent's call: the time limit for scripts is per call.
      const readScript = scriptTextReader(() => performance.now());
      const judged = judgedLine(
        line,
        await rules.judge(readExample(line), { ...context, readScript, namesIn: namesInFolder }),
      );
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
