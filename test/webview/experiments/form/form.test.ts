import { plainSentence } from "../../../../src/engine/base/language.ts";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { assert } from "../../../engine/support/assert-texts.ts";
import { describeInstall } from "../../../../src/engine/bench/plan.ts";
import { comparisonPower } from "../../../../src/engine/compare/run-compare.ts";
import type {
  PanelMessage,
  Place,
  PlannedAsk,
} from "../../../../src/webview/experiments/experiments-protocol.ts";
import { faultsOf } from "../../faults.ts";
import type { PanelPage } from "../../panel-page.ts";
import { startPanel } from "../../start-panel.ts";
import { ask, choices, choicesMessage, plan } from "../bench/fixtures.ts";
import { ask as compareAsk, askOfSeveral, plan as comparisonPlan } from "../compare/fixtures.ts";
import { experimentsPanel, replyAsHost, stateOf } from "../open-panel.ts";

const form: Place = { kind: "form" };
const usual = { ...ask, model: null };

let panel: PanelPage<PanelMessage>;
before(async () => {
  panel = await startPanel(experimentsPanel);
});
after(() => panel.close());

const open = async (asked: Parameters<typeof stateOf>[1] = null) =>
  panel.open({ reply: replyAsHost(), state: stateOf(form, asked) });
/** Opens the panel without a host: the test sends every message. */
const openSilent = async (asked: Parameters<typeof stateOf>[1] = null) =>
  panel.open({ state: stateOf(form, asked) });
const last = () => panel.panelMessages.at(-1);
/** Resolves with the last planned request once it is as wanted: the page hears a message a moment after it is posted. */
const planned = async (isWanted: (asked: PlannedAsk) => boolean): Promise<PlannedAsk> => {
  for (let tries = 0; tries < 250; tries += 1) {
    const message = last();
    if (message?.type === "plan" && isWanted(message.ask)) return message.ask;
    await wait(20);
  }
  assert.fail(`The last message is ${JSON.stringify(last())}`);
};
const isPlanned = (asked: PlannedAsk) => planned((now) => isDeepStrictEqual(now, asked));
const finish = () => assert.deepEqual(panel.pageErrors, []);

