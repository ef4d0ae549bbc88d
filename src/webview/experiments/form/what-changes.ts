import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../../engine/base/language.ts";
import { maxOthers } from "../../../engine/jobs/compare-answers.ts";
import { outside, outsideText } from "../../components/outside.ts";
import type { SuiteOffer } from "../../../engine/jobs/bench-answers.ts";
import { changeFact } from "../compare/describe-compare.ts";
import type { Model, RenderContext } from "../experiments-model.ts";
import { selectField, textField } from "./fields.ts";
import {
  fileSubjects,
  knownEfforts,
  knownModels,
  withPrompt,
  withSubject,
  type ExperimentForm,
  type FileSubject,
  type Subject,
} from "./form.ts";

/** The data from which each part of the form is rendered. */
export interface FormPart {
  readonly context: RenderContext;
  readonly offers: NonNullable<Model["choices"]>;
  readonly form: ExperimentForm;
  /** The chosen suite. */
  readonly offer: SuiteOffer;
}

/** Characters, as in the service's schema. */
const [maxModelLength, maxEffortLength] = [200, 50];
const maxNameLength = 60;

const subjectNames: Readonly<Record<Subject, string>> = {
  model: t("Another model"),
  effort: t("Another effort"),
  prompt: t("Another prompt"),
  "without-claude-md": t("Without the CLAUDE.md"),
  "claude-md": t("With a CLAUDE.md"),
  skill: t("With a skill"),
  mcp: t("With MCP servers"),
  settings: t("With other settings"),
  given: t("As chosen"),
};

/** What differs from the unchanged agent. */
export function subjectField({ context, offers, form }: FormPart): TemplateResult {
  const all: readonly Subject[] = [
    ...(form.subject === "given" ? (["given"] as const) : []),
    "model",
    "effort",
    "prompt",
    "without-claude-md",
    ...fileSubjects,
  ];
  const names = all.map((subject) =>
    subject === "given" && form.change !== null
      ? outsideText(changeFact(form.change), maxNameLength)
      : subjectNames[subject],
  );
  return selectField(t("What changes"), names, all.indexOf(form.subject), (index) => {
    const subject = all[index];
    if (subject !== undefined) context.actions.fill(withSubject(form, subject, offers));
  });
}

/** What exactly changes. */
export function changeField(part: FormPart): TemplateResult | typeof nothing {
  const { context, form } = part;
  const { actions } = context;
  switch (form.subject) {
    case "model":
      return html`${textField({
        id: "changed-model",
        label: t("Changed model"),
        value: form.otherModel,
        placeholder: t("name of a model"),
        most: maxModelLength,
        known: form.driver === "claude" ? knownModels : [],
        enter: (otherModel) => {
          actions.fill({ ...form, otherModel });
          return otherModel;
        },
      })}
      ${furtherField(part)}`;
    case "effort":
      return textField({
        id: "changed-effort",
        label: t("Changed effort"),
        value: form.otherEffort,
        placeholder: t("low, medium or high"),
        most: maxEffortLength,
        known: knownEfforts,
        enter: (otherEffort) => {
          actions.fill({ ...form, otherEffort });
          return otherEffort;
        },
      });
    case "prompt":
      return promptField(part);
    case "claude-md":
    case "skill":
    case "mcp":
    case "settings":
      return fileField(part, form.subject);
    case "without-claude-md":
    case "given":
      return nothing;
  }
}

/** Further models to compare with the same runs. */
function furtherField({ context, form }: FormPart): TemplateResult {
  const shown = form.furtherModels.join(", ");
  return textField({
    id: "further-models",
    label: t("Further models"),
    value: shown,
    placeholder: t("none"),
    most: maxOthers * maxModelLength,
    title: t(
      "Separated by commas, {0} at most: all are compared with the same runs of the unchanged agent",
      maxOthers,
    ),
    enter: (text) => {
      const named = text
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
      if (named.length > maxOthers || named.some((name) => name.length > maxModelLength)) return shown;
      context.actions.fill({ ...form, furtherModels: named });
      return named.join(", ");
    },
  });
}

/** The other prompt: one of the workspace's own for this agent, or a copy that the user edits. */
function promptField({ context, offers, form }: FormPart): TemplateResult {
  const { actions } = context;
  const [agent = ""] = form.agents;
  const own = offers.prompts.filter((prompt) => prompt.agent === agent);
  const chosen = own.findIndex(({ file }) => file === form.promptFile);
  const edited = own[chosen];
  const stored = form.change?.kind === "prompt" && edited === undefined ? form.change.name : null;
  const names = [
    ...(stored === null ? [] : [outsideText(stored, maxNameLength)]),
    ...own.map(({ name }) => outsideText(name, maxNameLength)),
  ];
  const offset = stored === null ? 0 : 1;
  return html`<div>
    ${
      names.length === 0
        ? html`<p class="quiet">${t("There is no other prompt for {0} yet.", outsideText(agent, 40))}</p>`
        : selectField(t("Changed prompt"), names, chosen + offset, (index) => {
            const prompt = own[index - offset];
            if (prompt !== undefined) actions.fill(withPrompt(form, prompt));
          })
    }
    <p>
      <button
        type="button"
        class="link"
        @click=${() => actions.ask({ type: "copyPrompt", agent, file: edited?.file ?? null })}
      >
        ${edited === undefined ? t("Edit a copy of its prompt") : t("Edit a copy of {0}", outsideText(edited.name, 40))}
      </button>
      ${
        edited === undefined
          ? nothing
          : html`·
              <button
                type="button"
                class="link"
                @click=${() => actions.ask({ type: "openPrompt", file: edited.file })}
              >
                ${t("Open it")}
              </button>`
      }
    </p>
  </div>`;
}

function fileField({ context, form }: FormPart, subject: FileSubject): TemplateResult {
  const { change } = form;
  const label = subject === "skill" ? t("Folder of the skill") : t("File");
  return html`<div>
    <p>${label}</p>
    <p>
      ${change === null ? nothing : outside(changeFact(change), 60)}
      <button
        type="button"
        class="button"
        @click=${() => context.actions.ask({ type: "chooseFile", subject })}
      >
        ${change === null ? t("Choose…") : t("Change…")}
      </button>
    </p>
  </div>`;
}
