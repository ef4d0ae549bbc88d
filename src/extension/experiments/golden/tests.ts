import { inWords, t } from "../../../engine/base/language.ts";
import * as vscode from "vscode";
import type { DriverName } from "../../../engine/bench/run-facts.ts";
import type { BenchAsk, BenchChoices, SuiteOffer } from "../../../engine/jobs/bench-answers.ts";
import type { BenchFeed } from "../bench-feed.ts";
import type { BenchWindow } from "../bench-window.ts";
import {
  driverLabel,
  missingLabel,
  planDetail,
  replayLabel,
  startLabel,
  suiteLabel,
} from "../describe-jobs.ts";
import { GoldenTestRun } from "./test-run.ts";
import { withoutIcons } from "../../editor/outside-text.ts";
import type { ServiceConnection } from "../../service/connection.ts";
const maxLength = 120;

export interface GoldenTestPorts {
  readonly service: ServiceConnection;
  readonly window: BenchWindow;
  readonly feed: BenchFeed;
  readonly log: vscode.LogOutputChannel;
}

interface Known {
  readonly suite: SuiteOffer["suite"];
  readonly task: SuiteOffer["tasks"][number];
}

/** Golden tasks in the Testing view, with one profile per driver. A run that spends first shows its price and asks. */
export class GoldenTests implements vscode.Disposable {
  readonly #ports: GoldenTestPorts;
  readonly #controller: vscode.TestController;
  readonly #profiles = new Map<DriverName, vscode.TestRunProfile>();
  readonly #tags = new Map<string, vscode.TestTag>();
  readonly #known = new WeakMap<vscode.TestItem, Known>();
  readonly #owned: vscode.Disposable;
  #reading: Promise<void> | undefined;
  /** Why no agent is ready; null when one is. */
  #missing: string | null = null;
  #hasAgreedToDemo = false;

