import { plainSentence, sentence, t } from "../../base/language.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { wholeNumber } from "../../base/local-format.ts";
import { cleanText } from "../../base/text.ts";
import { readDistilAnswer, distilModel, distilRole, sourceOfAnswer } from "../../rules/distil.ts";
import { ownSession } from "../../transcripts/agents.ts";
import type { Requester } from "../../jobs/all-requests.ts";
import type { Distilled, Proposed } from "../../rules/rules-answers.ts";
import { cacheCreation } from "../../usage/token-counts.ts";
import { type ParsedOptions, wrongUsage } from "../args.ts";
import type { CliHost } from "../cli-ports.ts";
import { asLine } from "../terminal-text.ts";

/** An agent's name for its own session where it does not know the id. */
const current = "current";

interface Invocation {
  readonly options: ParsedOptions;
  readonly host: CliHost;
}

/** With `--ask`, the user's own agent looks at the run too, once. */
export async function distil({ options, host }: Invocation, service: Requester): Promise<Result<number>> {
  const isAsking = options.has("ask");
  const isPreview = options.has("preview");
  if (isAsking && isPreview) return wrongUsage(sentence("--preview and --ask cannot be combined"));
  const given = options.value("session") ?? null;
  const sessionId = given === current ? (ownSession(host.env)?.id ?? null) : given;
  if (given !== null && sessionId === null)
    return fail("no_such_session", sentence("no agent says which session runs this command"));
  const answer = await service.ask("rulesDistil", { sessionId, isPreview }, host.signal);
  if (!answer.ok) return answer;
  const { run, findings, missing, proposed } = answer.value;
  if (run === null) {
    host.stdout.write(
      `${t("No run was more expensive than 75% of its agent's earlier runs (at least 5 are needed).")}\n`,
    );
    return succeed(0);
  }
  const lines = [
    t(
      "Session {0}, {1}: {2} new tokens",
      cleanText(run.sessionId),
      cleanText(run.agent),
      wholeNumber(run.tokens),
    ),
  ];
  for (const { what, turns } of findings)
    lines.push(
      asLine(what),
      ...turns.map((turn) => `  ${t("line {0}: {1}", turn.line, cleanText(turn.what))}`),
    );
  if (missing.length > 0)
    lines.push(t("No rule can be proposed from it:"), ...missing.map((each) => `  ${asLine(each.words)}`));
  if (findings.length === 0) lines.push(t("Its transcript shows nothing it could have saved."));
  host.stdout.write(`${[...lines, ...proposed.map(proposedLine)].join("\n")}\n`);
  const { preview } = answer.value;
  if (preview !== null) host.stdout.write(`\n${preview.split("\n").map(cleanText).join("\n")}\n`);
  if (isAsking && missing.length > 0)
    return fail(
      "missing",
      sentence("no model was called, because no rule could come of it: see above what is missing"),
    );
  return isAsking ? await askModel({ options, host }, service, { ...answer.value, run }) : succeed(0);
}

/** Asks only once: an invalid answer is dropped. */
async function askModel(
  { options, host }: Invocation,
  service: Requester,
  { run, findings }: Distilled & { readonly run: NonNullable<Distilled["run"]> },
): Promise<Result<number>> {
  const shown = await service.ask("rulesDistil", { sessionId: run.sessionId, isPreview: true }, host.signal);
  if (!shown.ok) return shown;
  const prompt = shown.value.preview;
  if (prompt === null) return fail("gone", sentence("the run is gone"));
  const { benchParts } = await import("../bench-parts.ts");
  const askClaude = await benchParts.askClaude();
  const model = options.value("model") ?? distilModel;
  const program = host.env["PURSER_CLAUDE"] ?? "claude";
  const context = {
    program,
    env: host.env,
    userHome: host.home,
    clock: { now: host.now },
    scratch: host.scratch,
  };
  const answer = await askClaude({ prompt, role: distilRole, model }, context, host.signal);
  if (!answer.ok) return answer;
  const { usage } = answer.value;
  host.stderr.write(
    `${t("{0} was called once: {1} new tokens", cleanText(model), wholeNumber(usage.input + usage.output + cacheCreation(usage)))}\n`,
  );
  const read = readDistilAnswer(answer.value.text);
  if (!read.ok) return fail(read.reason, sentence("{0}; it is not called again", read.detail));
  for (const { detail } of read.value.refused) host.stdout.write(`${t("Refused: {0}", asLine(detail))}\n`);
  if (read.value.rules.length === 0) {
    host.stdout.write(`${t("It proposes nothing.")}\n`);
    return succeed(0);
  }
  const [found] = findings;
  const source = sourceOfAnswer({ ...run, turns: found?.turns ?? [] }, model);
  const made = await service.ask("rulesPropose", {
    agent: run.agent,
    origin: "model",
    rules: read.value.rules.map((text) => ({ text, source })),
  });
  if (!made.ok) return made;
  host.stdout.write(`${made.value.proposed.map(proposedLine).join("\n")}\n`);
  return succeed(0);
}

function proposedLine({ id, text, refused }: Proposed): string {
  return id === null
    ? t("Not proposed: {0} ({1})", cleanText(text), asLine(refused ?? plainSentence("")))
    : `${id}: ${cleanText(text)}`;
}
