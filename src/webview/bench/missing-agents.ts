import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import type { BenchChoices, JobView } from "../../engine/jobs/bench-answers.ts";
import { icon } from "../components/icon.ts";
import { said } from "../components/outside.ts";
import { notice } from "../components/states.ts";
import { describeInstall } from "./describe-bench.ts";

/**
 * Explains what is missing when no agent can run, and offers the recordings instead. Shows nothing if any agent is ready:
 * then the others are not needed. @param tryIt chooses the recordings; null if they are already chosen
 */
export function missingAgents(
  drivers: BenchChoices["drivers"],
  tryIt: (() => void) | null,
): TemplateResult | typeof nothing {
  const agents = drivers.filter(({ name }) => name !== "replay");
  if (agents.some(({ isReady }) => isReady)) return nothing;
  const canTry = tryIt !== null && drivers.some(({ name, isReady }) => name === "replay" && isReady);
  const reasons = agents.flatMap(({ problem }) => problem ?? []);
  return html`<div class="banner">
    ${icon("warning")}
    <p>${t("No agent is ready.")} ${reasons.map((reason) => html`${said(reason, 240)}. `)}</p>
    ${
      canTry
        ? html`<button type="button" class="button" @click=${tryIt}>
            ${t("Try with Recordings (Demo)")}
          </button>`
        : nothing
    }
  </div>`;
}

/** Says what is downloaded when the plan is started; nothing if it is there already. */
export function installNotice({ install }: NonNullable<JobView["plan"]>): TemplateResult | typeof nothing {
  return install === null ? nothing : notice(describeInstall(install));
}
