import { printedJson } from "../../engine/base/text.ts";
import { inWords } from "../../engine/base/language.ts";
import type * as z from "zod/mini";
import type { Failure } from "../../engine/base/result.ts";
import type { CompareAsk, ComparisonView } from "../../engine/jobs/compare-answers.ts";
import type { Place as BenchPlace } from "../../webview/bench/bench-protocol.ts";
import {
  panelMessage,
  type asked,
  type ExportFormat,
  type HostMessage,
  type PanelMessage,
  type Place,
} from "../../webview/compare/compare-protocol.ts";
import type { BenchWindow } from "../bench/bench-window.ts";
import { failedMessage, JobRequests, planMessage, updateInterval } from "../bench/job-requests.ts";
import type { LatestRequest } from "../editor/latest-request.ts";
import { BasePanelController, type ControllerPorts, type Own } from "../panels/panels-controller.ts";
import type { AskFailure } from "../service/connection.ts";
import { dash, dollars, wholeNumber } from "../../engine/base/format.ts";
import type { JobView } from "../../engine/jobs/bench-answers.ts";
import { inMarkdown } from "../editor/outside-text.ts";

export interface ComparisonFile {
  /** The file name proposed to the user. */
  readonly name: string;
  readonly format: ExportFormat;
  readonly text: string;
}

/** A sentence that contains names is longer than a name. Characters. */
const [maxSentenceLength, maxNameLength] = [1000, 200];

/** A comparison's result as a file; undefined before there is one. Of several changes, those that are settled. */
function exportComparison(view: JobView, format: ExportFormat): ComparisonFile | undefined {
  const { id, comparison } = view;
  if (comparison === undefined) return undefined;
  const results = (comparison.arms ?? [comparison]).flatMap(({ title, result }) =>
    result === null ? [] : [{ title, result }],
  );
  if (results.length === 0) return undefined;
  return format === "markdown"
    ? {
        name: `${id}.md`,
        format,
        text: results.map(({ title, result }) => comparisonText(inWords(title), result)).join("\n"),
      }
    : { name: `${id}.json`, format, text: `${printedJson(facts(view, comparison), 2)}\n` };
}

