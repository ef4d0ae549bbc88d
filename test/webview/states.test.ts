import { plainSentence } from "../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { emptyOverview, fresh, makeOverview, overviewMessage } from "./ledger/fixtures.ts";
import { ledgerPanel, type PanelPage } from "./panel-page.ts";
import { startPanel } from "./start-panel.ts";
import { makeSession, sessionMessage } from "./ledger/session-fixture.ts";

describe("the panel's states with problems", { timeout: 240_000 }, () => {
  let panel: PanelPage;
  before(async () => {
    panel = await startPanel(ledgerPanel);
  });
  after(() => panel.close());
  const open = async (...messages: unknown[]) => {
    await panel.open();
    for (const message of messages) await panel.postToPanel(message);
    return panel.page;
  };
  const finish = () => {
    assert.deepEqual(panel.pageErrors, []);
  };

  test("a skeleton, after a moment, while the first answer is awaited", async () => {
    const page = await open();
    await page.locator(".skeleton").waitFor();
    assert.equal(await page.getByRole("main").getAttribute("aria-busy"), "true");
    finish();
  });

  test("nothing ever: what will be here, and how to begin", async () => {
    const page = await open(overviewMessage(emptyOverview()));
    await page.getByRole("heading", { name: "No usage yet" }).waitFor();
    await page.getByRole("button", { name: "Get Started" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "getStarted" });
    finish();
  });

  test("nothing that fits the filter: all of it is one click away", async () => {
    const { choices } = makeOverview(3);
    const page = await open(overviewMessage({ ...emptyOverview(), choices }));
    await page.getByRole("button", { name: "Show All" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), {
      type: "ask",
      question: { range: { kind: "all" }, project: null, program: null },
    });
    finish();
  });

  test("while transcripts are read: how many, and what cannot be", async () => {
    const problems = [{ path: "/home/mara/.claude/projects/x.jsonl", reason: plainSentence("EACCES") }];
    const reading = { asOf: null, files: 400, done: 123, problems };
    const page = await open(overviewMessage(makeOverview(5), { freshness: reading }));
    await page.getByText("Reading transcripts: 123 of 400").waitFor();
    await page.getByText("Not all is read yet").waitFor();
    await page.getByText("1 problem").click();
    await page.getByText("EACCES").waitFor();
    await panel.postToPanel(overviewMessage(emptyOverview(), { freshness: reading }));
    await page.getByRole("heading", { name: "Reading transcripts for the first time" }).waitFor();
    finish();
  });

  test("an error shows its reason and the remedy", async () => {
    const page = await open({
      type: "error",
      about: "overview",
      message: "Usage could not be read: locked",
    });
    await page.getByRole("heading", { name: "Nothing can be shown now" }).waitFor();
    await page.getByText("Usage could not be read: locked.", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Show Log" }).click();
    await page.getByRole("button", { name: "Try Again" }).click();
    assert.deepEqual(panel.panelMessages.slice(1), [{ type: "showLog" }, { type: "retry" }]);
    await page.locator(".skeleton").waitFor();
    finish();
  });

  test("offline, without known content and with it", async () => {
    const offline = { type: "offline", message: "Purser's service is not running." };
    const page = await open(offline);
    await page.getByRole("heading", { name: "The service is offline" }).waitFor();
    await panel.postToPanel(overviewMessage(makeOverview(5)));
    await page.getByRole("heading", { name: "Breakdown" }).waitFor();
    await panel.postToPanel(offline);
    await page.locator(".banner").getByText("not running").waitFor();
    assert.ok(await page.getByRole("heading", { name: "Breakdown" }).isVisible());
    finish();
  });

  test("a screen reader announces a requested answer, but not each update", async () => {
    const page = await open(overviewMessage(makeOverview(5)));
    const status = page.getByRole("status");
    await page.getByRole("heading", { name: "Breakdown" }).waitFor();
    const heard = await status.innerText();
    assert.match(heard, /new tokens in 182 sessions\.$/u);
    await panel.postToPanel(overviewMessage(makeOverview(9)));
    await page.waitForTimeout(100);
    assert.equal(await status.innerText(), heard);
    finish();
  });

  test("ignores messages that are not the host's, and shows an error for malformed ones", async () => {
    const page = await open(null, 7, { kind: "theme" });
    await page.waitForTimeout(50);
    assert.equal(await page.getByRole("button", { name: "Try Again" }).count(), 0);
    await panel.postToPanel({ type: "overview", overview: 7 });
    await page.getByText("Reload the window").first().waitFor();
    finish();
  });
});

describe("text from outside", { timeout: 240_000 }, () => {
  let panel: PanelPage;
  before(async () => {
    panel = await startPanel(ledgerPanel);
  });
  after(() => panel.close());

  test("is shown as text, cleaned and cut, in any place", async () => {
    const evil = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
    const texts = [
      evil,
      "\u202Eright to left\u202C",
      "\u001b[31mred\u0007",
      "x".repeat(10_000),
      "\u200b",
      "$(alert) ${7*7}",
    ];
    const overview = makeOverview(5);
    const session = makeSession("one", 12);
    const nasty = (index: number) => `${texts[index % texts.length] ?? ""}#${index}`;
    const parts = overview.projects.map((part, index) => ({ ...part, key: nasty(index) }));
    const called = overview.tools.map((part, index) => ({ ...part, key: nasty(index) }));
    const message = overviewMessage(
      {
        ...overview,
        days: overview.days.map(({ day, models }) => ({
          day,
          programs: parts,
          models: models.map((part, index) => ({ ...part, key: nasty(index) })),
        })),
        projects: parts,
        models: parts,
        programs: parts,
        branches: parts,
        subagents: parts,
        tools: called,
        skills: called,
        servers: called,
        sessions: overview.sessions.map((one, index) => ({
          ...one,
          title: nasty(index),
          cwd: nasty(index + 1),
        })),
        rereads: overview.rereads.map((one, index) => ({ ...one, path: nasty(index) })),
        anomalies: overview.anomalies.map((one, index) => ({ ...one, title: nasty(index) })),
        choices: { projects: texts, programs: texts.map((text) => text.slice(0, 90)), machines: [] },
      },
      { freshness: { ...fresh, problems: [{ path: nasty(0), reason: plainSentence(nasty(1)) }] } },
    );
    const page = await panel.open({ size: { width: 400, height: 800 } });
    await panel.postToPanel(message);
    await page.getByRole("heading", { name: "Breakdown" }).waitFor();
    for (const name of ["Model", "Agent", "Branch", "Subagent", "Tool", "Skill", "MCP Server"])
      await page.getByRole("tab", { name, exact: true }).click();
    const check = async () => {
      const found = await page.evaluate(`(() => {
        const all = [];
        const walk = (root) => { for (const e of root.querySelectorAll("*:not(style)")) { all.push(e); if (e.shadowRoot) walk(e.shadowRoot); } };
        walk(document);
        return JSON.stringify({
          made: all.filter((e) => ["IMG", "SCRIPT"].includes(e.tagName) && !e.nonce).length,
          hacked: window.hacked ?? null,
          longest: Math.max(...all.map((e) => [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.length)).flat(), ...all.map((e) => e.title?.length ?? 0)),
          marks: all.some((e) => /[\\u202A-\\u202E\\u2066-\\u2069\\u001b\\u0007]/u.test((e.title ?? "") + [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join(""))),
          wide: document.documentElement.scrollWidth > window.innerWidth,
        });
      })()`);
      assert.deepEqual(JSON.parse(String(found)), {
        made: 0,
        hacked: null,
        longest: 1000,
        marks: false,
        wide: false,
      });
    };
    await check();
    await page.getByRole("table", { name: "Sessions" }).getByRole("button").nth(9).click();
    const asked = panel.panelMessages.at(-1);
    const id = asked?.type === "openSession" ? asked.id : "";
    const turns = session.turns.map((turn, index) => ({
      ...turn,
      model: nasty(index),
      tools: [nasty(index)],
      fill: (turn.fill ?? []).map((part, position) => ({ ...part, name: nasty(position) })),
    }));
    const summary = {
      ...session.session,
      title: nasty(0),
      cwd: nasty(3),
      branch: nasty(1),
      program: nasty(3),
      parentId: nasty(2),
    };
    const runs = session.runs.map((run, index) => ({ ...run, agent: nasty(index) }));
    const subagents = session.subagents.map((one, index) => ({
      ...one,
      description: nasty(index),
      type: nasty(3),
    }));
    await panel.postToPanel(
      sessionMessage({ ...session, session: summary, turns, runs, subagents, tools: called }, id),
    );
    await page.getByRole("heading", { name: "Runs" }).waitFor();
    await check();
    assert.deepEqual(panel.pageErrors, []);
  });
});
