import { html, nothing, type TemplateResult } from "lit";
import { confidenceLevel } from "../../engine/base/confidence.ts";
import { plural, t } from "../../engine/base/language.ts";
import {
  dollars,
  estimatedNumber,
  percent,
  shortNumber,
  wholeNumber,
} from "../../engine/base/local-format.ts";
import type { GuardView } from "../../engine/guard/guard-answers.ts";
import { outsideText } from "../components/outside.ts";
import "../components/section.ts";
import { filled } from "../components/sentences.ts";
import { notice } from "../components/states.ts";
import { column, extra, link, numberCell, numberColumn, textCell } from "../components/table/table-cells.ts";
import { dataTable } from "../components/table/table.ts";
import type { Cell } from "../components/table/table-rows.ts";
import type { RenderContext } from "./guard-model.ts";
import type { PanelState } from "./guard-protocol.ts";

type Net = GuardView["net"];
type Figures = Net["total"];
type By = PanelState["netBy"];

/** Characters of a command's name. */
const maxNameLength = 60;

const note = t(
  "A token saved is a token at the price of new input: what is written to a cache, read from it and answered counts by its price. Gross is what was left out of outputs, in every request that would have carried it until the context shrank. Minus is what followed within the next calls: the original fetched, the same or a narrower command run, an error repeated, each with its request. It counts even if the agent would have done it anyway. Net is gross minus that. Its range holds however often you look. A format whose net is not above zero after enough outputs is switched off. Figures are of the last 90 days at most.",
);

const groupings: readonly { readonly by: By; readonly name: string }[] = [
  { by: "programs", name: t("Program") },
  { by: "formats", name: t("Format") },
  { by: "tools", name: t("Tool") },
];

/** Shows what smaller outputs saved after what followed them, by program, format or tool, and what is switched off. */
export function netSection(context: RenderContext, { net, since }: GuardView): TemplateResult {
  const { model, actions } = context;
  const { netBy } = model.kept;
  const { total } = net;
  return html`<purser-section heading=${t("What smaller outputs saved")} note=${note}>
    ${
      total.outputs === 0
        ? nothing
        : html`<label class="filter" slot="actions"
            >${t("Group by")}
            <select
              @change=${({ currentTarget }: Event) => {
                const chosen =
                  currentTarget instanceof HTMLSelectElement
                    ? groupings[currentTarget.selectedIndex]
                    : undefined;
                if (chosen !== undefined) actions.filter({ netBy: chosen.by });
              }}
            >
              ${groupings.map(({ by, name }) => html`<option .selected=${by === netBy}>${name}</option>`)}
            </select></label
          >`
    }
    ${restingNotices(context, net)} ${wokenLines(context, { net, since })}
    ${
      total.outputs === 0
        ? html`<p class="quiet nothing">${nothingSaved(total)}</p>`
        : html`${netTable(net, netBy)}
            <p class="quiet nothing number">${[...listPrice(total), ...followed(total)].join(" · ")}</p>`
    }
  </purser-section>`;
}

function nothingSaved({ pending }: Figures): string {
  if (pending === 0) return t("No output was made smaller in this time.");
  return plural(
    pending,
    t("1 output was made smaller. What it saves is known with the agent's next requests."),
    t(
      "{0} outputs were made smaller. What they save is known with the agent's next requests.",
      wholeNumber(pending),
    ),
  );
}

function netTable(net: Net, by: By): TemplateResult {
  const name = groupings.find((each) => each.by === by)?.name ?? "";
  const headings = [
    column(name),
    extra(numberColumn(t("Outputs"))),
    extra(numberColumn(t("Gross"))),
    extra(numberColumn(t("Minus"))),
    numberColumn(t("Net")),
    numberColumn(t("{0} confidence", percent(100 * confidenceLevel))),
  ];
  const rows = net[by].map((row) => ({
    key: row.name,
    cells: [
      textCell(row.name),
      numberCell(row.outputs),
      tokensCell(row.gross),
      tokensCell(row.minus),
      tokensCell(row.net),
      intervalCell(row),
    ],
  }));
  return dataTable({ id: "net", label: t("What smaller outputs saved"), headings, rows, most: 8 });
}

function tokensCell(value: number): Cell {
  return { content: () => estimatedNumber(value), sort: value };
}