describe("a benchmark is planned before anything is spent", { timeout: 240_000 }, () => {
  test("the button names the price of the form's request, and starts that request", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Run 12 runs · ~512k tokens · ~$3.40" }).click();
    assert.deepEqual(last(), { type: "start", ask: usual });
    finish();
  });

  test("the button has no price and cannot be pressed while the price is computed again", async () => {
    const page = await openSilent(ask);
    await panel.postToPanel(choicesMessage());
    const button = page.getByRole("button", { name: "Run", exact: true });
    await button.waitFor();
    assert.ok(await button.isDisabled());
    await panel.postToPanel({ type: "plan", ask: { ...ask, runs: 9 }, plan, problem: null });
    assert.ok(await button.isDisabled(), "a price of something else");
    await panel.postToPanel({ type: "plan", ask, plan, problem: null });
    await page.getByRole("button", { name: /^Run 12 runs/u }).waitFor();
    finish();
  });

  test("agents, tasks, model and runs are chosen, and each choice is priced and remembered", async () => {
    const page = await open();
    await page.getByRole("combobox", { name: "Agent" }).selectOption("sql");
    await page.getByLabel("Runs of each task").fill("7");
    await page.getByLabel("Runs of each task").press("Tab");
    await page.getByLabel("Model").fill("haiku");
    await page.getByLabel("Model").press("Tab");
    await page.getByLabel("Task 2 of sql").uncheck();
    const taskIds = ["sql-01", "sql-03", "sql-04"];
    const chosen = { agents: ["sql"], runs: 7, model: "haiku", taskIds };
    await isPlanned({ ...usual, ...chosen });
    const saved = z.object({ form: z.looseObject({}) }).parse(await panel.savedState());
    assert.deepEqual({ ...saved.form, ...chosen }, saved.form);
    await page.getByRole("combobox", { name: "Agent" }).selectOption("All");
    await planned((now) => now.kind === "bench" && now.agents.length === 4);
    finish();
  });

  test("the last task stays chosen, a wrong number is taken back, and a missing agent cannot be chosen", async () => {
    const page = await open();
    for (const name of ["Page through", "Do not lose", "Answer 409"])
      await page.getByLabel(new RegExp(`^${name}`, "u")).uncheck();
    assert.ok(await page.getByLabel("Refuse an order without a customer").isDisabled());
    await page.getByLabel("Runs of each task").fill("0");
    await page.getByLabel("Runs of each task").press("Tab");
    assert.equal(await page.getByLabel("Runs of each task").inputValue(), "3");
    assert.ok(await page.getByRole("option", { name: "Codex: not ready" }).isDisabled());
    finish();
  });

  test("a replay is marked as one, and as free", async () => {
    const page = await open();
    await page.getByLabel("Run with").selectOption({ label: "Replay of recordings (free demo)" });
    await page.getByText("Demo: replays a recording. It says nothing about a model.").waitFor();
    await page.getByRole("button", { name: "Replay 4 runs · free" }).waitFor();
    assert.equal(await page.getByLabel("Model").count(), 0);
    finish();
  });

  test("replays nothing by itself without an agent: names what is missing, and offers the demo", async () => {
    const page = await openSilent();
    const problem = "Claude Code was not found: there is no program claude";
    const drivers = choices.drivers.map((driver) =>
      driver.name === "replay" ? driver : { ...driver, isReady: false, problem: plainSentence(problem) },
    );
    await panel.postToPanel(choicesMessage({ drivers, driver: "claude" }));
    await page.getByText(problem).first().waitFor();
    const asked = await planned(({ driver }) => driver === "claude");
    await panel.postToPanel({ type: "plan", ask: asked, plan, problem: null });
    assert.ok(await page.getByRole("button", { name: /^Run 12 runs/u }).isDisabled());
    await page.getByRole("button", { name: "Try with Recordings (Demo)" }).click();
    await page.getByText("Demo: replays a recording. It says nothing about a model.").waitFor();
    await planned((now) => now.driver === "replay" && now.kind === "bench" && now.runs === 1);
    finish();
  });

  test("lists drafts as drafts, each with what remains to do", async () => {
    const page = await openSilent();
    const remaining = ["write its check", "remove .draft from its name, then run purser golden check"];
    const file = "/home/mara/harbor/.purser/golden/tasks/backend/01-tides.draft.md";
    const title = "Tides\u202e of <b>May</b>";
    await panel.postToPanel(
      choicesMessage({
        drafts: [{ file, agent: "backend", title, remaining: remaining.map(plainSentence) }],
      }),
    );
    await page.getByRole("heading", { name: "1 Draft" }).waitFor();
    await page.getByText("Tides of <b>May</b>").click();
    assert.deepEqual(await page.locator("details li").allInnerTexts(), remaining);
    finish();
  });

  test("makes tasks of the project's history, and lists what could not become one", async () => {
    const page = await openSilent();
    const commit = { commit: "0123456789", subject: "feat: compare words", isTask: true };
    await panel.postToPanel(
      choicesMessage({
        history: [
          { ...commit, why: plainSentence("it became a task") },
          {
            ...commit,
            commit: "abc",
            subject: "fix\u202e tides",
            isTask: false,
            why: plainSentence("it changes no test"),
          },
        ],
      }),
    );
    await page.getByRole("button", { name: "Make Tasks from History…" }).click();
    assert.deepEqual(last(), { type: "draftTasks" });
    await page.getByText(/1 commit became a task\s+·\s+1 could not/u).waitFor();
    await page.getByText("Why not").click();
    const row = page.getByRole("table", { name: "Commits that became no task" }).getByRole("row").nth(1);
    assert.match(await row.innerText(), /^fix tides abc\s+it changes no test$/u);
    assert.deepEqual(await faultsOf(page), []);
    finish();
  });

  test("explains why an untrusted workspace's own suite is missing", async () => {
    const page = await openSilent();
    await panel.postToPanel(choicesMessage({}, false));
    await page.getByRole("button", { name: "Manage Trust" }).click();
    assert.deepEqual(last(), { type: "manageTrust" });
    finish();
  });

  test("names downloads before the first run, and nothing once they are there", async () => {
    const page = await openSilent();
    await panel.postToPanel(choicesMessage());
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
    const post = (install: typeof plan.install) =>
      panel.postToPanel({ type: "plan", ask: usual, plan: { ...plan, install }, problem: null });
    const said = page.locator("form .banner", { hasText: "npm downloads" });
    await post({ packages: 213 });
    await said.waitFor();
    assert.equal((await said.innerText()).trim(), describeInstall({ packages: 213 }));
    await post(null);
    await said.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Run 12 runs/u }).waitFor();
    finish();
  });

  test("gives the reason if no plan can be made", async () => {
    const page = await openSilent();
    await panel.postToPanel(choicesMessage());
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
    const problem = "The fixture was changed: src/app.ts.";
    await panel.postToPanel({ type: "plan", ask: usual, plan: null, problem });
    await page.locator(".banner").getByText(problem).waitFor();
    assert.equal(await page.getByRole("status").innerText(), problem);
    finish();
  });

  test("no suite, and no usable one", async () => {
    const page = await openSilent();
    await panel.postToPanel(choicesMessage({ suites: [] }));
    await page.getByRole("heading", { name: "There is no golden suite" }).waitFor();
    const broken = { suite: { origin: "built-in" as const }, agents: [], tasks: [] };
    const problem = plainSentence("The fixture was changed: src/app.ts");
    await panel.postToPanel(choicesMessage({ suites: [{ ...broken, problem }] }));
    await page.getByText("The fixture was changed: src/app.ts").waitFor();
    finish();
  });
});

