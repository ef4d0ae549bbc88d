import { sentence, t } from "../../base/language.ts";
import { aboutDollars, shortNumber, wholeNumber } from "../../base/local-format.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/text.ts";
import type { HandoverDraft } from "../../continuity/continuity-answers.ts";
import {
  askForImprovement,
  findOwnClaude,
  planImprovement,
  type AskedImprovement,
  type ImprovementPlan,
} from "../../continuity/handover.ts";
import type { AskAgent } from "../../rules/distil.ts";
import type { Requester } from "../../jobs/all-requests.ts";
import { canAsk, confirmed } from "../confirm.ts";
import type { CliHost } from "../cli-ports.ts";

/** Asks the user's own agent, after the user saw the price and agreed. Runs here, because its login may belong to this terminal. */
export async function improve(
  { id }: Pick<HandoverDraft, "id">,
  { isPreview, isAgreed }: { readonly isPreview: boolean; readonly isAgreed: boolean },
  service: Requester,
  host: CliHost,
): Promise<Result<unknown>> {
  const read = await service.ask("handoverToImprove", { id });
  if (!read.ok) return read;
  const { model } = read.value;
  if (model === null)
    return fail(
      "off",
      sentence(
        "no model is set to summarize handovers; set one, such as claude-haiku-4-5, as continuityImproveWith in ~/.purser/settings.json",
      ),
    );
  const input = { ...read.value, model };
  const plan = planImprovement(input);
  if (isPreview) {
    host.stdout.write(`${plan.prompt}\n`);
    return succeed(null);
  }
  const program = await findOwnClaude({ env: host.env, platform: process.platform });
  if (!program.ok) return program;
  host.stdout.write(planText(plan));
  if (!isAgreed) {
    if (!canAsk(host))
      return fail("not_asked", sentence("no terminal to ask in; --yes spends it without asking"));
    if (!(await confirmed(t("Ask {0} once?", cleanText(model)), host)))
      return fail("not_agreed", sentence("declined; nothing was spent"));
  }
  const reply = await askForImprovement(input, await ownClaude(program.value, host), host.signal);
  if (!reply.ok) return reply;
  const { section } = reply.value;
  const written = await service.ask("handoverImprove", { id, section });
  // The answer is paid for: where the file cannot be written, it is printed.
  host.stdout.write(
    written.ok ? doneText(reply.value) : `${section.split("\n").map(cleanText).join("\n")}\n`,
  );
  return written;
}

async function ownClaude(program: string, host: CliHost): Promise<AskAgent> {
  const { benchParts } = await import("../bench-parts.ts");
  const askClaude = await benchParts.askClaude();
  const { env, home: userHome, now, scratch } = host;
  return (question, signal) =>
    askClaude(question, { program, env, userHome, clock: { now }, scratch }, signal);
}

function planText({ model, input, output, usd }: ImprovementPlan): string {
  const price = usd === null ? t("price unknown") : t("at most {0}", aboutDollars(usd));
  return `${t("One call of {0} summarizes it: about {1} input and at most {2} output tokens, {3}. Only the document is sent.", cleanText(model), shortNumber(input), wholeNumber(output), price)}\n`;
}

function doneText({ model, tokens, usd, unknown }: AskedImprovement): string {
  const price = usd === null ? "" : `, ${aboutDollars(usd)}`;
  const done = t(
    '{0} was called once: {1} tokens{2}. Its summary, "In short", is at the top of the document; delete it if it does not help.',
    cleanText(model),
    wholeNumber(tokens),
    price,
  );
  const doubt =
    unknown.length === 0
      ? []
      : [t("It mentions what the rest of the document does not: {0}.", unknown.map(cleanText).join(", "))];
  return [done, ...doubt, ""].join("\n");
}
