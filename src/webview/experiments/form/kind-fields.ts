import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../../engine/base/language.ts";
import { outsideText } from "../../components/outside.ts";
import { driverOption } from "../describe-jobs.ts";
import { numberField, selectField, textField } from "./fields.ts";
import { knownModels, withAgents } from "./form.ts";
import { changeField, subjectField, type FormPart } from "./what-changes.ts";

const [maxRuns, maxRounds, leastCap] = [100, 100, 1000];
/** Default for the most rounds, the same as the service's. */
const usualRounds = 12;
/** Characters, as in the service's schema. */
const maxModelLength = 200;
const maxNameLength = 60;

/** The fields that a kind of experiment needs. */
export function fields(part: FormPart): TemplateResult {
  const { form } = part;
  switch (form.kind) {
    case "benchmark":
      return html`${suiteField(part)} ${agentField(part)} ${driverField(part)} ${modelField(part)}
      ${runsField(part)} ${capField(part)}`;
    case "comparison":
      return html`${subjectField(part)} ${changeField(part)} ${suiteField(part)} ${agentField(part)}
      ${driverField(part)} ${modelField(part)} ${roundsField(part)} ${capField(part)}`;
    case "rules":
      return ruleAgentField(part);
    case "trial":
      return html`${ruleAgentField(part)} ${guardTrialLink(part)}`;
    case "prompt":
      return html`${suiteField(part)} ${agentField(part)}`;
  }
}

function guardTrialLink({ context }: FormPart): TemplateResult {
  return html`<p>
    ${t("Guards can be tried as well, on the sessions of all agents.")}
    <button
      type="button"
      class="link"
      @click=${() => context.actions.ask({ type: "openRules", page: "guards", agent: null })}
    >
      ${t("Try Guards…")}
    </button>
  </p>`;
}

function ruleAgentField({ context, offers, form }: FormPart): TemplateResult {
  const { ruleAgents } = offers;
  if (ruleAgents.length === 0)
    return html`<p>
      ${t("No agent has rules yet.")}
      <button
        type="button"
        class="link"
        @click=${() => context.actions.ask({ type: "openRules", page: "rules", agent: null })}
      >
        ${t("Open Rules")}
      </button>
    </p>`;
  const labels = ruleAgents.map((name) => outsideText(name, maxNameLength));
  return selectField(t("Agent"), labels, ruleAgents.indexOf(form.ruleAgent ?? ""), (index) =>
    context.actions.fill({ ...form, ruleAgent: ruleAgents[index] ?? null }),
  );
}

function suiteField({ context, offers, form }: FormPart): TemplateResult | typeof nothing {
  const { suites } = offers.choices;
  if (suites.length < 2) return nothing;
  const names = suites.map(({ suite }) =>
    suite.origin === "built-in"
      ? t("Purser's own")
      : t("This workspace: {0}", outsideText(suite.folder, maxNameLength)),
  );
  const chosen = suites.findIndex(({ suite }) => suite.origin === form.suite.origin);
  return selectField(t("Suite"), names, chosen, (index) => {
    const offer = suites[index];
    const first = offer?.agents[0]?.name;
    if (offer === undefined || first === undefined) return;
    context.actions.fill(withAgents({ ...form, suite: offer.suite }, [first], offers.prompts));
  });
}

function agentField({ context, offers, form, offer }: FormPart): TemplateResult {
  const names = offer.agents.map(({ name }) => name);
  const canBeMany = form.kind === "benchmark" && names.length > 1;
  const isAll = canBeMany && form.agents.length > 1;
  const labels = [...names.map((name) => outsideText(name, maxNameLength)), ...(canBeMany ? [t("All")] : [])];
  const chosen = isAll ? names.length : names.indexOf(form.agents[0] ?? "");
  return selectField(t("Agent"), labels, chosen, (index) => {
    const name = names[index];
    context.actions.fill(withAgents(form, name === undefined ? names : [name], offers.prompts));
  });
}

function driverField({ context, offers, form }: FormPart): TemplateResult {
  const { drivers } = offers.choices;
  const labels = drivers.map((driver) => outsideText(driverOption(driver), 80));
  const chosen = drivers.findIndex(({ name }) => name === form.driver);
  const isOff = (index: number) => drivers[index]?.isReady !== true;
  const choose = (index: number) => {
    const driver = drivers[index]?.name;
    if (driver !== undefined) context.actions.fill({ ...form, driver });
  };
  return selectField(t("Run with"), labels, chosen, choose, isOff);
}

function modelField({ context, form, offer }: FormPart): TemplateResult | typeof nothing {
  if (form.driver === "replay") return nothing;
  const own = offer.agents.find(({ name }) => name === form.agents[0])?.model ?? null;
  const isCompared = form.kind === "comparison";
  return textField({
    id: "model",
    label: !isCompared
      ? t("Model")
      : form.subject === "model"
        ? t("Compared with")
        : t("Model of both sides"),
    value: form.model ?? "",
    placeholder: own === null ? t("the agent's usual") : t("{0}, the agent's own", outsideText(own, 40)),
    most: maxModelLength,
    known: form.driver === "claude" ? knownModels : [],
    enter: (text) => {
      context.actions.fill({ ...form, model: text === "" ? null : text });
      return text;
    },
  });
}

function runsField({ context, form }: FormPart): TemplateResult {
  return numberField({
    label: t("Runs of each task"),
    value: form.runs,
    least: 1,
    most: maxRuns,
    enter: (runs) => {
      if (runs !== null) context.actions.fill({ ...form, runs });
    },
  });
}

function roundsField({ context, form }: FormPart): TemplateResult {
  return numberField({
    label: t("Rounds at most"),
    value: form.rounds ?? usualRounds,
    least: 1,
    most: maxRounds,
    title: t("Each round runs every task once on both sides"),
    enter: (rounds) => {
      if (rounds !== null) context.actions.fill({ ...form, rounds });
    },
  });
}

function capField({ context, form }: FormPart): TemplateResult | typeof nothing {
  if (form.driver === "replay") return nothing;
  return numberField({
    label: t("Limit (new tokens)"),
    value: form.tokenCap,
    placeholder: t("none"),
    least: leastCap,
    step: 1000,
    title: t("No run is started that is expected to exceed it"),
    enter: (tokenCap) => context.actions.fill({ ...form, tokenCap }),
  });
}
