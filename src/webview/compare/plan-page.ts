import { html, nothing, type TemplateResult } from "lit";
import { inWords, t } from "../../engine/base/language.ts";
import { maxOthers, type CompareAsk } from "../../engine/jobs/compare-answers.ts";
import { powerSection } from "../bench/chances.ts";
import { planFacts } from "../bench/plan-form.ts";
import { installNotice } from "../bench/main-action.ts";
import { driverName, replayNotice, startLabel } from "../bench/describe-bench.ts";
import { icon } from "../components/icon.ts";
import { outside } from "../components/outside.ts";
import "../components/section.ts";
import { banner, notice, skeleton, stateView, factList } from "../components/states.ts";
import { type RenderContext, isSameAsk } from "./compare-model.ts";
import { backTo } from "./compare-home-page.ts";
import { askTitle, changeFact, changesWarning, notes } from "./describe-compare.ts";

/** Default for the most rounds, the same as the service's. */
const usualRounds = 12;
const [maxRounds, leastCap] = [100, 1000];
/** Characters, as in the service's schema. */
const maxModelLength = 200;

/** The form to plan a comparison. Nothing can be started before its price is on the button. */
export function planPage(context: RenderContext): TemplateResult {
  const { model, actions } = context;
  const { ask } = model.kept;
  if (ask === null)
    return stateView({
      icon: "compare",
      heading: t("There is nothing to plan yet"),
      text: t("Choose what to compare: a model, a prompt, an effort, or a file of the project."),
      actions: [{ label: t("New Comparison…"), run: () => actions.pick() }],
    });
  const { plan } = model;
  const isCurrent = plan !== null && isSameAsk(plan.ask, ask);
  const known = plan?.plan ?? null;
  const problem = isCurrent ? plan.problem : null;
  const unready = isCurrent ? (known?.unready ?? null) : null;
  const isPriced = !model.isBusy && isCurrent && known !== null;
  const isReady = isPriced && unready === null;
  const replay = replayNotice(ask.driver, known?.recordedBy ?? ["script"]);
  const warning = changesWarning(ask);
  return html`<header class="title">
      <div>
        ${backTo(actions)}
        <h1 tabindex="-1">${outside(askTitle(ask), 90)}</h1>
        <p class="quiet">${ask.others === undefined ? ofOne : ofSeveral}</p>
      </div>
    </header>
    ${problem === null ? nothing : banner(problem, { label: t("Try Again"), run: () => actions.choose(ask) })}
    ${
      unready === null
        ? nothing
        : banner(t("{0} cannot run here: {1}", driverName(ask.driver), inWords(unready)), {
            label: t("Try Again"),
            run: () => actions.choose(ask),
          })
    }
    ${replay === null ? nothing : notice(replay)} ${warning === null ? nothing : notice(warning)}
    <purser-section heading=${t("What is compared")} note="">${askFacts(ask)}</purser-section>
    <purser-section heading=${t("Plan")} note=${notes.plan}>
      <form
        class="form"
        @submit=${(event: Event) => {
          event.preventDefault();
          if (isReady) actions.start(ask);
        }}
      >
        <div class="fields">
          ${ask.change.kind === "model" ? othersInput(context, ask) : nothing} ${roundsInput(context, ask)}
          ${ask.driver === "replay" ? nothing : capInput(context, ask)}
        </div>
        <div class="buttons">
          <button type="submit" class="button primary" ?disabled=${!isReady}>
            ${icon("play")}${startLabel(isPriced ? known : null, ask.driver)}
          </button>
          <button type="button" class="button" @click=${() => actions.pick()}>${t("Change…")}</button>
        </div>
        ${known === null ? (problem === null ? skeleton() : nothing) : html`${planFacts(known)} ${installNotice(known)} ${known.power === undefined ? nothing : powerSection(known.power)}`}
      </form>
    </purser-section>`;
}

const ofOne = t("Everything else is the same on both sides. Stops as soon as the result is clear.");
const ofSeveral = t(
  "All of them are compared with the same runs of the unchanged agent, and everything else is the same. Each stops as soon as its result is clear.",
);