  constructor(ports: GoldenTestPorts) {
    this.#ports = ports;
    this.#controller = vscode.tests.createTestController("purser.golden", t("Golden Tasks (Context Purser)"));
    this.#controller.resolveHandler = async (item) => {
      if (item === undefined) await this.#read();
    };
    this.#controller.refreshHandler = () => this.#read();
    this.#owned = vscode.Disposable.from(
      this.#controller,
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.#read()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("purser.testing.show")) void this.#read();
      }),
    );
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Simultaneous requests share one read. */
  async #read(): Promise<void> {
    this.#reading ??= this.#readNow().finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  async #readNow(): Promise<void> {
    const { service, window } = this.#ports;
    await service.ready();
    const asked = { workspace: window.workspace(), env: window.env() };
    const choices = await service.ask("benchChoices", asked);
    if (!choices.ok) {
      this.#ports.log.warn(`Golden tasks could not be read: ${choices.detail.text}`);
      return;
    }
    this.#offer(choices.value);
    this.#controller.items.replace(this.#roots(choices.value.suites));
  }

  /**
   * One root among the user's tests, shown only if they have golden tasks or ask to see the built-in ones.
   */
  #roots(suites: readonly SuiteOffer[]): vscode.TestItem[] {
    const hasOwn = suites.some(({ suite }) => suite.origin !== "built-in");
    if (!hasOwn && vscode.workspace.getConfiguration("purser").get("testing.show") !== true) return [];
    const root = this.#controller.createTestItem("purser", t("Golden Tasks (Context Purser)"));
    root.children.replace(suites.flatMap((suite) => this.#suiteItems(suite, suites.length > 1)));
    return [root];
  }

  /** Offers a run profile for each driver that is ready; the usual one is the default. */
  #offer({ drivers, driver: usual }: BenchChoices): void {
    this.#missing = missingLabel(drivers, t);
    for (const { name, isReady } of drivers) {
      const before = this.#profiles.get(name);
      if (isReady && before === undefined) this.#profiles.set(name, this.#profile(name, name === usual));
      if (before !== undefined && isReady) before.isDefault = name === usual;
      if (isReady || before === undefined) continue;
      before.dispose();
      this.#profiles.delete(name);
    }
  }

  #profile(driver: DriverName, isDefault: boolean): vscode.TestRunProfile {
    const label = driver === "replay" ? t("Replay (free demo)") : driverLabel(driver, t);
    const run = (request: vscode.TestRunRequest, token: vscode.CancellationToken) =>
      this.#run(driver, request, token);
    return this.#controller.createRunProfile(label, vscode.TestRunProfileKind.Run, run, isDefault);
  }

  #suiteItems({ suite, agents, tasks, problem }: SuiteOffer, isNamed: boolean): vscode.TestItem[] {
    const key = suite.origin;
    const own = suiteLabel(suite, t);
    if (problem !== null) {
      const broken = this.#controller.createTestItem(key, own);
      broken.error = inWords(problem);
      return [broken];
    }
    return agents.map(({ name }) => {
      const item = this.#controller.createTestItem(`${key}/${name}`, withoutIcons(name, maxLength));
      if (isNamed) item.description = own;
      item.tags = [this.#tag(name)];
      const children = tasks.filter(({ agent }) => agent === name).map((task) => this.#taskItem(suite, task));
      item.children.replace(children);
      return item;
    });
  }

  #taskItem(suite: SuiteOffer["suite"], task: SuiteOffer["tasks"][number]): vscode.TestItem {
    const { id, title, agent, path } = task;
    const key = `${suite.origin}/${agent}/${id}`;
    const item = this.#controller.createTestItem(key, withoutIcons(title, maxLength), vscode.Uri.file(path));
    item.range = new vscode.Range(0, 0, 0, 0);
    item.tags = [this.#tag(agent)];
    this.#known.set(item, { suite, task });
    return item;
  }

  #tag(name: string): vscode.TestTag {
    const tag = this.#tags.get(name) ?? new vscode.TestTag(name);
    this.#tags.set(name, tag);
    return tag;
  }

  async #run(
    driver: DriverName,
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const items = this.#leaves(request);
    const groups = new Map<string, vscode.TestItem[]>();
    for (const item of items) {
      const origin = this.#known.get(item)?.suite.origin ?? "";
      groups.set(origin, [...(groups.get(origin) ?? []), item]);
    }
    const run = this.#controller.createTestRun(request);
    try {
      for (const group of groups.values()) await this.#runGroup(run, driver, group, token);
    } finally {
      run.end();
    }
  }

  async #runGroup(
    run: vscode.TestRun,
    driver: DriverName,
    items: readonly vscode.TestItem[],
    token: vscode.CancellationToken,
  ): Promise<void> {
    for (const item of items) run.enqueued(item);
    const known = items.flatMap((item) => this.#known.get(item) ?? []);
    const [first] = known;
    if (first === undefined) return;
    const ask: BenchAsk = {
      kind: "bench",
      suite: first.suite,
      driver,
      runs: 1,
      parallel: 1,
      tokenCap: null,
      agents: [...new Set(known.map(({ task }) => task.agent))],
      taskIds: known.map(({ task }) => task.id),
      model: null,
      effort: null,
    };
    const refusal = await this.#agree(ask);
    if (refusal !== null) {
      run.appendOutput(`${refusal}\r\n`);
      for (const item of items) run.skipped(item);
      return;
    }
    const byTask = new Map(items.map((item) => [this.#known.get(item)?.task.id ?? item.id, item]));
    const checks = new Map(known.map(({ task }) => [task.id, task.check]));
    await new GoldenTestRun({ ...this.#ports, run, byTask, checks, t }).go(ask, token);
  }

  /** Asks for consent to a run that spends, with its price, and to a replay when no other driver was available. Returns why it is not run, or null. */
  async #agree(ask: BenchAsk): Promise<string | null> {
    if (ask.driver === "replay") return await this.#agreeToDemo();
    const { service, window } = this.#ports;
    const planned = await service.ask("benchPlan", { ask, env: window.env() });
    if (!planned.ok) return t("It cannot be planned: {0}", inWords(planned.detail));
    const { plan } = planned.value;
    const start = startLabel(plan, t);
    const detail = planDetail(plan, t);
    const question = t("Run golden tasks with {0}?", driverLabel(ask.driver, t));
    const chosen = await vscode.window.showInformationMessage(question, { modal: true, detail }, start);
    return chosen === start ? null : t("Not run: you did not confirm the price.");
  }

  /** Without an agent, Run can only mean the demo. Asks once per window whether to run it. */
  async #agreeToDemo(): Promise<string | null> {
    if (this.#missing === null || this.#hasAgreedToDemo) return null;
    const replay = t("Replay (Demo)");
    const detail = `${this.#missing} ${replayLabel(["script"], t)}`;
    const question = t("Replay recordings instead?");
    const chosen = await vscode.window.showInformationMessage(question, { modal: true, detail }, replay);
    this.#hasAgreedToDemo = chosen === replay;
    return chosen === replay ? null : t("Not run: {0}", this.#missing);
  }

  /** The requested tasks: named as tasks, agents or suites. */
  #leaves({ include, exclude }: vscode.TestRunRequest): vscode.TestItem[] {
    const excluded = new Set(exclude);
    const found = new Set<vscode.TestItem>();
    const add = (item: vscode.TestItem) => {
      if (excluded.has(item)) return;
      if (this.#known.has(item)) found.add(item);
      item.children.forEach(add);
    };
    if (include === undefined) this.#controller.items.forEach(add);
    else for (const item of include) add(item);
    return [...found];
  }
}
