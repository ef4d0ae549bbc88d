import assert from "node:assert/strict";
import test from "node:test";
import { Emitter } from "../../src/engine/base/emitter.ts";
import { fail, succeed } from "../../src/engine/base/result.ts";
import type { AgentDefinition } from "../../src/engine/rules/needs.ts";
import type { JobSummary } from "../../src/engine/service/bench-view.ts";
import type { RulesClient } from "../../src/engine/service/rules-client.ts";
import type { BenchSource } from "../../src/extension/bench-source.ts";
import { RulesConversation } from "../../src/extension/rules-conversation.ts";
import { RulesSource, type RulesLink } from "../../src/extension/rules-source.ts";
import type { HostMessage } from "../../src/webview/rules/protocol.ts";
import { waitUntil } from "../engine/support/wait-until.ts";
import { choices, makeSummary, plan } from "../webview/bench/fixtures.ts";
import { makeReport } from "../webview/status/fixtures.ts";
import {
  makeEvidence,
  makeMemory,
  makeRule,
  makeRules,
  makeSelection,
  selectAsk,
} from "../webview/rules/fixtures.ts";

const refused = (detail: string) => ({ ok: false, reason: "refused", detail }) as const;

/** A conversation with a service that answers as it is told. */
class Talk {
  readonly posted: HostMessage[] = [];
  readonly did: string[] = [];
  readonly changes = new Emitter<{ readonly waiting: number }>();
  readonly clients = new Emitter<void>();
  readonly talk: RulesConversation;
  readonly jobs = new Emitter<readonly JobSummary[] | undefined>();
  readonly noPlan = fail("failed" as const, "the fixture was changed");
  isOffline = false;
  isStarting = false;
  definitions: AgentDefinition[] = [];
  refusal: string | null = null;

  constructor() {
    const rules: Pick<RulesClient, keyof RulesClient> = {
      onChanged: this.changes.on,
      read: () => Promise.resolve(succeed({ view: makeRules() })),
      act: (id, act) => {
        this.did.push(`${act.kind} ${id}`);
        const rule = makeRule({ id: act.kind === "edit" ? "r0000000009" : id });
        return Promise.resolve(
          this.refusal === null ? succeed({ rule, memory: null }) : refused(this.refusal),
        );
      },
      evidenceOf: () => Promise.resolve(succeed({ evidence: makeEvidence() })),
      compileMemory: ({ replaces }) => {
        this.did.push(`compile ${String(replaces)}`);
        return Promise.resolve(succeed({ memory: makeMemory() }));
      },
      undoMemory: ({ version }) => {
        this.did.push(`undo ${version}`);
        return Promise.resolve(succeed({ memory: makeMemory() }));
      },
      receipt: () => Promise.resolve(succeed({ json: "{}" })),
      propose: () => Promise.resolve(succeed({ proposed: [] })),
      measured: () => Promise.resolve(refused("not here")),
      evidence: () => Promise.resolve(succeed({ evidence: [] })),
      distil: () => Promise.resolve(refused("not here")),
      nudge: () => Promise.resolve(refused("not here")),
      report: () => Promise.resolve(succeed({ report: makeReport() })),
      dispose: () => undefined,
    };
    const isOffline = () => this.isOffline;
    const isStarting = () => this.isStarting;
    const link: RulesLink = {
      get client() {
        return isOffline() || isStarting() ? undefined : { rules };
      },
      get state(): RulesLink["state"] {
        if (isStarting()) return { kind: "starting" };
        return isOffline() ? { kind: "failed", reason: "It is away." } : { kind: "ready" };
      },
      onClient: this.clients.on,
      onChange: () => ({ dispose: () => undefined }),
      retry: () => Promise.resolve(),
    };
    this.talk = new RulesConversation({
      source: new RulesSource(link),
      root: () => "/root",
      t: (text, ...values) =>
        values.reduce<string>((made, value, index) => made.replace(`{${index}}`, String(value)), text),
      post: (message) => this.posted.push(message),
      openFile: (file, line) => this.did.push(`open ${file}:${line}`),
      definitions: () => Promise.resolve(this.definitions),
      addMemory: (file) => this.did.push(`add memory ${file}`),
      openReceipt: (json) => this.did.push(`receipt ${json}`),
      add: () => this.did.push("add"),
      benches: this.benches(),
      showLog: () => this.did.push("log"),
      onProblem: (message) => this.did.push(message),
    });
  }

