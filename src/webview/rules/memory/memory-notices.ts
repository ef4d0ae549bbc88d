import { inWords, t } from "../../../engine/base/language.ts";
import { html, nothing, type TemplateResult } from "lit";
import type { RuleView } from "../../../engine/rules/answers.ts";
import { outside, outsidePath } from "../../components/outside.ts";
import { banner, notice } from "../../components/states.ts";
import { filled } from "../../components/text/sentences.ts";
import type { RenderContext } from "../page-model.ts";

const [maxPathLength, maxRuleLength] = [90, 400]; // characters

/** Warns about an agent that does not read its compiled rules, and what to do. */
export function unreached({ model, actions }: RenderContext, agent: string): TemplateResult | typeof nothing {
  const why = model.unreached.find((each) => each.agent === agent);
  if (why === undefined) return nothing;
  const edit = {
    label: t("Add {0}…", "memory: user"),
    run: () => actions.post({ type: "addMemory", agent }),
  };
  return banner(
    `${t("No rule reaches this agent.")} ${inWords(why.words)}`,
    why.kind === "no-memory" ? edit : null,
  );
}

/** Shows which line goes into which file, before a rule is let in. */
export function whatLettingInWrites(
  { model }: RenderContext,
  rule: RuleView,
): TemplateResult | typeof nothing {
  if (rule.status !== "measured") return nothing;
  const memory = model.view?.memories.find(({ agent }) => agent === rule.agent);
  if (memory === undefined) return nothing;
  const text = rule.scope === null ? rule.sentence : `(when ${rule.scope}) ${rule.sentence}`;
  const file = outsidePath(memory.file, memory.file, maxPathLength);
  const line = html`<code>- ${outside(text, maxRuleLength)}</code>`;
  const isTheirs = memory.state === "foreign" || memory.state === "edited";
  return notice(
    isTheirs
      ? html`${filled(
          t(
            "{0} was changed outside purser, and stays as it is until you decide on its page. Letting this rule in would write this line: {1}",
          ),
          file,
          line,
        )}`
      : html`${filled(t("Letting it in writes this line into {0}: {1}"), file, line)}`,
  );
}
