import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { firstState, type PanelMessage } from "../../../src/webview/guard/guard-protocol.ts";
import type { PanelPage } from "../panel-page.ts";
import { netViewOf } from "../../../src/engine/guard/guard-answers.ts";
import { makeSaving } from "../../engine/guard/support/make-saving.ts";
import { startPanel } from "../start-panel.ts";
import { now } from "../ledger/fixtures.ts";
import {
  addedException,
  emptyView,
  makeBook,
  makeHit,
  makeNet,
  makeRule,
  makeView,
  rulesMessage,
  saving,
  viewMessage,
} from "./fixtures.ts";
import { guardPanel } from "./open-panel.ts";

const offline = { type: "offline", message: "Purser's service is not running." };

describe("the Guard panel", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(guardPanel);
  });
  after(() => panel.close());

  const open = async (
    options: Parameters<typeof panel.open>[0] = {},
    view = makeView(),
    book = makeBook(),
  ) => {
    const page = await panel.open(options);
    await panel.postToPanel(viewMessage(view));
    await panel.postToPanel(rulesMessage(book));
    await page.getByRole("heading", { name: "Your rules and exceptions" }).waitFor();
    return page;
  };
  const main = () => panel.page.getByRole("main").innerText();
  const entry = (text: string) => panel.page.locator(".fired > li > ul > li", { hasText: text });

  test("shows one number, its source, and its mode", async () => {
    const page = await open();
    assert.deepEqual(panel.panelMessages, [{ type: "ready", days: 7 }]);
    assert.match(await main(), /~[\d,]+\s+tokens could have been left out of outputs in 7 days/u);
    assert.match(
      await main(),
      /20 calls · 13 would have been asked about · 2 asked about or denied · 48 kB/u,
    );
    await page.getByText("Watching only. Nothing is blocked.").waitFor();
    const day = { day: "2026-11-20", family: "output", count: 1 };
    await panel.postToPanel(
      viewMessage(
        makeView({
          days: [
            { ...day, done: "replaced", ...saving(36_000) },
            { ...day, done: "observed", ...saving(3600) },
          ],
          modes: { all: "on", families: {} },
        }),
      ),
    );
    await page.getByRole("button", { name: "Turn On…" }).waitFor({ state: "detached" });
    assert.match(
      await main(),
      /~10,000\s+tokens left out of outputs in 7 days[\s\S]*~1,000 tokens more could have been left out/u,
    );
  });

  test("Turn On asks family by family with what each would have done, and says since when it is on", async () => {
    const page = await open();
    const count = panel.panelMessages.length;
    await page.getByRole("button", { name: "Turn On…" }).click();
    const form = page.getByRole("form", { name: "Turn On Guard" });
    const text = await form.innerText();
    assert.match(text, /found in the last 7 days[\s\S]*Safety: 13 questions, 1 denied call/u);
    assert.match(text, /Secrets: 1 question[\s\S]*Output: 48 kB less[\s\S]*Verification: nothing/u);
    assert.equal(panel.panelMessages.length, count, "one click turns nothing on");
    await form.getByRole("checkbox", { name: /^Loops/u }).uncheck();
    await form.getByRole("button", { name: "Turn On These" }).click();
    const families = ["safety", "secrets", "protect", "facts", "waste", "output", "verification", "learned"];
    assert.deepEqual(panel.panelMessages.at(-1), { type: "turnOn", families });
    const on = makeView({ modes: { all: "on", families: { loops: "observe" } } });
    await panel.postToPanel(viewMessage(on, true, now - 175 * 60_000));
    const banner = page.locator(".banner.info");
    assert.match(await banner.innerText(), /Guard is on · since 11:37\s+Without Loops\.\s+Watch Only/u);
    await banner.getByRole("button", { name: "Watch Only" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "setMode", family: null, mode: "observe" });
  });

  test("says what smaller outputs saved net, and whether it is known", async () => {
    await open({}, makeView({ net: makeNet() }));
    const page = panel.page;
    assert.match(
      await main(),
      /~[\d,]+\s+tokens saved net in 7 days\s+gross [\d,]+, minus [\d,]+ · Whether it saves is not known yet: −[\d,]+ to [\d,]+ with 90% confidence\./u,
    );
    const table = page.getByRole("table", { name: "What smaller outputs saved" });
    const row = async (name: string) =>
      (await table.getByRole("row", { name }).innerText()).split(/\s*\n?\t\s*/u);
    assert.match((await row("npm test")).join(" "), /^npm test 120 [\d,]+ 0 [\d,]+ \d+k … \d+k$/u);
    assert.match((await row("kubectl get")).join(" "), / −[\d,]+ −\d+k … −\d+k$/u);
    assert.match((await row("WebFetch")).join(" "), / not known yet$/u);
    await page
      .getByText(
        /net \$[\d.]+ at list prices, .* · 48× the original fetched · 18× the same command again · 18× a narrower command/u,
      )
      .waitFor();
    await page.getByLabel("Group by").selectOption("Tool");
    await table.getByRole("row", { name: "Bash" }).waitFor();
    await panel.postToPanel(
      viewMessage(
        makeView({ net: netViewOf({ savings: [makeSaving(1, { outputs: 0, pending: 2 })], wakes: [] }, 0) }),
      ),
    );
    await page
      .getByText("2 outputs were made smaller. What they save is known with the agent's next requests.")
      .waitFor();
  });

  test("shows a format that is switched off, switches it on, and takes that back", async () => {
    const page = await open({}, makeView({ net: makeNet() }));
    await page.getByText("Switched off: kubectl get").waitFor();
    await page
      .getByText(/smaller-output-json does not save here: net −[\d,]+ tokens \(−\d+k … −\d+k\)\./u)
      .waitFor();
    await page.getByRole("button", { name: "Switch On Again" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "wake", rule: "smaller-output-json:kubectl get" });
    await panel.postToPanel(viewMessage(makeView({ net: makeNet() })));
    await page.getByRole("button", { name: "Undo: smaller-output-npm:npm install" }).click();
    const undone = { type: "unwake", rule: "smaller-output-npm:npm install", at: now - 3_600_000 };
    assert.deepEqual(panel.panelMessages.at(-1), undone);
    const chosen = makeBook({ rules: [makeRule({ id: "smaller-output-json", isChosen: true })] });
    await panel.postToPanel(rulesMessage(chosen));
    await page.getByText("Switched off: kubectl get").waitFor({ state: "detached" });
  });

  test("savings are a chart for keys and a table, with a note on the estimate of tokens", async () => {
    const page = await open();
    const chart = page.getByRole("slider", { name: /^Tokens left out of outputs by family and day/u });
    await chart.focus();
    await page.keyboard.press("Home");
    assert.match(
      (await chart.getAttribute("aria-valuetext")) ?? "",
      /^Nov 15, 2026: ~[\d,]+, Output ~[\d,]+, Waste ~[\d,]+$/u,
    );
    const warnings = page.locator("purser-section", { hasText: "Recent warnings" }).locator("ul.fired");
    await warnings.waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("No warning of this day is among the newest.").waitFor();
    await page.getByRole("button", { name: "Stop showing only Nov 15, 2026" }).click();
    await warnings.waitFor();
    await page.getByRole("button", { name: /^Show Table/u }).click();
    assert.equal(
      await page
        .getByRole("table", { name: /^Tokens left out/u })
        .getByRole("row")
        .count(),
      8,
    );
    await page
      .getByRole("button", { name: "Where these figures come from: Left out of outputs by day" })
      .click();
    await page.getByText(/3\.6 characters a token, the median of the 40 newest requests/u).waitFor();
    await page.getByText(/scripted recordings cannot show what guards save/u).waitFor();
    await panel.postToPanel(viewMessage(makeView({ scale: { charactersPerToken: 4, requests: 0 } })));
    await page.getByText(/4\.0 characters a token, as no request/u).waitFor();
  });

  test("shows day and time together in the language's format", async () => {
    await open({ translation: { language: "ja", messages: {} } });
    assert.match(await entry("cat .env").innerText(), /\s11月20日 12:32 ·/u);
  });

  test("each hit has its time, agent, session, rule, reason and what was done; calls are text", async () => {
    const page = await open();
    const force = await entry("git push --force origin main").innerText();
    for (const words of ["14:22", "Claude Code", "Tide tables by month", "would have asked"])
      assert.ok(force.includes(words), words);
    const group = page.locator(".fired > li", { hasText: "git-push-force" });
    assert.doesNotMatch(await group.innerText(), /replaces what others/u, "rows are short");
    await page.getByRole("button", { name: "What git-push-force is about" }).click();
    assert.match(await group.innerText(), /replaces what others[\s\S]*Push with --force-with-lease/u);
    assert.match(await group.innerText(), /git-push-force\s+· 1 time/u);
    assert.match(await entry("npx vitest").innerText(), /harbors\/currents · could be 48 kB shorter/u);
    assert.match(await entry("git log").innerText(), /git log · said before in this session · 3 times/u);
    assert.match(
      await entry("cat .env").innerText(),
      /cat \.env · asked you\s+Nov 20, 12:32 · Codex · tides/u,
    );
    assert.match(await entry("unknown call").innerText(), /time unknown · unknown agent/u);
    await entry("cat .env").getByRole("button", { name: "tides" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openSession", id: "9b1c" });
    assert.equal(await page.locator(".fired > li").count(), 8);
    await page.getByRole("button", { name: "Show all 18 rules" }).click();
    assert.equal(await page.locator(".fired > li").count(), 18);
    await page.getByRole("combobox", { name: "Family" }).selectOption("Secrets");
    assert.equal(await page.locator(".fired > li").count(), 1);
  });

  test("Allow… asks first, for every family; until midnight is the default, and it can be undone", async () => {
    const page = await open();
    for (const text of ["git push --force origin main", "cat .env", "git log"]) {
      const count = panel.panelMessages.length;
      const button = entry(text).getByRole("button", { name: "Allow…" });
      await button.click();
      assert.equal(await button.getAttribute("aria-expanded"), "true");
      assert.ok(
        await entry(text)
          .getByRole("radio", { name: /until midnight/u })
          .isChecked(),
      );
      assert.equal(panel.panelMessages.length, count, "one click writes nothing");
    }
    const force = entry("git push --force origin main");
    await force.getByRole("button", { name: "Allow…" }).click();
    await force.getByRole("button", { name: "Allow", exact: true }).click();
    assert.deepEqual(panel.panelMessages.at(-1), {
      type: "except",
      hit: "toolu_1:git-push-force",
      wish: { scope: "here", days: 1 },
    });
    assert.ok(await force.getByRole("button", { name: "Allow…" }).isDisabled());
    await panel.postToPanel({ type: "excepted", hit: "toolu_1:git-push-force", added: addedException() });
    await force.getByText("git-push-force allows it on this call, until the end of Dec 20, 2026.").waitFor();
    await page
      .getByRole("status")
      .filter({ hasText: "git-push-force has an exception." })
      .waitFor({ state: "attached" });
    await force.getByRole("button", { name: "Open Rules File" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openFile", whose: "user", line: 12 });
    await force.getByRole("button", { name: "Undo" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "undo", id: "x1" });
    await panel.postToPanel({ type: "undone" });
    await force.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" });

    const log = entry("git log");
    await log.getByRole("button", { name: "Allow…" }).click();
    await log.getByRole("radio", { name: /for 30 days/u }).check();
    await log.getByRole("button", { name: "Allow", exact: true }).click();
    const wish = { scope: "here", days: 30 };
    assert.deepEqual(panel.panelMessages.at(-1), { type: "except", hit: "toolu_31:unbounded-log", wish });
    await panel.postToPanel({ type: "error", message: "The exception could not be written: line 3: x" });
    await page.locator(".banner", { hasText: "line 3" }).waitFor();
    await log.getByRole("radio", { name: /for 30 days/u }).focus();
    await page.keyboard.press("Escape");
    assert.equal(await log.getByRole("radio").count(), 0);
  });

  test("offers no exception that the hit does not support", async () => {
    const hit = makeHit({ folder: null, excerpt: null });
    const page = await open({}, makeView({ hits: [hit] }));
    await page.getByRole("button", { name: "Allow…" }).click();
    assert.equal(await page.getByRole("radio").count(), 1);
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    assert.partialDeepStrictEqual(panel.panelMessages.at(-1), { wish: { scope: "everywhere", days: 1 } });
  });

  test("modes are changed in place, of all or of a family; only the host's answer shows another", async () => {
    const page = await open({}, makeView({ modes: { all: "observe", families: { waste: "off" } } }));
    for (const words of [
      "shows what the rules would have done",
      "in an unattended session they deny the call",
      "nothing is recorded",
    ])
      await page.getByText(words).first().waitFor();
    const chosen = async (name: string) => {
      const shown = page.getByRole("combobox", { name, exact: true }).locator("option:checked");
      return (await shown.innerText()).trim();
    };
    assert.equal(await chosen("Mode of Waste"), "Off");
    assert.equal(await chosen("Mode of Safety"), "Default (watch only)");
    await page.getByRole("combobox", { name: "Mode of Safety" }).selectOption("On");
    assert.deepEqual(panel.panelMessages.at(-1), { type: "setMode", family: "safety", mode: "on" });
    await panel.postToPanel({ type: "error", message: "The mode could not be changed: locked" });
    assert.equal(await chosen("Mode of Safety"), "Default (watch only)");
    await page.getByRole("combobox", { name: "Mode of Waste" }).selectOption("Default (watch only)");
    assert.deepEqual(panel.panelMessages.at(-1), { type: "setMode", family: "waste", mode: null });
    await page.getByRole("combobox", { name: "All families" }).selectOption("Off");
    assert.deepEqual(panel.panelMessages.at(-1), { type: "setMode", family: null, mode: "off" });
    await panel.postToPanel(viewMessage(makeView({ modes: { all: "off", families: {} } })));
    await page.getByText("Guard is off.").waitFor();
    assert.equal(await chosen("Mode of Waste"), "Default (off)");
  });

  test("requires only families that protect", async () => {
    const page = await open();
    const safety = page.getByRole("combobox", { name: "Mode of Safety" });
    await safety.selectOption("Required");
    assert.deepEqual(panel.panelMessages.at(-1), { type: "setMode", family: "safety", mode: "required" });
    const others = [
      page.getByRole("combobox", { name: "Mode of Waste" }),
      page.getByRole("combobox", { name: "All families" }),
    ];
    for (const other of others) assert.equal(await other.getByText("Required").count(), 0);
  });

  test("tells of calls that were not judged, why, and what helps", async () => {
    const page = await open();
    assert.doesNotMatch(await main(), /Not judged/u);
    const [hit] = makeView().hits;
    assert.ok(hit);
    const missed = {
      ...hit,
      id: "m",
      rule: "not-judged-alone",
      family: "safety",
      action: "ask",
      done: "unjudged",
      excerpt: null,
      tool: "Bash",
    };
    const count = { ...missed, count: 2, lastAt: hit.at, savedBytes: 0 };
    const view = makeView();
    await panel.postToPanel(
      viewMessage({ ...view, counts: [...view.counts, count], hits: [missed, ...view.hits] }),
    );
    await page.getByText("Not judged: 2 calls.").waitFor();
    const shown = await main();
    assert.match(
      shown,
      /2 ran\. Required families let none pass\. No service of purser answered.*purser doctor/u,
    );
    assert.match(shown, /not-judged-alone · 1 time[\s\S]*Bash[\s\S]*not judged/u);
  });

  test("finds rules by words, and explains one on its own page, which Escape leaves", async () => {
    const page = await open();
    const table = page.getByRole("table", { name: "Rules" });
    assert.match(
      await table.getByRole("row").nth(1).innerText(),
      /unbounded-log[\s\S]*Waste\s+silent\s+3\s+0%/u,
    );
    assert.match(
      await table.getByRole("row").filter({ hasText: "same-failure-again" }).innerText(),
      /Loops\s+off/u,
    );
    await page.getByRole("searchbox", { name: "Search rules" }).fill("HISTORY waste");
    assert.equal(await table.getByRole("row").count(), 2);
    await page.getByRole("searchbox").fill("no such words");
    await page.getByText("No rule contains all of these words.").waitFor();
    await page.getByRole("searchbox").fill("");
    await table.getByRole("button", { name: "unbounded-log" }).click();
    await page.getByRole("heading", { name: "unbounded-log", level: 1 }).waitFor();
    assert.match(await main(), /Add -n 20\.[\s\S]*Fired\s+3 × said before[\s\S]*Exception\s+on this call/u);
    assert.match(await main(), /Came of it\s+reported 30 times, 24 ignored, 1 not right/u);
    await page.getByText("Its advice is silent").waitFor();
    await page.getByRole("button", { name: "Call Back" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "wake", rule: "unbounded-log" });
    const examples = page.locator(".examples");
    assert.deepEqual(await examples.allInnerTexts(), ["git log", "git log -n 20"]);
    await page.getByRole("heading", { name: "Does not fire on" }).waitFor();
    assert.partialDeepStrictEqual(await panel.savedState(), { rule: "unbounded-log" });
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Guard", level: 1 }).waitFor();
    assert.equal(
      await page.evaluate("document.querySelector('purser-guard').shadowRoot.activeElement?.id"),
      "rules",
    );
  });

  test("a removed rule is marked, and its hits have no button", async () => {
    const page = await panel.open({ state: { ...firstState, rule: "old-rule" } });
    await panel.postToPanel(viewMessage());
    await panel.postToPanel(rulesMessage());
    await page.getByRole("heading", { name: "There is no such rule" }).waitFor();
    await page.getByRole("button", { name: "Back to Guard" }).click();
    await panel.postToPanel(viewMessage(makeView({ hits: [makeHit({ rule: "old-rule" })] })));
    await page.locator(".fired strong", { hasText: "old-rule" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Allow…" }).count(), 0);
  });

  test("exceptions are listed with their ends; files are opened", async () => {
    const page = await open();
    const text = await main();
    assert.match(text, /delete-outside-project\s+in \/home\/mara\/scratch, without an end/u);
    assert.match(text, /unbounded-log\s+on this call, until the end of Nov 29, 2026\s+git log --stat/u);
    assert.match(text, /print-secret-file\s+everywhere, ended with Nov 1, 2026/u);
    await page.getByRole("button", { name: "Open This Project's Rules File" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openFile", whose: "project", line: null });
    await page.getByRole("button", { name: "Open Your Rules File" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openFile", whose: "user", line: null });
    await panel.postToPanel(
      rulesMessage(makeBook({ problem: plainSentence("line 12: rules: too many") }), false),
    );
    await page.locator(".banner", { hasText: "is not used: line 12" }).getByRole("button").click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openFile", whose: "user", line: 12 });
    assert.equal(await page.getByRole("button", { name: "Open This Project's Rules File" }).count(), 0);
  });

  test("requests another time and remembers it", async () => {
    const page = await open();
    await page.getByRole("combobox", { name: /^Period/u }).selectOption("30 days");
    assert.deepEqual(panel.panelMessages.at(-1), { type: "show", days: 30 });
    assert.partialDeepStrictEqual(await panel.savedState(), { days: 30 });
    await page.locator("main[aria-busy=true]").waitFor();
  });

  test("empty sections explain what will appear, and how to begin", async () => {
    const page = await open({}, emptyView(), makeBook({ exceptions: [] }));
    assert.match(await main(), /^Guard[\s\S]*0\s+calls on which a rule\s+fired in 7 days/u);
    await page.getByText("No output in this time could have been made smaller.").waitFor();
    await page.getByText("No exception is written in /home/mara/.purser/guard.yaml.").waitFor();
    await page.getByRole("button", { name: "Show Hooks Status" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "showHooks" });
  });

  test("at 340 px no column of the modes is cut", async () => {
    const page = await open();
    await page.setViewportSize({ width: 340, height: 900 });
    const frame = page.locator("purser-table[label='Modes of families'] .frame");
    const hidden = (element: { readonly scrollWidth: number; readonly clientWidth: number }) =>
      element.scrollWidth - element.clientWidth;
    assert.equal(await frame.evaluate(hidden), 0);
  });

  test("explains that no rule observes without hooks, and offers one button to install them", async () => {
    const page = await open();
    await panel.postToPanel(viewMessage(emptyView(), false));
    const notice = page.locator(".banner.info");
    await notice.getByText("Guard sees nothing yet: no agent has purser's hooks.").waitFor();
    assert.equal(await page.getByText("Watching only.").count(), 0);
    await notice.getByRole("button", { name: "Install Hooks…" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "installHooks" });
    await notice.getByRole("button", { name: "Replay Past Sessions" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "play", asked: { days: 30, family: null } });
    await panel.postToPanel(viewMessage(makeView(), false));
    await notice.getByText("Guard sees nothing now: no agent has purser's hooks.").waitFor();
    await panel.postToPanel(viewMessage(makeView(), true));
    await page.getByText("Watching only. Nothing is blocked.").waitFor();
    const off = { all: "off", families: {} } as const;
    await panel.postToPanel(viewMessage(makeView({ modes: off }), false));
    await page.getByText("Guard is off.").waitFor();
  });

  test("waiting, offline and error states explain the next step, and keep known content", async () => {
    const page = await panel.open();
    await page.locator(".skeleton").waitFor({ state: "attached" });
    await panel.postToPanel(offline);
    await page.getByRole("heading", { name: "The service is offline" }).waitFor();
    await panel.postToPanel({ type: "error", message: "What guard rules did could not be read: locked" });
    await page.getByRole("heading", { name: "Nothing can be shown now" }).waitFor();
    await page.getByRole("button", { name: "Show Log" }).click();
    await page.getByRole("button", { name: "Try Again" }).click();
    assert.deepEqual(panel.panelMessages.slice(-2), [{ type: "showLog" }, { type: "retry" }]);
    await panel.postToPanel(viewMessage());
    await page
      .getByRole("status")
      .filter({ hasText: "Guard rules fired on 20 calls." })
      .waitFor({ state: "attached" });
    await panel.postToPanel(offline);
    await page.locator(".banner", { hasText: "not running" }).waitFor();
    // A message from another version of the extension.
    await panel.postToPanel({ type: "view", view: {} });
    await page.locator(".banner", { hasText: "of different versions" }).waitFor();
    assert.equal(await page.getByRole("heading", { name: "Recent warnings" }).count(), 1);
  });

  test("shows outside text as text, which cannot reorder the text beside it", async () => {
    const text = "<img src=x onerror=alert(1)> \u202egnp.exe";
    const hit = makeHit({ excerpt: text, title: text, program: text, done: text, family: text, rule: text });
    const view = makeView({ hits: [hit, makeHit({ id: "two", rule: "own-rule", folder: text })] });
    const rule = makeRule({ id: "own-rule", message: text, remedy: text, fires: [text], passes: [text] });
    const book = makeBook({
      rules: [rule],
      file: text,
      problem: plainSentence(text),
      exceptions: [{ rule: "own-rule", folder: text, like: text }],
    });
    const page = await open({}, view, book);
    await page.getByRole("button", { name: "Allow…" }).last().click();
    await page.getByRole("table", { name: "Rules" }).getByRole("button", { name: "own-rule" }).click();
    await page.getByRole("heading", { name: "own-rule", level: 1 }).waitFor();
    const check = async () => {
      assert.equal(await page.locator("img").count(), 0);
      assert.doesNotMatch(await main(), /\u202e/u);
    };
    await check();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Guard", level: 1 }).waitFor();
    await check();
    assert.deepEqual(panel.pageErrors, []);
  });
});
