import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { tabOf } from "../../../src/webview/rules/list/list-entries.ts";
import { faultsOf, otherThemes } from "../faults.ts";
import { makeRule, rulesMessage } from "./fixtures.ts";
import { narrow, ReviewPage, slim, wide, zoomed } from "./review-page.ts";

describe("Several rules of 200 at once", { timeout: 240_000 }, () => {
  let review: ReviewPage;
  before(async () => {
    review = await ReviewPage.start();
  });
  after(() => review.panel.close());

  const bar = () => review.page.getByRole("group", { name: "Selected rules" });
  const marked = () => review.page.getByRole("navigation").getByRole("option", { checked: true });
  const waiting = () => review.view.rules.filter((rule) => tabOf(rule) === "waiting");
  const statusOf = (id: string) => review.view.rules.find((rule) => rule.id === id)?.status;
  const openWithPassed = async (size: Parameters<ReviewPage["open"]>[0]) => {
    await review.open(size);
    const receipts = [
      { id: "x-1", at: 1, verdict: "saves", isDemo: false },
      { id: "x-2", at: 1, verdict: "saves", isDemo: true },
    ];
    const passed = [0, 1].map((index) =>
      makeRule({ id: `p${index}`, status: "measured", saving: 900, receipts: receipts.slice(index) }),
    );
    review.view = { ...review.view, rules: [...passed, ...review.view.rules] };
    await review.panel.postToPanel(rulesMessage(review.view));
    await review.page.getByRole("heading", { name: "Ready" }).waitFor();
  };

  for (const [name, size] of Object.entries({ wide, narrow, slim, "at 200 %": zoomed }))
    test(`${name}: by keys alone they are selected, approved, and the decision is undone`, async () => {
      await review.open(size);
      const { page } = review;
      await review.options.first().focus();
      await page.keyboard.press("x");
      for (const key of ["Shift+ArrowDown", "Shift+ArrowDown", "ArrowDown", "Space"])
        await page.keyboard.press(key);
      assert.equal(await marked().count(), 4);
      assert.equal(await bar().getByText("4 rules selected").count(), 1);
      await review.assertSeen(review.chosen, "the entry");
      await review.assertStill();
      await page.keyboard.press("a");
      const asked = review.actsOnMany.at(-1);
      assert.equal(asked?.act.kind, "approve");
      assert.equal(asked.ids.length, 4);
      assert.ok(asked.ids.every((id) => statusOf(id) === "candidate"));
      await review.answerMany();
      assert.equal(await bar().count(), 0);
      const decided = page.getByRole("group", { name: "What you decided last" });
      await decided.getByText("4 rules: approve").waitFor();
      await page.keyboard.press("u");
      assert.deepEqual(review.actsOnMany.at(-1), {
        type: "actOnMany",
        ids: asked.ids,
        act: { kind: "undo" },
      });
      await review.answerMany();
      assert.equal(await decided.count(), 0);
      assert.deepEqual(review.panel.pageErrors, []);
    });

  test("after a decision about several, the next proposed rule is shown", async () => {
    await review.open(wide);
    const { page } = review;
    await review.options.nth(4).click();
    await page.keyboard.press("x");
    for (const key of ["Shift+ArrowDown", "Shift+ArrowDown"]) await page.keyboard.press(key);
    const next = await review.options.nth(7).getAttribute("data-rule");
    await page.keyboard.press("a");
    await review.answerMany();
    assert.equal(await review.chosenId(), next);
    assert.equal(statusOf(next ?? ""), "candidate");
    await review.assertSeen(review.chosen, "the entry");
  });

  test("the mouse selects with the box, with Ctrl, with Shift and by group; a click on the words shows the rule", async () => {
    await review.open(wide);
    const { page } = review;
    await review.options.nth(2).locator(".mark").click();
    await review.options.nth(5).click({ modifiers: ["Shift"] });
    await review.options.nth(8).click({ modifiers: ["ControlOrMeta"] });
    assert.equal(await marked().count(), 5);
    await review.options.nth(20).locator(".words").click();
    assert.equal(await marked().count(), 5);
    assert.equal(await review.shownId(), await review.chosenId());
    await page.getByRole("button", { name: "Select all of Proposed" }).click();
    const candidates = review.view.rules.filter(({ status }) => status === "candidate").length;
    assert.equal(await marked().count(), candidates);
    await page.getByRole("button", { name: "Clear the selection of Proposed" }).click();
    assert.equal(await marked().count(), 0);
    await review.options.first().focus();
    await page.keyboard.press("ControlOrMeta+a");
    assert.equal(await marked().count(), waiting().length, "those of this tab");
    await page.getByRole("tab", { name: /^Archive/u }).click();
    assert.equal(await bar().count(), 0, "another tab's rules are not decided about unseen");
    await page.getByRole("tab", { name: /^Waiting/u }).click();
    await review.options.first().focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("Escape");
    assert.equal(await marked().count(), 0);
  });

  test("they are rejected with one reason, which Escape gives up; the keys in its field decide nothing", async () => {
    await review.open(wide);
    const { page } = review;
    await review.options.nth(3).focus();
    await page.keyboard.press("x");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("r");
    const why = page.getByLabel(/^Reason \(optional\), so that they/u);
    await why.pressSequentially("a u x vague");
    await page.keyboard.press("Escape");
    assert.equal(await why.count(), 0);
    assert.equal(await marked().count(), 2);
    assert.equal(review.actsOnMany.length, 0);
    await page.keyboard.press("r");
    await why.fill("too vague");
    await page.keyboard.press("Enter");
    assert.deepEqual(review.actsOnMany.at(-1)?.act, { kind: "reject", why: "too vague" });
  });

  test("an approval takes those that wait to be measured; a proven one is added by its own button, after the file is named, and never by a replay's verdict", async () => {
    await openWithPassed(wide);
    const { page } = review;
    await review.options.first().click();
    await page.keyboard.press("x");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("a");
    assert.equal(review.actsOnMany.at(-1)?.ids.length, 1);
    assert.ok(review.actsOnMany.at(-1)?.ids.every((id) => id.startsWith("m")));
    await review.answerMany();
    assert.equal(await marked().count(), 2, "what it did not apply to stays selected");
    await page.getByRole("button", { name: "Add 1 to Memory…" }).click();
    assert.equal(review.actsOnMany.length, 1);
    await bar().getByText("MEMORY.md").waitFor();
    await page.getByRole("button", { name: "Add 1 Rule" }).click();
    assert.deepEqual(review.actsOnMany.at(-1), { type: "actOnMany", ids: ["p0"], act: { kind: "letIn" } });
  });

  test("the list is filtered by agent and by words; moving, selecting all and the next one waiting keep to it", async () => {
    await review.open(wide);
    const { page } = review;
    await review.options.first().focus();
    await page.keyboard.press("/");
    await page.keyboard.type("ONCE pattern");
    await page
      .getByRole("search")
      .getByText(/of 200 rules/u)
      .waitFor();
    const found = waiting().filter(({ sentence }) => /once .*pattern/iu.test(sentence)).length;
    assert.equal(await review.options.count(), found);
    assert.match(await page.getByRole("tab", { selected: true }).innerText(), new RegExp(`${found}$`, "u"));
    await page.keyboard.press("ArrowDown");
    assert.equal((await review.focused()).isChosen, true);
    assert.match(await review.title.innerText(), /^2: Search once/u);
    await page.getByLabel("Agent").selectOption("reviewer");
    const inBoth = await review.options.count();
    assert.ok(inBoth > 5 && inBoth < 20);
    await review.options.first().focus();
    await page.keyboard.press("ControlOrMeta+a");
    assert.equal(await marked().count(), inBoth);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Home");
    await page.keyboard.press("a");
    await review.answer();
    const shown = await review.shownId();
    assert.equal(review.view.rules.find(({ id }) => id === shown)?.agent, "reviewer");
    assert.match(await review.title.innerText(), /Search once/u);
    assert.deepEqual(await review.panel.savedState(), {
      place: { kind: "rule", id: await review.shownId() },
      tab: "waiting",
      chosen: { waiting: await review.shownId() },
      isOpen: false,
      filter: { agent: "reviewer", text: "ONCE pattern" },
    });
    await page.keyboard.press("/");
    await page.keyboard.press("Escape");
    assert.equal(await page.getByLabel("Filter rules by text").inputValue(), "");
    await page.getByRole("button", { name: "Show All" }).click();
    assert.equal(await review.options.count(), waiting().length);
  });

  test("explains a filter without matches, and offers to clear it", async () => {
    await review.open(slim);
    const { page } = review;
    await page.getByLabel("Filter rules by text").fill("no such words");
    await page.getByText("No rule matches the filter.").waitFor();
    await page.getByText("0 of 200 rules").waitFor();
    await page.getByRole("button", { name: "Show All" }).click();
    assert.equal(await review.options.count(), waiting().length);
  });

  for (const theme of ["Dark Modern", ...otherThemes] as const)
    test(`${theme}: axe finds nothing with rules selected, filtered and in a question, wide and narrow`, async () => {
      const { page, panel } = review;
      for (const size of [wide, zoomed]) {
        await panel.open({ size, theme });
        await panel.postToPanel(rulesMessage(review.view));
        await review.options.first().focus();
        await page.keyboard.press("x");
        await page.keyboard.press("Shift+ArrowDown");
        assert.deepEqual(await faultsOf(page), []);
        await page.keyboard.press("r");
        assert.deepEqual(await faultsOf(page), []);
      }
    });
});