export function askFacts(ask: CompareAsk): TemplateResult {
  const { agent, change, others = [], model, effort, driver, shared } = ask;
  const isOfTwo = others.length === 0;
  const rows: [string, unknown][] = [
    [t("Agent"), outside(agent, 60)],
    ...[change, ...others].map((each, index): [string, unknown] => [
      others.length === 0 ? t("The change") : t("Change {0}", index + 1),
      outside(changeFact(each), 120),
    ]),
  ];
  if (change.kind === "without" && change.heading !== null)
    rows.push([
      t("Its text"),
      html`<details>
        <summary>${t("Show")}</summary>
        <pre tabindex="0">${outside(change.text, 4000)}</pre>
      </details>`,
    ]);
  rows.push([
    change.kind === "model" ? t("Against") : isOfTwo ? t("Model of both sides") : t("Model of all sides"),
    model === null ? t("the agent's own model") : outside(model, 60),
  ]);
  if (effort !== null && change.kind !== "effort")
    rows.push([isOfTwo ? t("Effort of both sides") : t("Effort of all sides"), outside(effort, 40)]);
  if (shared.length > 0) rows.push([t("Both sides have besides"), t("{0} files", shared.length)]);
  rows.push([t("Run with"), driver === "replay" ? t("Replay of recordings") : driverName(driver)]);
  return factList(rows);
}

/** Further models to compare with the same runs; an answer to a wrong one comes with the plan. */
function othersInput({ actions }: RenderContext, ask: CompareAsk): TemplateResult {
  const { others: further = [], ...one } = ask;
  const models = further.flatMap((other) => (other.kind === "model" ? [other.model] : []));
  return html`<label
    ><span>${t("Further models")}</span>
    <input
      type="text"
      placeholder=${t("none")}
      title=${t("Separated by commas, {0} at most: all are compared with the same runs of the unchanged agent", maxOthers)}
      .value=${models.join(", ")}
      @change=${({ currentTarget }: Event) => {
        if (!(currentTarget instanceof HTMLInputElement)) return;
        const named = currentTarget.value
          .split(",")
          .map((name) => name.trim())
          .filter((name) => name !== "");
        if (named.length > maxOthers || named.some((name) => name.length > maxModelLength))
          currentTarget.value = models.join(", ");
        else {
          const others = named.map((model) => ({ kind: "model" as const, model }));
          actions.choose(others.length === 0 ? one : { ...one, others });
        }
      }}
  /></label>`;
}

function roundsInput({ actions }: RenderContext, ask: CompareAsk): TemplateResult {
  return html`<label
    ><span>${t("Rounds at most")}</span>
    <input
      type="number"
      min="1"
      max=${maxRounds}
      title=${t("Each round runs every task once on both sides")}
      .value=${String(ask.rounds ?? usualRounds)}
      @change=${({ currentTarget }: Event) => {
        if (!(currentTarget instanceof HTMLInputElement)) return;
        const rounds = currentTarget.valueAsNumber;
        if (!Number.isInteger(rounds) || rounds < 1 || rounds > maxRounds)
          currentTarget.value = String(ask.rounds ?? usualRounds);
        else actions.choose({ ...ask, rounds });
      }}
  /></label>`;
}

function capInput({ actions }: RenderContext, ask: CompareAsk): TemplateResult {
  return html`<label
    ><span>${t("Limit (new tokens)")}</span>
    <input
      type="number"
      min=${leastCap}
      step="1000"
      placeholder=${t("none")}
      title=${t("No round is started that is expected to exceed it")}
      .value=${ask.tokenCap === null ? "" : String(ask.tokenCap)}
      @change=${({ currentTarget }: Event) => {
        if (!(currentTarget instanceof HTMLInputElement)) return;
        const cap = currentTarget.value === "" ? null : currentTarget.valueAsNumber;
        if (cap !== null && (!Number.isInteger(cap) || cap < leastCap))
          currentTarget.value = ask.tokenCap === null ? "" : String(ask.tokenCap);
        else actions.choose({ ...ask, tokenCap: cap });
      }}
  /></label>`;
}
