import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import type { Overview } from "../../engine/ledger/ledger-answers.ts";
import { agentNames } from "../components/page-agents.ts";
import { chip, filterSelect, projectOptions } from "../components/filter-select.ts";
import { outsideText } from "../components/outside.ts";
import { daySpan } from "../components/times.ts";
import type { RenderContext } from "./ledger-model.ts";
import type { OverviewMessage, Question, Range } from "./ledger-protocol.ts";

const maxOptionLength = 48;

interface Choice {
  readonly label: string;
  readonly spoken: string;
  readonly range: Range;
}

const ranges: readonly Choice[] = [
  { label: t("Today"), spoken: t("Today"), range: { kind: "last", days: 1 } },
  { label: t("Yesterday"), spoken: t("Yesterday"), range: { kind: "yesterday" } },
  { label: t("{0} d", 7), spoken: t("Last 7 days"), range: { kind: "last", days: 7 } },
  { label: t("{0} d", 30), spoken: t("Last 30 days"), range: { kind: "last", days: 30 } },
  { label: t("{0} d", 90), spoken: t("Last 90 days"), range: { kind: "last", days: 90 } },
  { label: t("All"), spoken: t("All time"), range: { kind: "all" } },
];

/** The filters: time, project, agent, and the choice between tokens and cost. */
export function filters({ model, actions }: RenderContext): TemplateResult {
  const { question, metric, wider } = model.kept;
  const choices = model.overview?.overview.choices ?? { projects: [], programs: [], machines: [] };
  const change = (part: Partial<Question>) => actions.ask({ ...question, ...part });
  const custom = customRange(model.overview, question.range);
  return html`<div class="filters" role="group" aria-label=${t("Filter")}>
    <div class="segments" role="group" aria-label=${t("Time")}>
      ${[...ranges, { label: t("Custom"), spoken: t("From one day to another"), range: custom }].map(
        ({ label, spoken, range }) =>
          segment({ label, spoken, isOn: isChosen(question.range, range), run: () => change({ range }) }),
      )}
    </div>
    ${wider === null ? nothing : rangeChip(question.range, () => change({ range: wider }))}
    ${question.range.kind === "between" && wider === null ? dates(question.range, change) : nothing}
    ${projectSelect(question, choices, change)}${programSelect(question, choices, change)}${machineSelect(question, choices, change)}
    <div class="segments end" role="group" aria-label=${t("Count")}>
      ${segment({ label: t("Tokens"), isOn: metric === "tokens", run: () => actions.setMetric("tokens") })}
      ${segment({ label: t("Cost"), isOn: metric === "cost", run: () => actions.setMetric("cost") })}
    </div>
  </div>`;
}

function segment(part: { label: string; spoken?: string; isOn: boolean; run: () => void }): TemplateResult {
  return html`<button
    aria-pressed=${part.isOn ? "true" : "false"}
    title=${part.spoken ?? nothing}
    @click=${part.run}
  >
    ${part.label}
  </button>`;
}

/** The days of a bar that was chosen, and a cross that takes the choice back. */
function rangeChip(range: Range, clear: () => void): TemplateResult | typeof nothing {
  if (range.kind !== "between" || range.since === null || range.until === null) return nothing;
  return chip(daySpan(range.since, range.until), clear);
}

function isChosen(now: Range, range: Range): boolean {
  return now.kind === "last" && range.kind === "last" ? now.days === range.days : now.kind === range.kind;
}

/** A custom range starts with the range shown now. */
function customRange(overview: OverviewMessage | null, now: Range): Range {
  if (now.kind === "between") return now;
  const first = overview?.overview.days[0]?.day ?? null;
  return { kind: "between", since: overview?.since ?? first, until: overview?.until ?? null };
}

function dates(now: Extract<Range, { kind: "between" }>, change: (part: Partial<Question>) => void) {
  const input = (
    label: string,
    side: "since" | "until",
    limits: { min: string | null; max: string | null },
  ) =>
    html`<label class="filter"
      >${label}
      <input
        type="date"
        .value=${now[side] ?? ""}
        min=${limits.min ?? nothing}
        max=${limits.max ?? nothing}
        @change=${({ currentTarget }: Event) => {
          if (!(currentTarget instanceof HTMLInputElement)) return;
          const { value } = currentTarget;
          change({ range: { ...now, [side]: value === "" ? null : value } });
        }}
    /></label>`;
  return html`<div class="dates">
    ${input(t("From"), "since", { min: null, max: now.until })}${input(t("To"), "until", { min: now.since, max: null })}
  </div>`;
}

function projectSelect(
  { project }: Question,
  { projects }: Overview["choices"],
  change: (part: Partial<Question>) => void,
): TemplateResult {
  const all = project === null || projects.includes(project) ? projects : [project, ...projects];
  const options = projectOptions(all, maxOptionLength);
  return filterSelect(t("Project"), project, options, (value) => change({ project: value }));
}

function programSelect(
  { program }: Question,
  { programs }: Overview["choices"],
  change: (part: Partial<Question>) => void,
): TemplateResult {
  const all = program === null || programs.includes(program) ? programs : [program, ...programs];
  const options = all.map((value) => ({ value, name: outsideText(agentNames.of(value), maxOptionLength) }));
  return filterSelect(t("Agent"), program, options, (value) => change({ program: value }));
}

/** Only with the usage of other machines. */
function machineSelect(
  { machine = null }: Question,
  { machines }: Overview["choices"],
  change: (part: Partial<Question>) => void,
): TemplateResult | typeof nothing {
  if (machines.length === 0 && machine === null) return nothing;
  const all = machine === null || machines.includes(machine) ? machines : [machine, ...machines];
  const options = all.map((value) => ({ value, name: outsideText(value, maxOptionLength) }));
  return filterSelect(t("Machine"), machine, options, (value) => change({ machine: value }));
}
