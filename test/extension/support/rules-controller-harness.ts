import { plainSentence } from "../../../src/engine/base/language.ts";
import { fail, succeed } from "../../../src/engine/base/result.ts";
import type { LearnedItem } from "../../../src/engine/continuity/learning-answers.ts";
import type { AgentDefinition } from "../../../src/engine/rules/needs.ts";
import { RulesController, type RulesControllerPorts } from "../../../src/extension/rules/rules-controller.ts";
import type { HostMessage } from "../../../src/webview/rules/rules-protocol.ts";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { choices, makeSummary, plan } from "../../webview/experiments/bench/fixtures.ts";
import { makeEvidence, makeMemory, makeRules, makeSelection } from "../../webview/rules/fixtures.ts";
import { makeHead, makeTrial, trialPlan } from "../../webview/rules/trial-fixtures.ts";
import type { TrialHead } from "../../../src/engine/rules/trial-answers.ts";
import { makeReport } from "../../webview/rules/report-fixture.ts";
import { FakeConnection } from "./fake-connection.ts";

/** A conversation with a service whose answers the test defines. */
export class RulesControllerHarness {
  readonly posted: HostMessage[] = [];
  readonly did: string[] = [];
  readonly service: FakeConnection;
  readonly talk: RulesController;
  readonly noPlan = fail("failed", plainSentence("the fixture was changed"));
  view = makeRules();
  receipts: Readonly<Record<string, string>> = {};
  /** Whether the transcripts have been deleted. */
  isGone = false;
  definitions: AgentDefinition[] = [];
  refusal: string | null = null;
  trials: TrialHead[] = [];
  folder: string | null = null;
  /** The answer when the file of the main conversation's rules is asked for. */
  picked: Awaited<ReturnType<RulesControllerPorts["pickMainFile"]>> = undefined;
  learned: LearnedItem[] = [];
  revision = 0;

  constructor() {
    const noted = <Answer>(name: string, answer: Answer) => {
      this.did.push(name);
      return succeed(answer);
    };
    this.service = new FakeConnection({
      rulesRead: () => succeed({ view: this.view, revision: this.revision }),
      rulesAct: ({ id, act }) => {
        this.did.push(`${act.kind} ${id}`);
        if (this.refusal !== null) return fail("failed", plainSentence(this.refusal));
        this.revision += 1;
        const changed = act.kind === "edit" ? "r0000000009" : id;
        return succeed({
          id: changed,
          why: plainSentence("approved"),
          memory: null,
          view: this.view,
          revision: this.revision,
        });
      },
      rulesActOnMany: ({ ids, act }) => {
        this.did.push(`${act.kind} ${ids.join(",")}`);
        if (this.refusal !== null) return fail("failed", plainSentence(this.refusal));
        this.revision += 1;
        const [refused, ...changed] = ids.toReversed();
        return succeed({
          ids: changed.toReversed(),
          refused:
            refused === undefined ? [] : [{ id: refused, why: plainSentence("it is approved already") }],
          memories: act.kind === "letIn" ? [{ agent: "scout", why: plainSentence("the disk is full") }] : [],
          view: this.view,
          revision: this.revision,
        });
      },
      rulesMainFile: ({ project, name }) => {
        this.did.push(`file ${String(name)} in ${project}`);
        this.revision += 1;
        const memory = makeMemory({ agent: "main", project, file: `${project}/${String(name)}` });
        this.view = { ...this.view, memories: [...this.view.memories, memory] };
        return succeed({ view: this.view, revision: this.revision });
      },
      rulesEvidenceOf: () => succeed({ evidence: makeEvidence() }),
      memoryCompile: ({ replaces }) => noted(`compile ${String(replaces)}`, { memory: makeMemory() }),
      memoryUndo: ({ version }) => noted(`undo ${version}`, { memory: makeMemory() }),
      rulesReceipt: ({ id }) => succeed({ json: this.receipts[id] ?? "{}" }),
      rulesReport: () => succeed({ report: makeReport() }),
      trialList: () => succeed({ trials: this.trials }),
      trialStatus: ({ id }) => noted(`status ${String(id)}`, { trial: makeTrial() }),
      trialStart: ({ project, ruleIds, isApproved }) => {
        if (this.refusal !== null) return fail("failed", plainSentence(this.refusal));
        const what = `${isApproved ? "try" : "plan"} ${String(ruleIds)} in ${String(project)}`;
        return noted(what, { plan: trialPlan, trial: isApproved ? makeHead() : null });
      },
      learnItems: () => succeed({ items: this.learned }),
      learnMark: ({ id, state, text }) => noted(`mark ${id} ${state} ${String(text)}`, {}),
      trialStop: ({ id }) => noted(`stop ${id}`, { trial: makeHead({ stoppedAt: 5 }) }),
      benchChoices: () => succeed(choices),
      benchPlan: ({ ask }) => (ask.tokenCap === 1 ? this.noPlan : succeed({ plan })),
      benchStart: ({ ask }) => noted(`start ${ask.kind}`, { id: "s1" }),
      benchCancel: ({ id }) => noted(`cancel ${id}`, {}),
      benchResume: ({ id }) => noted(`resume ${id}`, {}),
      benchList: () => succeed({ jobs: [makeSummary(), makeSelection()] }),
    });
    this.talk = new RulesController({
      service: this.service,
      window: {
        workspace: () => this.folder,
        isTrusted: () => true,
        env: () => ({}),
        began: () => undefined,
      },
      root: () => "/root",
      t: (text, ...values) =>
        values.reduce<string>((made, value, index) => made.replace(`{${index}}`, String(value)), text),
      post: (message) => this.posted.push(message),
      openFile: (file, line) => this.did.push(`open ${file}:${line}`),
      definitions: () => Promise.resolve(this.definitions),
      folders: () => (this.folder === null ? [] : [this.folder]),
      pickMainFile: () => Promise.resolve(this.picked),
      addMemory: (file) => this.did.push(`add memory ${file}`),
      openReceipt: (json) => this.did.push(`receipt ${json}`),
      openText: (text) => this.did.push(`text ${text}`),
      isThere: () => Promise.resolve(!this.isGone),
      add: () => this.did.push("add"),
      promote: ({ id }) => this.did.push(`promote ${id}`),
      showLog: () => this.did.push("log"),
      onProblem: (message) => this.did.push(message),
    });
  }

  /** Simulates another client's change of a rule. */
  changed(waiting: number): void {
    this.revision += 1;
    this.notifyChanged(waiting);
  }

  notifyChanged(waiting = 1): void {
    this.service.notices.rulesChanged.fire({ waiting, revision: this.revision });
  }

  async begun(): Promise<this> {
    this.talk.handleMessage({ type: "ready", place: null });
    await waitUntil(() => this.posted.some(({ type }) => type === "rules"));
    return this;
  }
}