  benches(): BenchSource {
    const noted = <Answer>(name: string, answer: Answer) => {
      this.did.push(name);
      return Promise.resolve(succeed(answer));
    };
    return {
      isTrusted: true,
      ready: () => Promise.resolve(),
      choices: () => Promise.resolve(succeed(choices)),
      plan: (asked) => Promise.resolve(asked.tokenCap === 1 ? this.noPlan : succeed(plan)),
      start: ({ kind }) => noted(`start ${kind}`, { id: "s1" }),
      cancel: (id) => noted(`cancel ${id}`, {}),
      resume: (id) => noted(`resume ${id}`, {}),
      list: () => Promise.resolve(succeed([makeSummary(), makeSelection()])),
      read: () => Promise.resolve(succeed(null)),
      runPage: () => Promise.resolve(succeed(null)),
      change: () => Promise.resolve(succeed(null)),
      retry: () => Promise.resolve(),
      onChange: this.jobs.on,
    };
  }

  async begun(): Promise<this> {
    this.talk.hear({ type: "ready", place: null });
    await waitUntil(() => this.posted.some(({ type }) => type === "rules"));
    return this;
  }
}

test("It tells which agents do not read their memory, and opens only a definition that is there", async () => {
  const told = await new Talk().begun();
  const last = () => told.posted.findLast((message) => message.type === "unreached")?.agents;
  await waitUntil(() => last() !== undefined);
  const agents = [...new Set(makeRules().memories.map(({ agent }) => agent))];
  assert.deepEqual(
    last()?.map(({ agent, kind }) => [agent, kind]),
    agents.map((agent) => [agent, "no-definition"]),
  );
  const [name = ""] = agents;
  told.talk.hear({ type: "addMemory", agent: name });
  told.definitions = [{ name, file: "/a/x.md", memory: null }];
  told.changes.fire({ waiting: 1 });
  await waitUntil(() => last()?.[0]?.kind === "no-memory");
  told.talk.hear({ type: "addMemory", agent: name });
  await waitUntil(() => told.did.length > 0);
  assert.deepEqual(told.did, ["add memory /a/x.md"]);
  told.definitions = agents.map((each) => ({ name: each, file: "/a/x.md", memory: "user" }));
  told.changes.fire({ waiting: 1 });
  await waitUntil(() => last()?.length === 0);
  told.talk.dispose();
});

test("It tells rules when the panel begins, evidence of the one that is looked at, and again when they change", async () => {
  const told = await new Talk().begun();
  told.talk.hear({ type: "look", place: { kind: "rule", id: "r0000000002" } });
  await waitUntil(() =>
    told.posted.some((message) => message.type === "evidence" && message.id === "r0000000002"),
  );
  const before = told.posted.filter(({ type }) => type === "rules").length;
  told.changes.fire({ waiting: 1 });
  await waitUntil(() => told.posted.filter(({ type }) => type === "rules").length > before);
  told.talk.dispose();
});

test("A rule that is edited is followed; what is refused is said", async () => {
  const told = await new Talk().begun();
  told.talk.hear({ type: "act", id: "r0000000001", act: { kind: "edit", text: "Another sentence." } });
  await waitUntil(() =>
    told.posted.some((message) => message.type === "done" && message.follow === "r0000000009"),
  );
  told.refusal = "it is active already";
  told.talk.hear({ type: "act", id: "r0000000001", act: { kind: "approve" } });
  await waitUntil(() =>
    told.posted.some(
      (message) => message.type === "error" && message.message.includes("it is active already"),
    ),
  );
  told.talk.dispose();
});

test("It opens only the file that the ledger names as a rule's source", async () => {
  const told = await new Talk().begun();
  told.talk.hear({ type: "openSource", id: "r0000000001", line: 31 });
  told.talk.hear({ type: "openSource", id: "r0000000002", line: 31 });
  told.talk.hear({ type: "openSource", id: "r9", line: 1 });
  assert.deepEqual(told.did, ["open /home/mara/.claude/projects/-harbor/5e550001.jsonl:31"]);
  told.talk.dispose();
});

test("A memory that is the user's is replaced only by the very text the panel showed", async () => {
  const told = await new Talk().begun();
  told.talk.hear({ type: "compile", agent: "test-writer", replaces: "- Mine.\n" });
  told.talk.hear({ type: "undoMemory", agent: "test-writer", version: "2" });
  await waitUntil(() => told.did.length === 2);
  assert.deepEqual(told.did, ["compile - Mine.\n", "undo 2"]);
  told.talk.dispose();
});

