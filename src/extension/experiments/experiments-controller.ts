import { inWords } from "../../engine/base/language.ts";
import type { Disposable } from "../../engine/base/events.ts";
import type { Failure, Result } from "../../engine/base/result.ts";
import type { CompareAsk } from "../../engine/jobs/compare-answers.ts";
import type { ExperimentSeed, FileSubject, PromptOffer } from "../../webview/experiments/form/form.ts";
import {
  panelMessage,
  type asked,
  type ChangeAsked,
  type ExportFormat,
  type HostMessage,
  type PanelMessage,
  type Place,
  type PlannedAsk,
} from "../../webview/experiments/experiments-protocol.ts";
import type * as z from "zod/mini";
import type { BenchWindow } from "./bench-window.ts";
import { exportedFile, type ExperimentFile } from "./export-experiment.ts";
import { failedMessage, JobRequests, planMessage, updateInterval } from "./job-requests.ts";
import type { LatestRequest } from "../editor/latest-request.ts";
import { BasePanelController, type ControllerPorts, type Own } from "../panels/panels-controller.ts";
import type { AskFailure } from "../service/connection.ts";

const kind = { name: "Experiments", messages: panelMessage, updateInterval };

type About = z.infer<typeof asked>;

/** Two versions of a file; text is null when the file does not exist. Untrusted text. */
export interface FileDiff {
  readonly path: string;
  readonly left: { readonly name: string; readonly text: string | null };
  readonly right: { readonly name: string; readonly text: string | null };
}

/** The form's access to the user's files and the editor. */
export interface FormPorts {
  /** Claude Code's configuration folder. */
  readonly root: () => string;
  /** Agent definitions that may be the other prompt. */
  readonly prompts: () => Promise<readonly PromptOffer[]>;
  /** Called when one of them may have changed. */
  readonly onPrompts: (listener: () => void) => Disposable;
  /** Opens a copy of a prompt; of the agent's own without a file. Resolves with the copy. */
  readonly copyPrompt: (agent: string, file: string | null) => Promise<Result<string>>;
  readonly openFile: (file: string) => void;
  /** Asks for a file or folder; undefined when cancelled. */
  readonly chooseFile: (
    subject: FileSubject,
  ) => Promise<Result<CompareAsk["change"], "bad_argument"> | undefined>;
  readonly openRules: (page: "rules" | "trial" | "guards", agent: string | null) => void;
  readonly shorten: (agent: string) => void;
  readonly draftTasks: () => void;
}

export interface ExperimentsControllerPorts extends ControllerPorts<HostMessage>, FormPorts {
  readonly window: BenchWindow;
  readonly manageTrust: () => void;
  readonly openDiff: (diff: FileDiff) => void;
  readonly save: (file: ExperimentFile) => void;
  readonly onTrust: (listener: () => void) => Disposable;
}

/** Host side of the Experiments panel: answers its messages and pushes updates. */
export class ExperimentsController extends BasePanelController<PanelMessage, HostMessage, About> {
  readonly #ports: ExperimentsControllerPorts;
  readonly #refreshes: LatestRequest;
  readonly #choices: LatestRequest;
  readonly #jobs: JobRequests<PlannedAsk>;
  #place: Place = { kind: "home" };

  constructor(ports: ExperimentsControllerPorts) {
    super(ports, kind);
    this.#ports = ports;
    this.#refreshes = this.latest((signal) => this.#refresh(signal));
    this.#choices = this.latest((signal) => this.#choose(signal));
    const { service, window, post } = ports;
    this.#jobs = this.owned.add(
      new JobRequests<PlannedAsk>({
        service,
        window,
        planned: (ask, answer) => {
          if (!answer.ok && answer.reason === "offline")
            post({ type: "offline", message: inWords(answer.detail) });
          else post(planMessage(ask, answer));
        },
        done: (act, id) => {
          if (act === "start") post({ type: "show", place: { kind: "job", id } });
          else this.#refreshes.now();
        },
        failed: (act, failure) => this.reportFailure(act, failure, true),
      }),
    );
    this.updateOn("benchChanged");
    const chooseAgain = () => {
      if (this.hasStarted && this.#place.kind === "form") this.#choices.now();
    };
    // A newly trusted folder may bring another suite.
    this.owned.add(ports.onTrust(chooseAgain));
    this.owned.add(ports.onPrompts(chooseAgain));
  }

  show(place: Place): void {
    this.postOnceStarted({ type: "show", place });
  }

  /** Shows the form. @param seed what the command knows */
  plan(seed: ExperimentSeed): void {
    this.postOnceStarted({ type: "begin", seed });
  }

