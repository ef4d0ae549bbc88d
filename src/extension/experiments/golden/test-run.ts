import { inWords } from "../../../engine/base/language.ts";
import * as vscode from "vscode";
import type { BenchRun } from "../../../engine/bench/run-facts.ts";
import { shortNumber, wholeNumber } from "../../../engine/base/local-format.ts";
import { cleanText, cutMiddle } from "../../../engine/base/text.ts";
import { isUnderWay } from "../../../engine/jobs/compare-answers.ts";
import type { BenchAsk, JobView, RunPage } from "../../../engine/jobs/bench-answers.ts";
import type { BenchFeed } from "../bench-feed.ts";
import type { BenchWindow } from "../bench-window.ts";
import { difference, replayLabel } from "../describe-jobs.ts";
import type { ServiceConnection } from "../../service/connection.ts";
import type { Translate } from "../../editor/describe-editor.ts";

/** Characters of a check's output to show. */
const maxOutputLength = 20_000;
const maxLineLength = 400;

export interface GoldenTestRunPorts {
  readonly service: ServiceConnection;
  readonly window: BenchWindow;
  readonly feed: BenchFeed;
  readonly run: vscode.TestRun;
  readonly byTask: ReadonlyMap<string, vscode.TestItem>;
  /** Each task's check command. */
  readonly checks: ReadonlyMap<string, string>;
  readonly t: Translate;
}

/** Runs one bench as a test run of the Testing view: marks each task as it starts and ends. */
export class GoldenTestRun {
  readonly #ports: GoldenTestRunPorts;
  readonly #started = new Set<string>();
  readonly #ended = new Set<string>();

  constructor(ports: GoldenTestRunPorts) {
    this.#ports = ports;
  }

  /** Resolves when the bench has ended. */
  async go(ask: BenchAsk, token: vscode.CancellationToken): Promise<void> {
    const { service, window, run, byTask, t } = this.#ports;
    const started = await service.ask("benchStart", {
      ask,
      env: window.env(),
      project: window.workspace(),
    });
    if (!started.ok) {
      for (const item of byTask.values()) run.errored(item, new vscode.TestMessage(inWords(started.detail)));
      return;
    }
    const { id } = started.value;
    const cancelling = token.onCancellationRequested(() => void service.ask("benchCancel", { id }));
    if (ask.driver === "replay") this.#print(replayLabel(["script"], t));
    try {
      await this.#follow(id);
    } finally {
      cancelling.dispose();
      for (const [task, item] of byTask) if (!this.#ended.has(task)) run.skipped(item);
    }
  }

  /** Reads the bench after each change, one read at a time, until it has ended. */
  async #follow(id: string): Promise<void> {
    const { feed, service } = this.#ports;
    let wake: () => void = () => undefined;
    let isNew = true;
    const listening = feed.onChange(() => {
      isNew = true;
      wake();
    });
    try {
      for (;;) {
        if (!isNew) await new Promise<void>((resolve) => (wake = resolve));
        isNew = false;
        const read = await service.ask("benchRead", { id });
        // Wait for a service that is not connected yet: the feed fires when it is.
        if (!read.ok && read.reason !== "failed") continue;
        if (!read.ok || read.value.view === null) return;
        const { view } = read.value;
        await this.#mark(view);
        if (isUnderWay(view.state)) continue;
        if ("detail" in view.state) this.#print(inWords(view.state.detail));
        return;
      }
    } finally {
      listening.dispose();
    }
  }

  async #mark(view: JobView): Promise<void> {
    const { run, byTask } = this.#ports;
    for (const { taskId } of [...view.live, ...view.runs]) {
      const item = byTask.get(taskId);
      if (item === undefined || this.#started.has(taskId)) continue;
      this.#started.add(taskId);
      run.started(item);
    }
    for (const made of view.runs) {
      const item = byTask.get(made.taskId);
      if (item === undefined || this.#ended.has(made.taskId)) continue;
      this.#ended.add(made.taskId);
      const found = await this.#ports.service.ask("benchRun", { id: view.id, runId: made.id });
      this.#end(item, made, found.ok ? found.value.page : null);
    }
  }

  #end(item: vscode.TestItem, made: BenchRun, page: RunPage | null): void {
    const { run, t } = this.#ports;
    const { outcome, processingTokens, turns, toolCalls, durationMs, detail } = made;
    const run1 = page?.run1 ?? null;
    const against = run1 === null ? "" : ` · ${difference(processingTokens / run1)}`;
    item.description = `${shortNumber(processingTokens)}${outcome === "passed" ? against : ""}`;
    this.#print(
      t(
        "{0}: {1}, {2} new tokens, {3} turns, {4} tool calls",
        item.label,
        outcome,
        wholeNumber(processingTokens),
        turns,
        toolCalls,
      ),
      item,
    );
    const printed = lines(page?.trajectory?.checkOutput ?? "");
    if (printed !== "") run.appendOutput(`${printed}\r\n`, undefined, item);
    const why = detail === null ? "" : cleanText(inWords(detail));
    switch (outcome) {
      case "passed":
        run.passed(item, durationMs);
        return;
      case "failed":
        run.failed(item, this.#difference(made, why, printed), durationMs);
        return;
      case "limit":
        run.failed(item, new vscode.TestMessage(t("It hit a limit: {0}", why)), durationMs);
        return;
      case "environment":
        run.errored(
          item,
          new vscode.TestMessage(
            t("The environment failed, so this run says nothing about the agent: {0}", why),
          ),
          durationMs,
        );
        return;
      case "cancelled":
        run.skipped(item);
        return;
    }
  }

  #difference({ taskId }: BenchRun, why: string, printed: string): vscode.TestMessage {
    const { t, checks } = this.#ports;
    const expected = t("The check passes: {0}", checks.get(taskId) ?? "");
    const actual = printed === "" ? why : printed.replaceAll("\r\n", "\n");
    return vscode.TestMessage.diff(
      t("The check failed: {0}", cutMiddle(why, maxLineLength)),
      expected,
      actual,
    );
  }

  #print(text: string, item?: vscode.TestItem): void {
    this.#ports.run.appendOutput(`${lines(text)}\r\n`, undefined, item);
  }
}

/** Lines for the view's terminal, each cleaned: a check's output may contain anything. */
function lines(text: string): string {
  return text
    .slice(-maxOutputLength)
    .trimEnd()
    .split("\n")
    .map((line) => cutMiddle(cleanText(line), maxLineLength))
    .join("\r\n");
}