test("Who looks at an agent's memory is told what its real work took with each version", async () => {
  const told = await new Talk().begun();
  for (const agent of ["test-writer", "nobody"]) {
    told.talk.hear({ type: "look", place: { kind: "memory", agent } });
    await waitUntil(() =>
      told.posted.some((message) => message.type === "learning" && message.agent === agent),
    );
  }
  const learned = told.posted.flatMap((message) =>
    message.type === "learning" ? [message.learned.length] : [],
  );
  assert.deepEqual(learned, [
    makeReport().agents.find(({ agent }) => agent === "test-writer")?.learned.length,
    0,
  ]);
  told.talk.dispose();
});

test("What is no message of the panel does nothing; a panel nobody sees is told nothing; offline is said", async () => {
  const told = await new Talk().begun();
  for (const message of [null, { type: "act" }, { type: "compile", agent: "" }, "ready"])
    told.talk.hear(message);
  assert.equal(told.did.length, 4);
  assert.ok(told.did.every((line) => line.includes("not understood")));
  told.talk.setVisible(false);
  const { length } = told.posted;
  told.changes.fire({ waiting: 2 });
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(told.posted.length, length);
  told.isOffline = true;
  told.talk.setVisible(true);
  await waitUntil(() =>
    told.posted.some((message) => message.type === "offline" && message.message === "It is away."),
  );
  told.talk.dispose();
});

test("Selections are told, benches are not; a price comes before a start, and what cannot be planned says why", async () => {
  const told = await new Talk().begun();
  await waitUntil(() => told.posted.some((message) => message.type === "jobs" && message.jobs.length > 0));
  const jobs = told.posted.findLast((message) => message.type === "jobs");
  assert.deepEqual(jobs?.type === "jobs" && jobs.jobs.map(({ id }) => id), ["s1"]);
  told.talk.hear({ type: "look", place: { kind: "selection", agent: "sql" } });
  await waitUntil(() => told.posted.some((message) => message.type === "offer"));
  const offer = told.posted.findLast((message) => message.type === "offer");
  assert.deepEqual(offer?.type === "offer" && offer.suite, { origin: "built-in" });
  told.talk.hear({ type: "look", place: { kind: "selection", agent: "nobody" } });
  await waitUntil(() => told.posted.some((message) => message.type === "offer" && message.suite === null));
  told.talk.hear({ type: "plan", ask: selectAsk });
  await waitUntil(() => told.posted.some((message) => message.type === "plan" && message.plan !== null));
  told.talk.hear({ type: "plan", ask: { ...selectAsk, tokenCap: 1 } });
  await waitUntil(() =>
    told.posted.some((message) => message.type === "plan" && message.problem === "the fixture was changed"),
  );
  assert.deepEqual(told.did, [], "nothing began");
  told.talk.hear({ type: "start", ask: selectAsk });
  told.talk.hear({ type: "cancel", id: "s1" });
  told.talk.hear({ type: "resume", id: "s1" });
  assert.deepEqual(told.did, ["start select", "cancel s1", "resume s1"]);
  told.jobs.fire([{ ...makeSelection(), state: { kind: "done" } }]);
  await waitUntil(() =>
    told.posted.some((message) => message.type === "jobs" && message.jobs[0]?.state.kind === "done"),
  );
  told.talk.dispose();
});

test("A panel that was ready before the service is told at once when there is one", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const told = new Talk();
  t.after(() => told.talk.dispose());
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  told.isStarting = true;
  told.talk.hear({ type: "ready", place: { kind: "rule", id: "r0000000002" } });
  await turns();
  const types = () => told.posted.map(({ type }) => type).filter((type) => type !== "jobs");
  assert.deepEqual(types(), []);
  told.isStarting = false;
  told.clients.fire();
  await turns();
  assert.deepEqual(types().sort(), ["evidence", "rules", "unreached"]);
});

test("What a person asks for while there is no service is said not to be done", async (t) => {
  const told = await new Talk().begun();
  t.after(() => told.talk.dispose());
  told.isStarting = true;
  told.talk.hear({ type: "act", id: "r0000000001", act: { kind: "approve" } });
  await waitUntil(() => told.posted.some(({ type }) => type === "error"));
  assert.deepEqual(told.posted.at(-1), {
    type: "error",
    message: "That could not be done: the service is not connected yet",
  });
});