  protected override answer(message: Own<PanelMessage>): void {
    const { openRules, shorten, draftTasks, openFile, manageTrust } = this.#ports;
    switch (message.type) {
      case "ready":
        this.#jobs.begin(message.ask);
        this.begin();
        this.#go(message.place);
        return;
      case "look":
        this.#go(message.place);
        return;
      case "plan":
      case "start":
      case "cancel":
      case "resume":
        this.#jobs.handle(message);
        return;
      case "export":
        void this.#export(message.id, message.format);
        return;
      case "openChange":
        void this.#openChange(message);
        return;
      case "chooseFile":
        void this.#chooseFile(message.subject);
        return;
      case "copyPrompt":
        void this.#copyPrompt(message.agent, message.file);
        return;
      case "openPrompt":
        void this.#isOffered(message.file).then((isOffered) => {
          if (isOffered) openFile(message.file);
        });
        return;
      case "openRules":
        openRules(message.page, message.agent);
        return;
      case "shorten":
        shorten(message.agent);
        return;
      case "draftTasks":
        draftTasks();
        return;
      case "manageTrust":
        manageTrust();
        return;
    }
  }

  #go(place: Place): void {
    this.#place = place;
    if (place.kind !== "form") {
      this.#choices.stop();
      this.#jobs.stop();
    }
    this.refresh(true);
  }

  protected override refresh(isAtOnce: boolean): void {
    if (this.#place.kind !== "form") this.#refreshes.again(isAtOnce);
    else if (isAtOnce) this.#choices.now();
  }

  protected override failed(failure: Failure<AskFailure>, about: About): HostMessage {
    return failedMessage(failure, about, this.#ports.t);
  }

  async #export(id: string, format: ExportFormat): Promise<void> {
    const { service, t, save, post } = this.#ports;
    const read = await service.ask("benchRead", { id });
    if (!read.ok) {
      this.reportFailure("export", read, true);
      return;
    }
    const file = read.value.view === null ? undefined : exportedFile(read.value.view, format);
    if (file === undefined)
      post({ type: "error", about: "export", message: t("There is nothing to export yet.") });
    else save(file);
  }

  /** Opens a diff against the file's original, or against the other run's version. */
  async #openChange({ id, runId, path, name, other }: ChangeAsked): Promise<void> {
    const { service, t, openDiff, post } = this.#ports;
    const [own, others] = await Promise.all([
      service.ask("benchChange", { id, runId, path }),
      ...(other === null ? [] : [service.ask("benchChange", { id: other.id, runId: other.runId, path })]),
    ]);
    if (!own.ok || own.value.change === null || others?.ok === false) {
      const gone = t("The changes of this run to {0} were not kept.", path);
      const failed = own.ok ? others : own;
      post({ type: "error", about: "run", message: failed?.ok === false ? inWords(failed.detail) : gone });
      return;
    }
    const { change } = own.value;
    const before = { name: t("Before"), text: change.before };
    // A file the other run did not change is still the original.
    const left =
      other === null ? before : { name: other.name, text: others?.value.change?.after ?? change.before };
    openDiff({ path, left, right: { name, text: change.after } });
  }

  async #chooseFile(subject: FileSubject): Promise<void> {
    const { chooseFile, post } = this.#ports;
    const chosen = await chooseFile(subject);
    if (chosen?.ok === true) post({ type: "chosen", subject, change: chosen.value });
    else if (chosen !== undefined) post({ type: "error", about: "file", message: inWords(chosen.detail) });
  }

  async #copyPrompt(agent: string, file: string | null): Promise<void> {
    const { copyPrompt, post } = this.#ports;
    if (file !== null && !(await this.#isOffered(file))) return;
    const copied = await copyPrompt(agent, file);
    if (copied.ok) {
      post({ type: "copied", file: copied.value });
      this.#choices.now();
    } else post({ type: "error", about: "file", message: inWords(copied.detail) });
  }

  /** Whether the page may name a file: its messages are outside data. */
  async #isOffered(file: string): Promise<boolean> {
    const offered = await this.#ports.prompts();
    return offered.some((prompt) => prompt.file === file);
  }

  async #choose(signal: AbortSignal): Promise<void> {
    const { service, window, post, prompts, root } = this.#ports;
    const isTrusted = window.isTrusted();
    const asked = { workspace: window.workspace(), env: window.env() };
    const [choices, rules, offered] = await Promise.all([
      this.safely("choices", service.ask("benchChoices", asked, signal), signal),
      service.ask("rulesRead", { root: root() }, signal),
      prompts(),
    ]);
    if (choices === undefined || signal.aborted) return;
    // Rules are one kind of five: without them the others can still be planned.
    const ruleAgents = rules.ok ? [...new Set(rules.value.view.rules.map(({ agent }) => agent))].sort() : [];
    post({ type: "choices", choices, isTrusted, prompts: [...offered], ruleAgents });
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const place = this.#place;
    const { service, post } = this.#ports;
    if (place.kind === "form") return;
    if (place.kind === "home") {
      const [listed, tried] = await Promise.all([
        this.safely("jobs", service.ask("benchList", {}, signal), signal),
        this.safely("jobs", service.ask("trialList", {}, signal), signal),
      ]);
      if (listed !== undefined && tried !== undefined)
        post({ type: "jobs", jobs: listed.jobs, trials: tried.trials });
      return;
    }
    const { id } = place;
    const read = await this.safely("job", service.ask("benchRead", { id }, signal), signal);
    if (read === undefined) return;
    post({ type: "job", id, view: read.view });
    if (place.kind === "job") return;
    for (const run of [{ id, runId: place.runId }, ...(place.beside === null ? [] : [place.beside])]) {
      const found = await this.safely("run", service.ask("benchRun", run, signal), signal);
      if (found !== undefined) post({ type: "run", ...run, page: found.page });
    }
  }
}