/** The verdict, both sides, and the receipt with everything it is based on. */
function comparisonText(title: string, result: ComparisonView): string {
  const { sentence, sides, receipt } = result;
  return [
    `# ${inMarkdown(title, maxNameLength)}`,
    "",
    inMarkdown(inWords(sentence), maxSentenceLength),
    "",
    "| Side | Tokens a run | Cache read | Passed | Turns | Seconds (advisory) | Cost (USD) |",
    "| :--- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...sides.map(sideRow),
    "",
    // The receipt's headings move down one level.
    receipt.markdown.replace(/^(?=#+ )/gmu, "#"),
  ].join("\n");
}

function sideRow({ label, passed, figures }: ComparisonView["sides"][number]): string {
  const usd = figures?.usd ?? null;
  const cells = [
    inMarkdown(inWords(label), maxNameLength),
    figures === null ? dash : wholeNumber(figures.processingTokens),
    figures === null ? dash : wholeNumber(figures.cacheRead),
    `${passed.passed} of ${passed.runs}`,
    figures === null ? dash : figures.turns.toFixed(1),
    figures === null ? dash : figures.seconds.toFixed(0),
    usd === null ? dash : dollars(usd).replace("$", ""),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Omits the texts of the compared files: they are the user's, and may be long. */
function facts(
  { id, ask, runs, spent }: JobView,
  { looks, result, title, arms }: NonNullable<JobView["comparison"]>,
) {
  const { agent, driver, model, effort } =
    ask.kind === "compare" ? ask : { agent: null, driver: ask.driver, model: ask.model, effort: ask.effort };
  return { schema: 1, id, title, agent, driver, model, effort, spent, result, looks, arms, runs };
}

const kind = { name: "Compare", messages: panelMessage, updateInterval };

type About = z.infer<typeof asked>;
/** Messages that make the panel show something. */
type Shown = Extract<HostMessage, { type: "show" | "showPlan" }>;

export interface CompareControllerPorts extends ControllerPorts<HostMessage> {
  readonly window: BenchWindow;
  readonly pick: () => void;
  readonly save: (file: ComparisonFile) => void;
  readonly openRun: (run: Extract<BenchPlace, { kind: "run" }>) => void;
}

/** Host side of the Compare panel: answers its messages and pushes updates. */
export class CompareController extends BasePanelController<PanelMessage, HostMessage, About> {
  readonly #ports: CompareControllerPorts;
  readonly #refreshes: LatestRequest;
  readonly #jobs: JobRequests<CompareAsk>;
  #place: Place = { kind: "home" };

  constructor(ports: CompareControllerPorts) {
    super(ports, kind);
    this.#ports = ports;
    this.#refreshes = this.latest((signal) => this.#refresh(signal));
    this.#jobs = this.owned.add(
      new JobRequests<CompareAsk>({
        service: ports.service,
        window: ports.window,
        planned: (ask, answer) => {
          if (!answer.ok && answer.reason === "offline")
            ports.post({ type: "offline", message: inWords(answer.detail) });
          else ports.post(planMessage(ask, answer));
        },
        done: (act, id) => {
          if (act === "start") ports.post({ type: "show", place: { kind: "comparison", id } });
          else this.#refreshes.now();
        },
        failed: (act, failure) => this.reportFailure(act, failure, true),
      }),
    );
    this.updateOn("benchChanged");
  }

  show(shown: Shown): void {
    this.postOnceStarted(shown);
  }

  protected override answer(message: Own<PanelMessage>): void {
    switch (message.type) {
      case "plan":
      case "start":
      case "cancel":
      case "resume":
        this.#jobs.handle(message);
        return;
      case "ready":
        this.#jobs.begin(message.ask);
        this.begin();
        this.#go(message.place);
        if (message.place.kind === "plan") this.#jobs.plan();
        return;
      case "look":
        this.#go(message.place);
        return;
      case "pick":
        this.#ports.pick();
        return;
      case "openRun": {
        const { id, runId, beside } = message;
        this.#ports.openRun({
          kind: "run",
          id,
          runId,
          beside: beside === null ? null : { id, runId: beside },
        });
        return;
      }
      case "export":
        void this.#export(message.id, message.format);
        return;
    }
  }

  #go(place: Place): void {
    this.#place = place;
    if (place.kind !== "plan") this.#jobs.stop();
    this.#refreshes.now();
  }

  protected override refresh(isAtOnce: boolean): void {
    if (isAtOnce && this.#place.kind === "plan") this.#jobs.plan();
    this.#refreshes.again(isAtOnce);
  }

  protected override failed(failure: Failure<AskFailure>, about: About): HostMessage {
    return failedMessage(failure, about, this.#ports.t);
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const place = this.#place;
    const { service, post } = this.#ports;
    if (place.kind === "plan") return;
    if (place.kind === "home") {
      const listed = await this.safely("jobs", service.ask("benchList", {}, signal), signal);
      if (listed !== undefined)
        post({ type: "jobs", jobs: listed.jobs.filter(({ ask }) => ask.kind === "compare") });
      return;
    }
    const { id } = place;
    const read = await this.safely("comparison", service.ask("benchRead", { id }, signal), signal);
    if (read !== undefined) post({ type: "comparison", id, view: read.view });
  }

  async #export(id: string, format: ExportFormat): Promise<void> {
    const { service, t, save } = this.#ports;
    const read = await service.ask("benchRead", { id });
    if (!read.ok) {
      this.reportFailure("export", read, true);
      return;
    }
    const file = read.value.view === null ? undefined : exportComparison(read.value.view, format);
    if (file === undefined)
      this.#ports.post({ type: "error", about: "export", message: t("There is nothing to export yet.") });
    else save(file);
  }
}