function intervalCell({ interval }: Figures): Cell {
  return {
    content: () =>
      interval === null ? html`<span class="quiet">${t("not known yet")}</span>` : rangeText(interval),
    sort: interval?.low ?? null,
  };
}

/** Short, for a column of little width. */
function rangeText({ low, high }: NonNullable<Figures["interval"]>): string {
  const short = (value: number) => (value < 0 ? `−${shortNumber(-value)}` : shortNumber(value));
  return `${short(low)} … ${short(high)}`;
}

function followed({ fetched, again, narrower, error }: Figures): string[] {
  const parts = [
    [fetched, t("{0}× the original fetched", wholeNumber(fetched.calls))],
    [again, t("{0}× the same command again", wholeNumber(again.calls))],
    [narrower, t("{0}× a narrower command", wholeNumber(narrower.calls))],
    [error, t("{0}× the same error again", wholeNumber(error.calls))],
  ] as const;
  const known = parts.filter(([{ calls }]) => calls > 0).map(([, what]) => what);
  return known.length === 0 ? [t("nothing followed that counts against it")] : known;
}

function listPrice({ usd, unpriced }: Figures): string[] {
  if (usd === null) return [];
  const net = t("net {0} at list prices", dollars(usd.net));
  return [unpriced === 0 ? net : t("{0}, without {1} of unknown price", net, wholeNumber(unpriced))];
}

/** Formats that are switched off, unless the user's file sets them. */
function restingNotices({ model, actions }: RenderContext, { resting }: Net): TemplateResult[] {
  const chosen = new Set(model.rules?.book.rules.filter(({ isChosen }) => isChosen).map(({ id }) => id));
  return resting
    .filter(({ rule }) => !chosen.has(rule))
    .map((format) => {
      const { id, command, rule, net, interval } = format;
      const name = outsideText(command ?? rule, maxNameLength);
      const range = interval === null ? "" : rangeText(interval);
      return notice(
        html`<strong>${t("Switched off: {0}", name)}</strong> ${
            command === null
              ? t("Its net is not above zero: {0} tokens ({1}).", estimatedNumber(net), range)
              : t(
                  "{0} does not save here: net {1} tokens ({2}).",
                  outsideText(rule, maxNameLength),
                  estimatedNumber(net),
                  range,
                )
          }`,
        [{ label: t("Switch On Again"), run: () => actions.wake(id) }],
        { isBusy: model.isBusy, iconName: "warning" },
      );
    });
}

/** Formats that the user switched on again in the time shown, which can be taken back. */
function wokenLines(
  { actions }: RenderContext,
  { net, since }: Pick<GuardView, "net" | "since">,
): TemplateResult[] {
  return net.woken
    .filter(({ at }) => at >= since)
    .map(
      ({ id, at }) =>
        html`<p class="quiet nothing">
          ${t("You switched on again: {0}.", outsideText(id, maxNameLength))}
          ${link(t("Undo"), () => actions.unwake(id, at), t("Undo: {0}", outsideText(id, maxNameLength)))}
        </p>`,
    );
}

/** The panel's main figure: the net, and whether it is known. Null if nothing was made smaller yet. */
export function netFigure({ net: { total } }: GuardView, days: number): TemplateResult | null {
  if (total.outputs === 0) return null;
  const { interval } = total;
  const figure = filled(
    total.net < 0 ? t("{0} tokens lost net in {1} days") : t("{0} tokens saved net in {1} days"),
    html`<span class="number">~${estimatedNumber(Math.abs(total.net))}</span>`,
    days,
  );
  const sum = t("gross {0}, minus {1}", estimatedNumber(total.gross), estimatedNumber(total.minus));
  const known =
    interval === null
      ? t("How sure that is, is not known yet.")
      : interval.low > 0
        ? t(
            "{0} to {1} with {2} confidence.",
            estimatedNumber(interval.low),
            estimatedNumber(interval.high),
            percent(100 * confidenceLevel),
          )
        : t(
            "Whether it saves is not known yet: {0} to {1} with {2} confidence.",
            estimatedNumber(interval.low),
            estimatedNumber(interval.high),
            percent(100 * confidenceLevel),
          );
  return html`<p class="one">${figure}</p>
    <p class="quiet number">${sum} · ${known}</p>`;
}
