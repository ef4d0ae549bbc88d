import { type Sentence, joinSentences, sentence, t } from "../../../base/language.ts";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { nodeFiles } from "../../../base/files.ts";
import { fail, succeed } from "../../../base/result.ts";
import { cleanText, printedJson } from "../../../base/text.ts";
import { installAgents, planAgents, removeAgents, type PlannedAgent } from "./install-agents.ts";
import { claudeRoots } from "../../../transcripts/claude.ts";
import { type ParsedOptions, wrongUsage } from "../../args.ts";
import type { CliHost } from "../../cli-ports.ts";
import { nothingDone, type GoldenAnswer } from "./golden-actions.ts";
import { goldenSuite } from "./target.ts";
import { canAsk, confirmed } from "../../confirm.ts";

/** Shows each file, asks, and overwrites nothing. */
export async function install(options: ParsedOptions, host: CliHost): GoldenAnswer {
  const planned = await plan(options, host);
  if (!planned.ok) return planned;
  const { agents, root } = planned.value;
  const wanted = agents.filter(({ kind }) => kind === "new");
  const remaining = agents.flatMap((agent) => whyNot(agent) ?? []);
  const agreed = await agree(wanted, "Write", options, host);
  if (!agreed.ok) return agreed;
  if (!agreed.value) return succeed({ ...nothingDone, remaining });
  const done = await installAgents(wanted, root, { files: nodeFiles, unique: randomUUID });
  const failed = done.filter(({ kind }) => kind === "failed" || kind === "foreign");
  if (failed.length > 0)
    return fail(
      "not_written",
      joinSentences(
        failed.map(({ detail }) => detail),
        "; ",
      ),
    );
  return succeed({ ...nothingDone, remaining, files: done.map(({ file }) => file) });
}

/** Leaves files that were changed later. */
export async function uninstall(options: ParsedOptions, host: CliHost): GoldenAnswer {
  const planned = await plan(options, host);
  if (!planned.ok) return planned;
  const { agents, root } = planned.value;
  const own = agents.filter(({ kind }) => kind === "same");
  const remaining = agents.flatMap((agent) => (agent.kind === "foreign" ? (whyNot(agent) ?? []) : []));
  const agreed = await agree(own, "Remove", options, host);
  if (!agreed.ok) return agreed;
  if (!agreed.value) return succeed({ ...nothingDone, remaining });
  const left = await removeAgents(own, root, nodeFiles);
  const files = own.map(({ file }) => file).filter((file) => !left.includes(file));
  return succeed({ ...nothingDone, remaining: [...remaining, ...left.map(changed)], files });
}

async function plan(options: ParsedOptions, host: CliHost) {
  const suite = await goldenSuite(options, host);
  if (!suite.ok) return suite;
  const name = options.value("agent");
  const agents = suite.value.agents.filter((agent) => name === undefined || agent.name === name);
  if (agents.length === 0) {
    const known = suite.value.agents.map((agent) => agent.name).join(", ");
    return wrongUsage(sentence("there is no agent {0}; one of {1}", printedJson(name ?? ""), known));
  }
  const root = claudeRoots(host)[0] ?? path.join(host.home, ".claude");
  return succeed({ root, agents: await planAgents(agents, root, nodeFiles) });
}

/** False if there is nothing to do, or only a preview is requested. */
async function agree(
  agents: readonly PlannedAgent[],
  act: "Write" | "Remove",
  options: ParsedOptions,
  host: CliHost,
) {
  const isShown = !options.has("json");
  if (isShown) for (const agent of agents) host.stdout.write(inLines(agent, act));
  if (agents.length === 0 || options.has("dry-run")) return succeed(false);
  if (options.has("yes")) return succeed(true);
  if (!isShown || !canAsk(host))
    return fail(
      "not_asked",
      sentence("no terminal to ask in; --yes does it without asking, --dry-run shows it"),
    );
  const what = agents.map(({ file }) => cleanText(file)).join(", ");
  if (await confirmed(act === "Write" ? t("Write {0}?", what) : t("Remove {0}?", what), host))
    return succeed(true);
  return fail("not_agreed", sentence("nothing was changed"));
}

/** Formats a file like `diff -u`: all of it is new, or all of it is removed. */
function inLines({ file, definition }: PlannedAgent, act: "Write" | "Remove"): string {
  const [none, there] = [t("(no file)"), cleanText(file)];
  const [before, after, mark] = act === "Write" ? [none, there, "+"] : [there, none, "-"];
  const lines = definition.replace(/\n$/u, "").split("\n");
  const shown = lines.map((line) => `${mark}${/^[ \t]*/u.exec(line)?.[0] ?? ""}${cleanText(line)}`);
  return [`--- ${before}`, `+++ ${after}`, ...shown, ""].join("\n");
}

function whyNot({ file, kind }: PlannedAgent): Sentence | null {
  switch (kind) {
    case "new":
      return null;
    case "same":
      return sentence("{0} already exists", file);
    case "foreign":
      return changed(file);
    case "failed":
      return sentence("{0} cannot be read", file);
  }
}

function changed(file: string): Sentence {
  return sentence("{0} was changed, so it was left as it is", file);
}