describe("a comparison is planned in the same form", { timeout: 240_000 }, () => {
  test("another kind asks for what changes, keeps the rest, and has a price of its own", async () => {
    const page = await open();
    await page.getByRole("combobox", { name: "Agent" }).selectOption("sql");
    await page.getByRole("radio", { name: /^Comparison/u }).check();
    await page.getByText("opus vs. the agent's own model").waitFor();
    await page.getByLabel("Changed model").fill("haiku");
    await page.getByLabel("Changed model").press("Tab");
    await page.getByLabel("Compared with").fill("sonnet");
    await page.getByLabel("Compared with").press("Tab");
    await page.getByText("haiku vs. sonnet").waitFor();
    await isPlanned({ ...compareAsk, agent: "sql" });
    await page.getByRole("button", { name: "Run 96 runs · ~3.9M tokens · ~$14.20" }).click();
    assert.deepEqual(last(), { type: "start", ask: { ...compareAsk, agent: "sql" } });
    finish();
  });

  test("another number of rounds or another limit is another price", async () => {
    const page = await open(compareAsk);
    await page.getByLabel("Rounds at most").fill("5");
    await page.getByLabel("Rounds at most").press("Tab");
    await isPlanned({ ...compareAsk, rounds: 5 });
    await page.getByLabel("Limit (new tokens)").fill("500000");
    await page.getByLabel("Limit (new tokens)").press("Tab");
    await isPlanned({ ...compareAsk, rounds: 5, tokenCap: 500_000 });
    await page.getByLabel("Limit (new tokens)").fill("");
    await page.getByLabel("Limit (new tokens)").press("Tab");
    await isPlanned({ ...compareAsk, rounds: 5 });
    finish();
  });

  test("further models share the runs, and removing them makes it one change again", async () => {
    const page = await open(compareAsk);
    const field = page.getByLabel("Further models");
    await field.fill(" gpt-5.5-mini, opus ,");
    await field.press("Tab");
    await isPlanned(askOfSeveral);
    await field.fill("a,b,c,d,e,f,g,h");
    await field.press("Tab");
    assert.equal(await field.inputValue(), "gpt-5.5-mini, opus");
    await field.fill("");
    await field.press("Tab");
    await isPlanned(compareAsk);
    finish();
  });

  test("says first how little it would decide; the chances are a table, and a chart", async () => {
    const page = await openSilent(compareAsk);
    await panel.postToPanel(choicesMessage());
    const about = { weights: [1, 1, 1, 1], rounds: 12, changes: 1 };
    const power = comparisonPower(about, { ...plan.expected, perRun: 60_000, spread: 0.3 });
    await panel.postToPanel({
      type: "plan",
      ask: compareAsk,
      plan: { ...comparisonPlan, power },
      problem: null,
    });
    await page
      .locator(".banner", { hasText: /^\s*Too little to decide: a chance of \d in \d+ for/u })
      .waitFor();
    const table = page.getByRole("table", { name: "Chance to decide by budget" });
    assert.deepEqual(
      (await table.getByRole("columnheader").allTextContents()).map((text) => text.trim()),
      ["Tokens", "Saves 5%", "Saves 10%", "Saves 20%"],
    );
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole("button", { name: "Show Chart: chance by budget" }).click();
    const chart = page.getByRole("slider", { name: /^Chance to decide, by new tokens/u });
    await chart.focus();
    await page.keyboard.press("End");
    assert.match((await chart.getAttribute("aria-valuetext")) ?? "", /tokens · saves 5%: /u);
    assert.deepEqual(await faultsOf(page), []);
    finish();
  });

  test("cannot be started while its agent cannot run, and gives the reason with a next step", async () => {
    const page = await openSilent(compareAsk);
    await panel.postToPanel(choicesMessage());
    const unready = plainSentence("Claude Code was not found on this machine");
    await panel.postToPanel({
      type: "plan",
      ask: compareAsk,
      plan: { ...comparisonPlan, unready },
      problem: null,
    });
    const reason = page.locator(".banner", { hasText: "cannot run here: Claude Code was not found" });
    await reason.waitFor();
    assert.ok(await page.getByRole("button", { name: /^Run 96 runs/u }).isDisabled());
    await reason.getByRole("button", { name: "Try Again" }).click();
    assert.deepEqual(last(), { type: "plan", ask: compareAsk });
    finish();
  });

  test("the other prompt is one of the workspace's own, or a copy that is edited", async () => {
    const page = await openSilent(compareAsk);
    await panel.postToPanel(choicesMessage());
    await page.getByLabel("What changes").selectOption("Another prompt");
    await page.getByText("There is no other prompt for backend yet.").waitFor();
    assert.ok(await page.getByRole("button", { name: "Run", exact: true }).isDisabled());
    await page.getByRole("button", { name: "Edit a copy of its prompt" }).click();
    assert.deepEqual(last(), { type: "copyPrompt", agent: "backend", file: null });
    const prompt = {
      agent: "backend",
      file: "/w/.purser/prompts/backend-2.md",
      name: ".purser/prompts/backend-2.md",
      definition: "---\nname: backend\n---\nBe brief.\n",
    };
    const others = { ...prompt, agent: "sql", file: "/w/.claude/agents/sql.md", name: "sql.md" };
    await panel.postToPanel({ type: "copied", file: prompt.file });
    const message = z.looseObject({}).parse(choicesMessage());
    await panel.postToPanel({ ...message, prompts: [others, prompt] });
    const change = { kind: "prompt" as const, name: prompt.name, definition: prompt.definition };
    await isPlanned({ ...compareAsk, change });
    // A saved edit is priced and run as it is now.
    const definition = `${prompt.definition}Be polite.\n`;
    await panel.postToPanel({ ...message, prompts: [others, { ...prompt, definition }] });
    await isPlanned({ ...compareAsk, change: { ...change, definition } });
    await page.getByRole("button", { name: "Open it" }).click();
    assert.deepEqual(last(), { type: "openPrompt", file: prompt.file });
    finish();
  });

  test("a file of one side is asked for, and what it runs is said", async () => {
    const page = await open(compareAsk);
    await page.getByLabel("What changes").selectOption("With MCP servers");
    await page.getByRole("button", { name: "Choose…" }).click();
    assert.deepEqual(last(), { type: "chooseFile", subject: "mcp" });
    const files = [{ path: ".mcp.json", text: "{}" }];
    const change = { kind: "setting" as const, name: plainSentence("harbor.json"), files };
    await panel.postToPanel({ type: "chosen", subject: "mcp", change });
    await page.getByText("The MCP servers of this file are started.").waitFor();
    await planned((now) => now.kind === "compare" && now.change.kind === "setting");
    finish();
  });

  test("a command fills in what it knows, even before anything is known", async () => {
    const page = await openSilent();
    const change = {
      kind: "without" as const,
      file: { is: "file" as const, path: "CLAUDE.md" },
      text: "Be brief.",
      heading: "Style",
    };
    const compare = { change, shared: [], agent: "sql", driver: "claude" };
    await panel.postToPanel({ type: "begin", seed: { kind: "comparison", compare } });
    await panel.postToPanel(choicesMessage());
    await page.getByText("Without CLAUDE.md#Style vs. unchanged").waitFor();
    await planned(
      (now) => now.kind === "compare" && now.agent === "sql" && isDeepStrictEqual(now.change, change),
    );
    await panel.postToPanel({ type: "begin", seed: { kind: "benchmark" } });
    await planned(({ kind }) => kind === "bench");
    finish();
  });
});

describe("the kinds that go on elsewhere", { timeout: 240_000 }, () => {
  test("rules and trials are planned in Rules, for an agent that has some", async () => {
    const page = await open();
    await page.getByRole("radio", { name: /^Rules/u }).check();
    await page.getByRole("combobox", { name: "Agent" }).selectOption("sql");
    await page.getByRole("button", { name: "Show Price in Rules" }).click();
    assert.deepEqual(last(), { type: "openRules", page: "rules", agent: "sql" });
    await page.getByRole("radio", { name: /^Trial on real work/u }).check();
    await page.getByRole("button", { name: "Show Price in Rules" }).click();
    assert.deepEqual(last(), { type: "openRules", page: "trial", agent: "sql" });
    await page.getByRole("button", { name: "Try Guards…" }).click();
    assert.deepEqual(last(), { type: "openRules", page: "guards", agent: null });
    finish();
  });

  test("a shorter prompt is proposed in the terminal, if Claude Code can write it", async () => {
    const page = await open();
    await page.getByRole("radio", { name: /^Shorter prompt/u }).check();
    await page.getByRole("button", { name: "Show Price in Terminal" }).click();
    assert.deepEqual(last(), { type: "shorten", agent: "backend" });
    const drivers = choices.drivers.map((driver) => ({ ...driver, isReady: false }));
    await panel.postToPanel(choicesMessage({ drivers }));
    await page.getByText("A shorter prompt needs Claude Code, which is not ready.").waitFor();
    assert.ok(await page.getByRole("button", { name: "Show Price in Terminal" }).isDisabled());
    finish();
  });
});

describe("the state of a panel that this one replaces", { timeout: 240_000 }, () => {
  const opened = async (state: object) => {
    const page = await panel.open({ reply: replyAsHost(), state });
    await page.locator("main[aria-busy=false]").waitFor();
    return panel.panelMessages.find(({ type }) => type === "ready");
  };

  test("is restored, from Benchmark and from Compare", async () => {
    const bench = { kind: "bench", id: "b3" };
    assert.deepEqual(await opened({ place: bench, ask, scroll: 0 }), {
      type: "ready",
      place: { kind: "job", id: "b3" },
      ask,
    });
    assert.deepEqual(await opened({ place: { kind: "plan" }, ask: compareAsk, scroll: 0 }), {
      type: "ready",
      place: form,
      ask: compareAsk,
    });
    assert.deepEqual(await opened({ place: { kind: "home" }, ask: null, scroll: 9 }), {
      type: "ready",
      place: { kind: "home" },
      ask: null,
    });
    finish();
  });
});
